import type { BlockKind, StreamPart, ToolCallHead } from '@turnpike/protocol'
import { parseFinishReason } from './finish-reason.ts'

/** A delta of a streamed answer, or the message of a whole one: both hold the same fields. */
export type ChatDelta = Record<string, unknown>

/** Fields of a delta that are no content: who speaks, and what is always null here. */
const silentFields = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'tool_calls',
  'function_call',
])

interface ToolCallDelta {
  index?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown }
  custom?: { name?: unknown; input?: unknown }
}

/** One choice of an answer: gives blocks to a format that has none, by watching which field speaks. */
export class ChoiceDecoder {
  readonly choice: number
  finished = false
  #blocks = 0
  /** The block of text, refusal or reasoning that is open; tool calls stay open beside each other. */
  #open: { kind: BlockKind; block: number } | undefined
  readonly #toolBlocks = new Map<number, number>()

  constructor(choice: number) {
    this.choice = choice
  }

  delta(delta: ChatDelta, logprobs: unknown, parts: StreamPart[]): void {
    const reasoning = delta['reasoning_content'] ?? delta['reasoning']
    if (typeof reasoning === 'string' && reasoning !== '')
      this.#text('reasoning', reasoning, undefined, parts)
    const { content, refusal } = delta
    if (typeof content === 'string' && (content !== '' || hasLogprobs(logprobs))) {
      this.#text('text', content, logprobs, parts)
    }
    if (typeof refusal === 'string' && refusal !== '') this.#text('refusal', refusal, logprobs, parts)
    if (Array.isArray(delta['tool_calls'])) {
      const calls = delta['tool_calls'] as (ToolCallDelta | null)[]
      for (let at = 0; at < calls.length; at++) this.#toolCall(calls[at] ?? {}, at, parts)
    }
    if (isObject(delta['function_call'])) this.#legacyCall(delta['function_call'], parts)
    for (const field in delta) {
      if (!silentFields.has(field)) this.#raw(field, delta[field], parts)
    }
    if (Array.isArray(content)) this.#raw('content', content, parts)
  }

  finish(rawReason: string, parts: StreamPart[]): void {
    if (this.finished) return
    this.finished = true
    this.#closeText(parts)
    for (const block of this.#toolBlocks.values())
      parts.push({ type: 'block-end', choice: this.choice, block })
    parts.push({ type: 'finish', choice: this.choice, reason: parseFinishReason(rawReason), rawReason })
  }

  #text(kind: BlockKind, text: string, logprobs: unknown, parts: StreamPart[]): void {
    if (this.#open?.kind !== kind) {
      this.#closeText(parts)
      this.#open = { kind, block: this.#blocks++ }
      parts.push({ type: 'block-start', choice: this.choice, block: this.#open.block, kind })
    }
    const { block } = this.#open
    if (hasLogprobs(logprobs)) parts.push({ type: 'block-delta', choice: this.choice, block, text, logprobs })
    else parts.push({ type: 'block-delta', choice: this.choice, block, text })
  }

  #toolCall(call: ToolCallDelta, position: number, parts: StreamPart[]): void {
    const index = typeof call.index === 'number' ? call.index : position
    let block = this.#toolBlocks.get(index)
    if (block === undefined) {
      const custom = call.custom !== undefined
      const name = custom ? call.custom?.name : call.function?.name
      block = this.#startTool(
        index,
        { id: textOf(call.id), name: textOf(name), variant: custom ? 'custom' : 'function' },
        parts,
      )
    }
    const text = textOf(call.custom === undefined ? call.function?.arguments : call.custom.input)
    if (text !== '') parts.push({ type: 'block-delta', choice: this.choice, block, text })
  }

  /** The deprecated `function_call`: one at most, without an id. */
  #legacyCall(call: Record<string, unknown>, parts: StreamPart[]): void {
    const head: ToolCallHead = { id: '', name: textOf(call['name']), variant: 'legacy-function' }
    const block = this.#toolBlocks.get(-1) ?? this.#startTool(-1, head, parts)
    const text = textOf(call['arguments'])
    if (text !== '') parts.push({ type: 'block-delta', choice: this.choice, block, text })
  }

  #startTool(index: number, toolCall: ToolCallHead, parts: StreamPart[]): number {
    this.#closeText(parts)
    const block = this.#blocks++
    this.#toolBlocks.set(index, block)
    parts.push({ type: 'block-start', choice: this.choice, block, kind: 'tool-call', toolCall })
    return block
  }

  /** A field that we have no word for, as `annotations` or `audio`: kept as it is. */
  #raw(name: string, value: unknown, parts: StreamPart[]): void {
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return
    this.#closeText(parts)
    const block = this.#blocks++
    parts.push({ type: 'block-start', choice: this.choice, block, kind: 'raw', name })
    parts.push({ type: 'block-delta', choice: this.choice, block, text: '', value })
    parts.push({ type: 'block-end', choice: this.choice, block })
  }

  #closeText(parts: StreamPart[]): void {
    if (this.#open === undefined) return
    parts.push({ type: 'block-end', choice: this.choice, block: this.#open.block })
    this.#open = undefined
  }
}

function hasLogprobs(logprobs: unknown): boolean {
  return logprobs !== null && logprobs !== undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
