import type { StreamPart, ToolCallHead } from '@turnpike/protocol'

interface ToolCallDelta {
  index?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
  custom?: { name?: unknown; input?: unknown } | null
}

interface OpenCall {
  block: number
  head: ToolCallHead
  hasText: boolean
}

/** The tool calls of one choice. They stay open beside each other until the choice ends. */
export class ToolCallDecoder {
  readonly #choice: number
  /** Gives a new block its number, after closing what cannot stay open beside it. */
  readonly #nextBlock: (parts: StreamPart[]) => number
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()

  constructor(choice: number, nextBlock: (parts: StreamPart[]) => number) {
    this.#choice = choice
    this.#nextBlock = nextBlock
  }

  /** `tool_calls` of a delta, or of a whole message. */
  push(deltas: readonly unknown[], parts: StreamPart[]): void {
    for (const value of deltas) {
      const delta = (typeof value === 'object' && value !== null ? value : {}) as ToolCallDelta
      const call = this.#known(delta) ?? this.#start(delta, parts)
      this.#grow(call, delta.custom?.input ?? delta.function?.arguments, parts)
    }
  }

  /** The deprecated `function_call`: one at most, without an id. */
  pushLegacy(delta: Record<string, unknown>, parts: StreamPart[]): void {
    const legacy = this.#calls.find(({ head }) => head.variant === 'legacy-function')
    const head: ToolCallHead = { id: '', name: textOf(delta['name']), variant: 'legacy-function' }
    this.#grow(legacy ?? this.#open(head, parts), delta['arguments'], parts)
  }

  end(parts: StreamPart[]): void {
    for (const { block, head, hasText } of this.#calls) {
      // A call without arguments is `{}` for who parses it, and some vendors leave it empty.
      if (!hasText && head.variant !== 'custom')
        parts.push({ type: 'block-delta', choice: this.#choice, block, text: '{}' })
      parts.push({ type: 'block-end', choice: this.#choice, block })
    }
  }

  /**
   * The call that a delta goes on with. Its index tells, but some vendors leave it out (Mistral, and all in
   * whole answers) or give 0 to every call: then a new id with a name is a new call.
   */
  #known(delta: ToolCallDelta): OpenCall | undefined {
    const id = textOf(delta.id)
    const name = textOf(delta.custom?.name ?? delta.function?.name)
    if (typeof delta.index === 'number') {
      const call = this.#byIndex.get(delta.index)
      const another = call !== undefined && id !== '' && name !== '' && call.head.id !== id
      return another ? undefined : call
    }
    if (id !== '') return this.#calls.find(({ head }) => head.id === id)
    return name === '' ? this.#calls.at(-1) : undefined
  }

  #start(delta: ToolCallDelta, parts: StreamPart[]): OpenCall {
    const custom = delta.custom !== undefined && delta.custom !== null
    const name = custom ? delta.custom?.name : delta.function?.name
    const variant = custom ? 'custom' : 'function'
    const call = this.#open({ id: textOf(delta.id), name: textOf(name), variant }, parts)
    if (typeof delta.index === 'number') this.#byIndex.set(delta.index, call)
    return call
  }

  #open(toolCall: ToolCallHead, parts: StreamPart[]): OpenCall {
    const call: OpenCall = { block: this.#nextBlock(parts), head: toolCall, hasText: false }
    this.#calls.push(call)
    parts.push({ type: 'block-start', choice: this.#choice, block: call.block, kind: 'tool-call', toolCall })
    return call
  }

  #grow(call: OpenCall, more: unknown, parts: StreamPart[]): void {
    // Arguments are JSON text; Mistral's own clients also know them as the value itself.
    const text = typeof more === 'object' && more !== null ? JSON.stringify(more) : textOf(more)
    if (text === '') return
    call.hasText = true
    parts.push({ type: 'block-delta', choice: this.#choice, block: call.block, text })
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
