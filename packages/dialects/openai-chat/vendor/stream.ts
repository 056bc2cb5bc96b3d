import { GatewayError, totalOutputTokens, type StreamPart } from '@turnpike/protocol'
import { memberOf, tierNamed } from '../../answers/paid-services.ts'
import { TextForm, type ParsedEvent } from '../../answers/text-form.ts'
import { describeUnreadable } from '../../answers/unreadable.ts'
import { maxChoices } from '../../requests/output-bounds.ts'
import type { StreamDecoder } from '../../vendor.ts'
import { rawFinishReason } from '../finish-reason.ts'
import { ChoiceDecoder, type ChatDelta } from './choice-decoder.ts'
import { errorInAnswer, errorOfFinish } from './errors.ts'
import { parseUsage } from './usage.ts'

/** Fields of a chunk that are decoded below, or that only pad it: `obfuscation`, Mistral's `p`. */
const knownFields = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'error',
  'obfuscation',
  'p',
])

const noChoices: readonly ChoiceDecoder[] = []
/** How many preamble chunks an answer may begin with. Azure sends one. */
const mostPreambles = 8

const choice = ['choices', 0] as const
/** What differs between chunks with pieces of one text. OpenRouter sends the same reasoning twice. */
const varying = {
  texts: [
    [...choice, 'delta', 'content'],
    [...choice, 'delta', 'reasoning_content'],
    [...choice, 'delta', 'reasoning'],
    [...choice, 'delta', 'reasoning_details', 0, 'text'],
    [...choice, 'delta', 'refusal'],
    [...choice, 'delta', 'tool_calls', 0, 'function', 'arguments'],
    [...choice, 'delta', 'tool_calls', 0, 'custom', 'input'],
    [...choice, 'text'],
  ],
  others: [['obfuscation'], ['p']],
} as const

interface ChatChoice {
  index?: unknown
  delta?: ChatDelta | null
  message?: ChatDelta | null
  /** The text from a server that answers as in the older completions. */
  text?: unknown
  logprobs?: unknown
  finish_reason?: unknown
  usage?: unknown
  error?: unknown
}

/**
 * Decodes chunks of a streamed answer
 * (https://platform.openai.com/docs/api-reference/chat-streaming/streaming), one object per request.
 */
export class ChatDecoder implements StreamDecoder {
  /** The members of preamble chunks at the beginning of the answer. */
  #preamble: Record<string, unknown> | undefined
  #preambles = 0
  #started = false
  #done = false
  #failed = false
  #usage = false
  /** The latest count of output tokens. */
  #outputTold = 0
  #cut = false
  /** The vendor's service tier, as last reported. */
  #tier: string | undefined
  #choices: readonly ChoiceDecoder[] = noChoices
  readonly #mostChoices: number
  readonly #texts = new TextForm()

  constructor(mostChoices = maxChoices) {
    this.#mostChoices = mostChoices
  }

  readFast(data: string, event: string, plain: boolean): StreamPart[] | undefined {
    const delta = this.#texts.readFast(data, event, plain)
    return delta === undefined ? undefined : [delta]
  }

  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void {
    const [part] = parts
    if (part?.type !== 'block-delta') return
    const decoder = this.#choices.find((one) => one.choice === part.choice)
    if (decoder?.repeats(part.block) === true) this.#texts.learn(parsedEvent, parts, varying)
  }

