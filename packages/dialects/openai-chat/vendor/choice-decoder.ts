import type { BlockKind, ReasoningHead, StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { parseFinishReason } from '../finish-reason.ts'
import type { ReasoningDetail } from '../reasoning-details.ts'
import { callsOf, ToolCallDecoder } from '../tool-calls.ts'

/** A delta of a streamed answer, or the message of a whole one: both have the same fields. */
export type ChatDelta = Record<string, unknown>

/** Fields of a delta that are decoded below, or that only name the role. */
const knownFields = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'tool_calls',
  'function_call',
])

/** The open block of text, refusal or reasoning: there is at most one. */
interface OpenText {
  kind: BlockKind
  block: number
  /** For reasoning in details: the pieces of one detail have the same type and index. */
  detail: string | undefined
  signature: string | undefined
}

/** Decodes one choice. The format has no blocks: a new one begins when another field has content. */
export class ChoiceDecoder {
  readonly choice: number
  finished = false
  #blocks = 0
  #open: OpenText | undefined
  /** These two are created only if needed, to save memory while thousands of answers are open. */
  #calls: ToolCallDecoder | undefined
  /** Fields without an equivalent here: the block of each, and its last value that is not an object. */
  #raws: Map<string, { block: number; last: unknown }> | undefined

  constructor(choice: number) {
    this.choice = choice
  }

  delta(delta: ChatDelta, logprobs: unknown, parts: StreamPart[]): void {
    this.#reasoning(delta, parts)
    const { content, refusal } = delta
    if (typeof content === 'string' && (content !== '' || hasLogprobs(logprobs)))
      this.#text('text', content, logprobs, parts)
    else if (Array.isArray(content)) this.#chunks(content, parts)
    if (typeof refusal === 'string' && refusal !== '') this.#text('refusal', refusal, logprobs, parts)
    if (typeof delta['tool_calls'] === 'object') this.#toolCallsIn(delta['tool_calls'], parts)
    if (isObject(delta['function_call'])) this.#toolCalls().pushLegacy(delta['function_call'], parts)
    for (const field in delta) {
      if (!knownFields.has(field)) this.#raw(field, delta[field], parts)
    }
  }

  /** Whether the same delta, if it were repeated, would only be another piece of this block. */
  repeats(block: number): boolean {
    return this.#open?.block === block
      ? this.#open.signature === undefined
      : this.#calls?.readsArguments === false
  }

  finish(rawReason: string, parts: StreamPart[]): void {
    if (this.finished) return
    this.finished = true
    this.#closeText(parts)
    this.#calls?.end(parts)
    for (const { block } of this.#raws?.values() ?? [])
      parts.push({ type: 'block-end', choice: this.choice, block })
    parts.push({ type: 'finish', choice: this.choice, reason: parseFinishReason(rawReason), rawReason })
  }

  #toolCallsIn(value: unknown, parts: StreamPart[]): void {
    const calls = callsOf(value)
    if (calls.length > 0) this.#toolCalls().push(calls, parts)
  }

