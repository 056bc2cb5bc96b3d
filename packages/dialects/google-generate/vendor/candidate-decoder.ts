import type { BlockKind, ReasoningHead, StreamPart } from '@turnpike/protocol'
import { isObject, stringOrEmpty } from '../../json/object.ts'
import { thoughtFormat } from '../thought-format.ts'
import { parseFinishReason } from './finish-reason.ts'
import { parseLogprobs } from './logprobs.ts'
import { PartialArguments } from './partial-arguments.ts'
import { formatToolCallId } from '../tool-call-id.ts'

export type Candidate = Record<string, unknown>
type Part = Record<string, unknown>

/** Fields of a candidate that are decoded below, or (`tokenCount`) included in the usage. */
const knownFields = new Set(['content', 'finishReason', 'index', 'logprobsResult', 'tokenCount'])
/** Fields of a part that say how to read it, not what it is. */
const partMarks = new Set(['thought', 'thoughtSignature', 'partMetadata', 'mediaResolution', 'videoMetadata'])

/** Decodes one candidate, event by event. Parts have no ends, so a block ends when another begins. */
export class CandidateDecoder {
  readonly #choice: number
  readonly #place: string
  #blocks = 0
  #open: { kind: BlockKind; block: number } | undefined
  #calls = 0
  /** A call whose arguments Vertex sends value by value. */
  #partial: PartialArguments | undefined
  #rawReason: string | undefined
  /** Members beside the content, such as `groundingMetadata`: each event repeats all of them. */
  readonly #beside = new Map<string, unknown>()

  /** @param place unique to the candidate, for calls without an id */
  constructor(choice: number, place: string) {
    this.#choice = choice
    this.#place = place
  }

  get finished(): boolean {
    return this.#rawReason !== undefined
  }

  push(candidate: Candidate, parts: StreamPart[]): void {
    const content = partsOf(candidate['content'])
    const logprobs = parseLogprobs(candidate['logprobsResult'])
    const lastText = logprobs === undefined ? -1 : content.findLastIndex(isText)
    for (let at = 0; at < content.length; at++) {
      this.#part(content[at]!, at === lastText ? logprobs : undefined, parts)
    }
    if (logprobs !== undefined && lastText === -1) this.#text('', logprobs, parts)
    for (const field in candidate) {
      if (!knownFields.has(field) && saysSomething(candidate[field]))
        this.#beside.set(field, candidate[field])
    }
    const reason = candidate['finishReason']
    if (typeof reason === 'number' || (typeof reason === 'string' && reason !== '')) {
      this.#rawReason = String(reason)
    }
  }

