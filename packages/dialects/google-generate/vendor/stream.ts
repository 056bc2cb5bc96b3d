import { randomBytes } from 'node:crypto'
import { GatewayError, type StreamPart, type UsagePart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { setSearches } from '../../answers/paid-services.ts'
import { maxChoices } from '../../requests/output-bounds.ts'
import { TextForm, type ParsedEvent } from '../../answers/text-form.ts'
import { describeUnreadable } from '../../answers/unreadable.ts'
import type { StreamDecoder } from '../../vendor.ts'
import { CandidateDecoder, type Candidate } from './candidate-decoder.ts'
import { errorInAnswer } from './errors.ts'
import { LaterUsage } from './later-usage.ts'
import { countedTextVaries, isTextAlone, textVaries } from './text-alone.ts'
import { parseUsage, searchesOf } from './usage.ts'

const counted = /"promptTokenCount" ?: ?\d/

/** Fields of an answer that are decoded below. */
const knownFields = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId', 'createTime'])

/**
 * Decodes the events of a streamed answer, one object per request. Each event is a `GenerateContentResponse`
 * (https://ai.google.dev/api/generate-content#generatecontentresponse) with what is new.
 */
export class GenerateDecoder implements StreamDecoder {
  #failed = false
  #started = false
  #place = ''
  /** Why Google blocked the prompt, in which case there are no candidates. */
  #blockReason: string | undefined
  #counted: UsagePart | undefined
  /** Web searches for the answer, which the usage does not include. */
  #searches = 0
  readonly #candidates = new Map<number, CandidateDecoder>()
  readonly #texts = new TextForm()

  /** Where the text ends in the data that was read or learnt last. */
  get textEnd(): number {
    return this.#texts.textEnd
  }

  readFast(data: string, event: string, plain: boolean): StreamPart[] | undefined {
    const delta = this.#texts.readFast(data, event, plain)
    if (delta === undefined) return undefined
    const usage = this.#texts.other(0, data)
    if (usage === undefined) return [delta]
    // If it has no counts yet, the earlier ones stay valid.
    if (!counted.test(usage)) return undefined
    this.#counted = new LaterUsage(usage, this.#searches)
    return [this.#counted, delta]
  }

  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void {
    const deltas = parts.filter(({ type }) => type !== 'usage')
    const varying = deltas.length < parts.length ? countedTextVaries : textVaries
    if (isTextAlone(parsedEvent.body)) this.#texts.learn(parsedEvent, deltas, varying)
  }

  /** A list of answers, as in streams without `alt=sse`, is decoded one by one. */
  push(body: unknown): StreamPart[] {
    this.#texts.forget()
    const parts: StreamPart[] = []
    for (const answer of Array.isArray(body) ? (body as unknown[]) : [body]) {
      if (this.#failed) break
      if (isObject(answer)) this.#answer(answer, parts)
      else this.#fail(unreadable(JSON.stringify(answer ?? null)), parts)
    }
    return parts
  }

  pushText(data: string): StreamPart[] {
    this.#texts.forget()
    const parts: StreamPart[] = []
    // Google's own streams end without a marker; compatible servers may send OpenAI's.
    if (!this.#failed && data.trim() !== '[DONE]') this.#fail(unreadable(data), parts)
    return parts
  }

  end(): StreamPart[] {
    const parts: StreamPart[] = []
    if (this.#failed) return parts
    const candidates = [...this.#candidates.values()]
    const complete = candidates.length > 0 && candidates.every(({ finished }) => finished)
    if (complete || this.#blockReason !== undefined) this.#finish(parts)
    else {
      const message = 'The upstream ended its answer before it was complete.'
      this.#fail(new GatewayError('upstream_error', message), parts)
    }
    return parts
  }

  /** A whole answer is always complete. One without candidates was blocked. */
  endWhole(): StreamPart[] {
    const parts: StreamPart[] = []
    if (this.#failed) return parts
    this.#blockReason ??= 'NO_CANDIDATES'
    this.#finish(parts)
    return parts
  }

  #finish(parts: StreamPart[]): void {
    for (const candidate of this.#candidates.values()) candidate.end(parts)
    if (this.#candidates.size > 0) return
    const rawReason = this.#blockReason ?? ''
    parts.push({ type: 'finish', choice: 0, reason: 'content-filter', rawReason })
  }

  #answer(body: Record<string, unknown>, parts: StreamPart[]): void {
    const error = errorInAnswer(body)
    if (error !== undefined) return this.#fail(error, parts)
    if (!this.#started) this.#start(body, parts)
    this.#countUsage(body, parts)
    const feedback = body['promptFeedback']
    if (isObject(feedback) && hasReason(feedback['blockReason'])) {
      this.#blockReason = String(feedback['blockReason'])
    }
    const candidates = body['candidates']
    if (!Array.isArray(candidates)) return
    for (let at = 0; at < candidates.length; at++) {
      if (isObject(candidates[at]))
        this.#candidate(candidates[at] as Candidate, at).push(candidates[at], parts)
    }
    if (this.#candidates.size > maxChoices) this.#fail(tooManyCandidates(), parts)
  }

  #countUsage(body: Record<string, unknown>, parts: StreamPart[]): void {
    const searches = Math.max(this.#searches, searchesOf(body['candidates']))
    const before = searches > this.#searches ? this.#counted?.usage : undefined
    const usage = parseUsage(body['usageMetadata']) ?? before
    this.#searches = searches
    if (usage === undefined) return
    if (searches > 0) setSearches(usage, searches)
    this.#counted = { type: 'usage', usage }
    parts.push(this.#counted)
  }

  /** The first candidate has no index, since zeros are omitted. */
  #candidate(candidate: Candidate, position: number): CandidateDecoder {
    const index = typeof candidate['index'] === 'number' ? candidate['index'] : position
    let decoder = this.#candidates.get(index)
    if (decoder === undefined) {
      decoder = new CandidateDecoder(index, `${this.#place}_${index}`)
      this.#candidates.set(index, decoder)
    }
    return decoder
  }

  #start(body: Record<string, unknown>, parts: StreamPart[]): void {
    this.#started = true
    const { responseId, modelVersion, createTime } = body
    const id = textOf(responseId)
    this.#place = id ?? randomBytes(12).toString('hex')
    const extensions: Record<string, unknown> = {}
    for (const field in body) {
      if (!knownFields.has(field) && body[field] !== null) extensions[field] = body[field]
    }
    const createdMs = typeof createTime === 'string' ? Date.parse(createTime) : Number.NaN
    const created = Number.isNaN(createdMs) ? undefined : Math.floor(createdMs / 1000)
    parts.push({ type: 'response-start', id, model: textOf(modelVersion), created, extensions })
  }

  #fail(error: GatewayError, parts: StreamPart[]): void {
    this.#failed = true
    parts.push({ type: 'error', error })
  }
}

function hasReason(reason: unknown): boolean {
  return (typeof reason === 'string' && reason !== '') || typeof reason === 'number'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function tooManyCandidates(): GatewayError {
  const detail = `more than ${maxChoices} candidates`
  return new GatewayError('upstream_error', 'The upstream sent an unreadable event.', { detail })
}

function unreadable(data: string): GatewayError {
  const detail = `not a JSON object: ${describeUnreadable(data)}`
  return new GatewayError('upstream_error', 'The upstream sent an unreadable event.', { detail })
}
