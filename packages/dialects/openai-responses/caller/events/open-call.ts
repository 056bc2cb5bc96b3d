import type { BlockStart } from '@turnpike/protocol'
import type { TextFrame } from '../../../answers/text-frame.ts'
import { isObject } from '../../../json/object.ts'
import { parseJson } from '../../../json/parse-json.ts'
import type { CallItem, ItemStatus } from '../../items.ts'
import { textArgument, type RequestedTool } from '../response/response-context.ts'
import { deltaFrame } from './event.ts'
import type { EventWriter } from './event-writer.ts'

const prefixes: Record<CallItem['type'], string> = {
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
  tool_search_call: 'tsc_',
}

/** An open call of an answer, with the name and form in which its caller knows the tool. */
export class OpenCall {
  readonly item: CallItem
  readonly #index: number
  readonly #writer: EventWriter
  /** Absent if pieces of the text have no events. */
  readonly #frame: TextFrame | undefined
  /** The vendor calls a function whose argument is a custom tool's text, read once it is complete. */
  readonly #isWrapped: boolean
  #text = ''

  constructor(
    start: BlockStart,
    tool: RequestedTool | undefined,
    { itemId, index }: { itemId: string; index: number },
    teller: EventWriter,
  ) {
    const { id = '', name = '', variant = 'function' } = start.toolCall ?? {}
    const type = tool?.callType ?? (variant === 'custom' ? 'custom_tool_call' : 'function_call')
    const head = {
      id: prefixes[type] + itemId,
      status: 'in_progress' as const,
      // The deprecated functions of chat completions have no id.
      call_id: id === '' ? `call_${itemId}` : id,
    }
    const namespace = tool?.namespace === undefined ? {} : { namespace: tool.namespace }
    this.item = emptyItem(type, head, { name: tool?.name ?? name, ...namespace })
    this.#isWrapped = type === 'custom_tool_call' && variant !== 'custom'
    this.#index = index
    this.#writer = teller
    this.#frame = type === 'tool_search_call' ? undefined : deltaFrame(this.#place('delta'))
  }

  begin(): string {
    return this.#writer.itemAdded(this.#index, this.item)
  }

  grow(text: string): string {
    if (text === '') return ''
    this.#text += text
    return this.#isWrapped ? '' : this.#writeText(text)
  }

  end(status: ItemStatus): string {
    const { item } = this
    const events = this.#endText()
    item.status = status
    return events + this.#writer.itemDone(this.#index, item)
  }

  /** The last events of the text, which from then on is part of the item. */
  #endText(): string {
    const { item } = this
    switch (item.type) {
      case 'function_call': {
        const last = this.#text.trim() === '' ? '{}' : ''
        if (last !== '') this.#text = last
        item.arguments = this.#text
        const done = { ...this.#place('done'), name: item.name, arguments: this.#text }
        return this.#writeText(last) + this.#writer.write(done)
      }
      case 'custom_tool_call': {
        if (this.#isWrapped) this.#text = textIn(this.#text)
        item.input = this.#text
        const whole = this.#isWrapped ? this.#writeText(this.#text) : ''
        return whole + this.#writer.write({ ...this.#place('done'), input: this.#text })
      }
      case 'tool_search_call':
        item.arguments = this.#text.trim() === '' ? {} : (parseJson(this.#text) ?? this.#text)
        return ''
    }
  }

  #writeText(text: string): string {
    return text === '' || this.#frame === undefined ? '' : this.#writer.writeText(this.#frame, text)
  }

  #place(what: 'delta' | 'done'): { type: string; item_id: string; output_index: number } {
    const kind = this.item.type === 'function_call' ? 'function_call_arguments' : 'custom_tool_call_input'
    return { type: `response.${kind}.${what}`, item_id: this.item.id, output_index: this.#index }
  }
}

type Head = Pick<CallItem, 'id' | 'status' | 'call_id'>

function emptyItem(
  type: CallItem['type'],
  head: Head,
  named: { name: string; namespace?: string },
): CallItem {
  switch (type) {
    case 'function_call':
      return { type, ...head, ...named, arguments: '' }
    case 'custom_tool_call':
      return { type, ...head, ...named, input: '' }
    case 'tool_search_call':
      return { type, ...head, execution: 'client', arguments: {} }
  }
}

/** The value of the function's argument. Incomplete or unexpected arguments stay unchanged. */
function textIn(text: string): string {
  const value = parseJson(text)
  if (!isObject(value)) return text
  const argument = value[textArgument]
  return typeof argument === 'string' ? argument : text
}