  push(chunk: unknown, event = ''): StreamPart[] {
    this.#texts.forget()
    if (this.#failed) return []
    const error = errorInAnswer(chunk, event)
    if (error !== undefined) return this.#fail(error, [])
    if (typeof chunk !== 'object' || chunk === null) return []
    return this.#chunk(chunk as Record<string, unknown>)
  }

  /** Decodes `[DONE]`, or an event that is not JSON, after which the answer cannot be trusted. */
  pushText(data: string): StreamPart[] {
    this.#texts.forget()
    if (data.trim() === '[DONE]') this.#done = true
    if (this.#failed || this.#done || data.trim() === '') return []
    const detail = `not a JSON object: ${describeUnreadable(data)}`
    const error = new GatewayError('upstream_error', 'The upstream sent an unreadable event.', { detail })
    return this.#fail(error, [])
  }

  /** The last event was cut, so only the end marker can still prove that the answer is complete. */
  markCut(): void {
    this.#cut = true
  }

  end(broken = false): StreamPart[] {
    if (this.#failed || this.#isFinished(broken)) return []
    const message = 'The upstream ended its answer before it was complete.'
    return this.#fail(new GatewayError('upstream_error', message), [])
  }

  #fail(error: GatewayError, parts: StreamPart[]): StreamPart[] {
    this.#failed = true
    parts.push({ type: 'error', error })
    return parts
  }

  /** Some servers close after the finish, without usage or end marker. A broken connection is an error. */
  #isFinished(broken: boolean): boolean {
    if (this.#choices.length === 0 || !this.#choices.every(({ finished }) => finished)) return false
    return this.#done || (!this.#cut && (this.#usage || !broken))
  }

  #chunk(body: Record<string, unknown>): StreamPart[] {
    const parts: StreamPart[] = []
    const choices = Array.isArray(body['choices']) ? (body['choices'] as (ChatChoice | null)[]) : []
    this.#tier = tierNamed(body['service_tier']) ?? this.#tier
    if (!this.#started && !this.#start(body, choices, parts)) return parts
    let broken: GatewayError | undefined
    for (let at = 0; at < choices.length; at++) {
      const error = this.#choice(choices[at] ?? {}, at, parts)
      broken ??= error
    }
    const usage = body['usage'] ?? usageElsewhere(body, choices)
    if (usage !== null && usage !== undefined) this.#countUsage(usage, parts)
    broken ??= groqError(body['x_groq'])
    return broken === undefined ? parts : this.#fail(broken, parts)
  }

  /**
   * Emits the head, once. Azure begins with a chunk that contains its filter's result for the prompt and has
   * no id or model, so the head waits for those.
   */
  #start(body: Record<string, unknown>, choices: readonly unknown[], parts: StreamPart[]): boolean {
    const preamble = choices.length === 0 && (body['usage'] ?? null) === null && !body['id']
    if (preamble) {
      if (++this.#preambles > mostPreambles) return false
      this.#preamble = { ...this.#preamble, ...body }
      return false
    }
    this.#started = true
    parts.push(responseStart(this.#preamble === undefined ? body : { ...this.#preamble, ...body }))
    return true
  }

  /** Decodes a choice. Returns the error with which it ended, if it did. */
  #choice(choice: ChatChoice, position: number, parts: StreamPart[]): GatewayError | undefined {
    const index = typeof choice.index === 'number' ? choice.index : position
    const decoder = this.#choices.find((one) => one.choice === index) ?? this.#begin(index)
    if (decoder === undefined) return tooManyChoices(this.#mostChoices)
    const delta = choice.delta ?? choice.message ?? deltaOfText(choice.text)
    if (delta !== null && delta !== undefined) decoder.delta(delta, choice.logprobs, parts)
    const reason = rawFinishReason(choice.finish_reason)
    // OpenRouter puts its provider's error into the choice, with or without a finish.
    const choiceError = choice.error ? errorInAnswer({ error: choice.error }) : undefined
    const error = choiceError ?? (reason === '' ? undefined : errorOfFinish(reason))
    if (error === undefined && reason !== '') decoder.finish(reason, parts)
    return error
  }

  #begin(index: number): ChoiceDecoder | undefined {
    if (this.#choices.length >= this.#mostChoices) return undefined
    const decoder = new ChoiceDecoder(index)
    // Most answers have a single choice. `push` would reserve room for 16 more elements.
    this.#choices = this.#choices.length === 0 ? [decoder] : this.#choices.concat(decoder)
    return decoder
  }

  #countUsage(raw: unknown, parts: StreamPart[]): void {
    const usage = parseUsage(raw)
    if (usage === undefined) return
    const output = totalOutputTokens(usage)
    // Counts within a stream only grow, so a later zero has no information.
    if (output === 0 && this.#outputTold > 0 && usage.disbelieved === undefined) return
    this.#outputTold = output
    this.#usage = true
    const tier = tierNamed(memberOf(raw, 'service_tier')) ?? this.#tier
    if (tier !== undefined) usage.serviceTier = tier
    parts.push({ type: 'usage', usage })
  }
}

function tooManyChoices(most: number): GatewayError {
  const detail = `more than ${most} choices`
  return new GatewayError('upstream_error', 'The upstream sent an unreadable event.', { detail })
}

function deltaOfText(text: unknown): ChatDelta | undefined {
  return typeof text === 'string' ? { content: text } : undefined
}

/** Groq sends a stream's usage in a field of its own, Moonshot in the choice that ends. */
function usageElsewhere(body: Record<string, unknown>, choices: readonly (ChatChoice | null)[]): unknown {
  const groq = body['x_groq']
  if (typeof groq === 'object' && groq !== null && 'usage' in groq) return groq.usage
  return choices[0]?.usage
}

/** Groq reports there why it stopped a stream early (its SDK's `ChatCompletionChunk.XGroq.error`). */
function groqError(groq: unknown): GatewayError | undefined {
  if (typeof groq !== 'object' || groq === null || !('error' in groq)) return undefined
  return errorInAnswer({ error: groq.error })
}

function responseStart(body: Record<string, unknown>): StreamPart {
  const extensions: Record<string, unknown> = {}
  for (const field in body) {
    if (!knownFields.has(field) && body[field] !== null) extensions[field] = body[field]
  }
  const { id, model, created } = body
  return {
    type: 'response-start',
    id: typeof id === 'string' && id !== '' ? id : undefined,
    model: typeof model === 'string' && model !== '' ? model : undefined,
    created: typeof created === 'number' && created > 0 ? created : undefined,
    extensions,
  }
}
