import type { BlockStart } from '@turnpike/protocol'
import { parsed } from '../../json/parsed.ts'
import type { CustomCallItem, FunctionCallItem, ItemStatus } from '../items.ts'
import { textArgument, type AskedTool } from './asked.ts'
import { textFrame, type TextFrame } from './event.ts'
import { isObject } from './members.ts'
import type { Teller } from './teller.ts'

/** A call of an answer, by the name and in the form in which its caller knows the tool. */
export class OpenCall {
  readonly item: FunctionCallItem | CustomCallItem
  readonly #index: number
  readonly #teller: Teller
  readonly #frame: TextFrame
  /** The vendor calls a function whose argument is the text of a custom tool: it is read once it is whole. */
  readonly #isWrapped: boolean
  #text = ''

  constructor(
    start: BlockStart,
    asked: AskedTool | undefined,
    { itemId, index }: { itemId: string; index: number },
    teller: Teller,
  ) {
    const { id = '', name = '', variant = 'function' } = start.toolCall ?? {}
    const isCustom = variant === 'custom' || asked?.takesText === true
    const head = {
      id: (isCustom ? 'ctc_' : 'fc_') + itemId,
      status: 'in_progress' as const,
      // The deprecated functions of chat completions have no id.
      call_id: id === '' ? `call_${itemId}` : id,
      name: asked?.name ?? name,
      ...(asked?.namespace === undefined ? {} : { namespace: asked.namespace }),
    }
    this.item = isCustom
      ? { type: 'custom_tool_call', ...head, input: '' }
      : { type: 'function_call', ...head, arguments: '' }
    this.#isWrapped = isCustom && variant !== 'custom'
    this.#index = index
    this.#teller = teller
    this.#frame = textFrame(this.#place('delta'))
  }

  begin(): string {
    return this.#teller.tell({
      type: 'response.output_item.added',
      output_index: this.#index,
      item: { ...this.item },
    })
  }

  grow(text: string): string {
    if (text === '') return ''
    this.#text += text
    return this.#isWrapped ? '' : this.#teller.tellText(this.#frame, text)
  }

  end(status: ItemStatus): string {
    const { item } = this
    let events = ''
    if (this.#isWrapped) {
      this.#text = textIn(this.#text)
      events += this.#teller.tellText(this.#frame, this.#text)
    } else if (item.type === 'function_call' && this.#text.trim() === '') {
      this.#text = ''
      events += this.grow('{}')
    }
    item.status = status
    if (item.type === 'function_call') item.arguments = this.#text
    else item.input = this.#text
    const done = item.type === 'function_call' ? { arguments: this.#text } : { input: this.#text }
    return (
      events +
      this.#teller.tell({ ...this.#place('done'), ...done }) +
      this.#teller.tell({ type: 'response.output_item.done', output_index: this.#index, item })
    )
  }

  #place(what: 'delta' | 'done'): { type: string; item_id: string; output_index: number } {
    const kind = this.item.type === 'function_call' ? 'function_call_arguments' : 'custom_tool_call_input'
    return { type: `response.${kind}.${what}`, item_id: this.item.id, output_index: this.#index }
  }
}

/** What the function's argument holds; arguments that are cut, or others, are told as they are. */
function textIn(text: string): string {
  const value = parsed(text)
  if (!isObject(value)) return text
  const told = value[textArgument]
  return typeof told === 'string' ? told : text
}