  #toolCalls(): ToolCallDecoder {
    this.#calls ??= new ToolCallDecoder(this.choice, (parts) => {
      this.#closeText(parts)
      return this.#blocks++
    })
    return this.#calls
  }

  /** OpenRouter sends the same text twice: plain, and in details, which have its proof as well. */
  #reasoning(delta: ChatDelta, parts: StreamPart[]): void {
    const details = delta['reasoning_details']
    const detailed = Array.isArray(details) ? (details as (ReasoningDetail | null)[]) : undefined
    const hasText = detailed?.some((detail) => detailText(detail) !== '') === true
    const plain = delta['reasoning_content'] ?? delta['reasoning']
    if (!hasText && typeof plain === 'string' && plain !== '')
      this.#text('reasoning', plain, undefined, parts)
    for (const detail of detailed ?? []) {
      if (detail !== null) this.#reasoningDetail(detail, parts)
    }
  }

  #reasoningDetail(detail: ReasoningDetail, parts: StreamPart[]): void {
    const { type, data, signature } = detail
    if (type === 'reasoning.encrypted' && typeof data === 'string') {
      this.#start('reasoning', parts, headOf(detail))
      this.#closeText(parts, data)
      return
    }
    if (type !== 'reasoning.text' && type !== 'reasoning.summary') {
      this.#raw('reasoning_details', [detail], parts)
      return
    }
    const text = detailText(detail)
    const signed = typeof signature === 'string' && signature !== ''
    if (text === '' && !signed) return
    const key = `${type} ${detail.index ?? ''}`
    const open = this.#open
    const goesOn = open?.kind === 'reasoning' && (open.detail ?? key) === key && open.signature === undefined
    const { block } = goesOn ? open : this.#start('reasoning', parts, headOf(detail), key)
    if (text !== '') parts.push({ type: 'block-delta', choice: this.choice, block, text })
    if (signed) this.#open!.signature = signature
  }

  /**
   * Content as a list of chunks, from Mistral's reasoning models:
   * https://docs.mistral.ai/capabilities/reasoning.
   */
  #chunks(chunks: readonly unknown[], parts: StreamPart[]): void {
    for (const chunk of chunks) {
      if (typeof chunk === 'string') this.#text('text', chunk, undefined, parts)
      if (!isObject(chunk)) continue
      const { type, text } = chunk
      if (type === 'text' && typeof text === 'string') this.#text('text', text, undefined, parts)
      else if (type === 'thinking') this.#thinking(chunk, parts)
      else this.#raw(typeof type === 'string' ? type : 'content', [chunk], parts)
    }
  }

  #thinking(chunk: Record<string, unknown>, parts: StreamPart[]): void {
    const { thinking, signature, closed } = chunk
    const pieces: unknown[] = Array.isArray(thinking) ? thinking : [{ type: 'text', text: thinking }]
    for (const piece of pieces) {
      if (!isObject(piece)) continue
      if (piece['type'] === 'text' && typeof piece['text'] === 'string')
        this.#text('reasoning', piece['text'], undefined, parts)
      else this.#raw(typeof piece['type'] === 'string' ? piece['type'] : 'thinking', [piece], parts)
    }
    if (this.#open?.kind !== 'reasoning') return
    if (typeof signature === 'string' && signature !== '') this.#open.signature = signature
    if (closed === true) this.#closeText(parts)
  }

  #text(kind: BlockKind, text: string, logprobs: unknown, parts: StreamPart[]): void {
    if (text === '' && !hasLogprobs(logprobs)) return
    const { block } = this.#open?.kind === kind ? this.#open : this.#start(kind, parts)
    if (hasLogprobs(logprobs)) parts.push({ type: 'block-delta', choice: this.choice, block, text, logprobs })
    else parts.push({ type: 'block-delta', choice: this.choice, block, text })
  }

  #start(kind: BlockKind, parts: StreamPart[], reasoning?: ReasoningHead, detail?: string): OpenText {
    this.#closeText(parts)
    const block = this.#blocks++
    this.#open = { kind, block, detail, signature: undefined }
    const head = reasoning === undefined ? {} : { reasoning }
    parts.push({ type: 'block-start', choice: this.choice, block, kind, ...head })
    return this.#open
  }

  /**
   * A field without an equivalent here, such as `annotations` or `audio`, kept unchanged in one block. It
   * does not end the text beside it: Groq repeats with each piece of reasoning on which `channel` it is.
   */
  #raw(name: string, value: unknown, parts: StreamPart[]): void {
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return
    this.#raws ??= new Map()
    let raw = this.#raws.get(name)
    if (raw === undefined) {
      raw = { block: this.#blocks++, last: undefined }
      this.#raws.set(name, raw)
      parts.push({ type: 'block-start', choice: this.choice, block: raw.block, kind: 'raw', name })
    } else if (raw.last === value && !isText(value)) return
    raw.last = value
    parts.push({ type: 'block-delta', choice: this.choice, block: raw.block, text: '', value })
  }

  #closeText(parts: StreamPart[], encrypted?: string): void {
    if (this.#open === undefined) return
    const { block, signature } = this.#open
    parts.push({
      type: 'block-end',
      choice: this.choice,
      block,
      ...(signature === undefined ? {} : { signature }),
      ...(encrypted === undefined ? {} : { encrypted }),
    })
    this.#open = undefined
  }
}

function detailText(detail: ReasoningDetail | null): string {
  return detail?.text ?? detail?.summary ?? ''
}

function headOf({ format, id }: ReasoningDetail): ReasoningHead {
  return {
    ...(typeof format === 'string' ? { format } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  }
}

function hasLogprobs(logprobs: unknown): boolean {
  return logprobs !== null && logprobs !== undefined
}

/** Several words, or a piece of such text: not a label that is repeated unchanged. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value.includes(' ')
}
