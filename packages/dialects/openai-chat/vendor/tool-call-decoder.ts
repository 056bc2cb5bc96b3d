import type { StreamPart, ToolCallHead } from '@turnpike/protocol'
import { argumentsOf, headOf, nameOf, type ToolCallDelta } from './tool-call-delta.ts'
import { ToolCallOrder } from './tool-call-order.ts'

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
  readonly #order = new ToolCallOrder()
  readonly #calls: OpenCall[] = []
  #legacy: OpenCall | undefined

  constructor(choice: number, nextBlock: (parts: StreamPart[]) => number) {
    this.#choice = choice
    this.#nextBlock = nextBlock
  }

  /** What a call's arguments are decides to which call the next delta belongs. */
  get readsArguments(): boolean {
    return this.#order.readsArguments
  }

  /** `tool_calls` of a delta, or of a whole message. */
  push(deltas: readonly ToolCallDelta[], parts: StreamPart[]): void {
    for (const delta of deltas) {
      const { at } = this.#order.place(delta)
      this.#calls[at] ??= this.#open(headOf(delta), parts)
      this.#grow(this.#calls[at], argumentsOf(delta), parts)
    }
  }

  /** The deprecated `function_call`: one at most, without an id. */
  pushLegacy(delta: Record<string, unknown>, parts: StreamPart[]): void {
    this.#legacy ??= this.#open(
      { id: '', name: nameOf({ function: delta }), variant: 'legacy-function' },
      parts,
    )
    this.#grow(this.#legacy, argumentsOf({ function: delta }), parts)
  }

  end(parts: StreamPart[]): void {
    const calls = this.#legacy === undefined ? this.#calls : [...this.#calls, this.#legacy]
    for (const { block, head, hasText } of calls) {
      // A call without arguments is `{}` for who parses it, and some vendors leave it empty.
      if (!hasText && head.variant !== 'custom')
        parts.push({ type: 'block-delta', choice: this.#choice, block, text: '{}' })
      parts.push({ type: 'block-end', choice: this.#choice, block })
    }
  }

  #open(toolCall: ToolCallHead, parts: StreamPart[]): OpenCall {
    const call: OpenCall = { block: this.#nextBlock(parts), head: toolCall, hasText: false }
    parts.push({ type: 'block-start', choice: this.#choice, block: call.block, kind: 'tool-call', toolCall })
    return call
  }

  #grow(call: OpenCall, text: string, parts: StreamPart[]): void {
    if (text === '') return
    call.hasText = true
    parts.push({ type: 'block-delta', choice: this.#choice, block: call.block, text })
  }
}