  /** Emits the finish only now: some models send their reason with every event, or before their last one. */
  end(parts: StreamPart[]): void {
    this.#close(parts)
    for (const [field, value] of this.#beside) this.#raw(field, value, parts)
    const rawReason = this.#rawReason ?? 'FINISH_REASON_UNSPECIFIED'
    const reason = parseFinishReason(rawReason, this.#calls > 0)
    parts.push({ type: 'finish', choice: this.#choice, reason, rawReason })
  }

  #part(part: Part, logprobs: object | undefined, parts: StreamPart[]): void {
    const signature = typeof part['thoughtSignature'] === 'string' ? part['thoughtSignature'] : undefined
    const { functionCall, text } = part
    if (isObject(functionCall)) return this.#functionCall(functionCall, signature, parts)
    const name = Object.keys(part).find((field) => !partMarks.has(field) && part[field] !== null)
    if (name !== undefined && name !== 'text') return this.#raw(name, part, parts)
    if (part['thought'] === true) return this.#addThought(stringOrEmpty(text), signature, parts)
    if (stringOrEmpty(text) !== '' || logprobs !== undefined) this.#text(stringOrEmpty(text), logprobs, parts)
    if (signature !== undefined) this.#signature(signature, parts)
  }

  #text(text: string, logprobs: object | undefined, parts: StreamPart[]): void {
    const block = this.#openAs('text', parts)
    const delta = { type: 'block-delta', choice: this.#choice, block, text } as const
    parts.push(logprobs === undefined ? delta : { ...delta, logprobs })
  }

  #addThought(text: string, signature: string | undefined, parts: StreamPart[]): void {
    if (text === '' && signature === undefined) return
    const block = this.#openAs('reasoning', parts, { format: thoughtFormat })
    if (text !== '') parts.push({ type: 'block-delta', choice: this.#choice, block, text })
    if (signature === undefined) return
    parts.push({ type: 'block-end', choice: this.#choice, block, signature })
    this.#open = undefined
  }

  /** A signature of the preceding text. OpenAI's text has none, so it becomes an unreadable thought. */
  #signature(encrypted: string, parts: StreamPart[]): void {
    this.#close(parts)
    const block = this.#openAs('reasoning', parts, { format: thoughtFormat })
    parts.push({ type: 'block-end', choice: this.#choice, block, encrypted })
    this.#open = undefined
  }

  #functionCall(call: Part, thoughtSignature: string | undefined, parts: StreamPart[]): void {
    const { id, name, args } = call
    const continues = this.#partial !== undefined && typeof name !== 'string'
    // With an empty call Vertex says that the previous one is complete, which it may already be.
    if (!continues && name === undefined && args === undefined) return
    if (!continues) {
      this.#close(parts)
      const googleId = typeof id === 'string' && id !== '' ? id : undefined
      const place = `${this.#place}_${this.#calls++}`
      const toolCall = {
        id: formatToolCallId({ googleId, thoughtSignature }, place),
        name: typeof name === 'string' ? name : '',
        variant: 'function' as const,
      }
      const block = this.#blocks++
      this.#open = { kind: 'tool-call', block }
      parts.push({ type: 'block-start', choice: this.#choice, block, kind: 'tool-call', toolCall })
    }
    if (call['partialArgs'] !== undefined || call['willContinue'] === true) {
      this.#partial ??= new PartialArguments()
      this.#partial.push(call['partialArgs'])
    } else if (!continues) this.#arguments(JSON.stringify(args ?? {}), parts)
    if (call['willContinue'] !== true) this.#close(parts)
  }

  #arguments(text: string, parts: StreamPart[]): void {
    const { block } = this.#open!
    parts.push({ type: 'block-delta', choice: this.#choice, block, text })
  }

  /** A part or field without an equivalent here, kept unchanged. */
  #raw(name: string, value: unknown, parts: StreamPart[]): void {
    this.#close(parts)
    const block = this.#blocks++
    parts.push({ type: 'block-start', choice: this.#choice, block, kind: 'raw', name })
    parts.push({ type: 'block-delta', choice: this.#choice, block, text: '', value })
    parts.push({ type: 'block-end', choice: this.#choice, block })
  }

  #openAs(kind: BlockKind, parts: StreamPart[], reasoning?: ReasoningHead): number {
    if (this.#open?.kind === kind) return this.#open.block
    this.#close(parts)
    const block = this.#blocks++
    this.#open = { kind, block }
    const start = { type: 'block-start', choice: this.#choice, block, kind } as const
    parts.push(reasoning === undefined ? start : { ...start, reasoning })
    return block
  }

  #close(parts: StreamPart[]): void {
    if (this.#open === undefined) return
    if (this.#partial !== undefined) this.#arguments(this.#partial.text(), parts)
    this.#partial = undefined
    parts.push({ type: 'block-end', choice: this.#choice, block: this.#open.block })
    this.#open = undefined
  }
}

function partsOf(content: unknown): Part[] {
  const parts = isObject(content) ? content['parts'] : undefined
  return Array.isArray(parts) ? parts.filter(isObject) : []
}

function isText(part: Part): boolean {
  return typeof part['text'] === 'string' && part['thought'] !== true
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
