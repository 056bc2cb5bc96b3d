import { GatewayError, totalInputTokens, totalOutputTokens, type StreamPart } from '@turnpike/protocol'
import { describeAnswer, describeUnreadable } from '../../answers/unreadable.ts'
import { TextForm, type ParsedEvent } from '../../answers/text-form.ts'
import { exceptionMark } from '../../event-stream/parser.ts'
import { isObject } from '../../json/object.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'
import { awsException } from '../../vendor-errors/aws-errors.ts'
import type { StreamDecoder } from '../../vendor.ts'
import { isFailure, parseStopReason } from '../finish-reason.ts'
import { BlockDecoder } from './block-decoder.ts'
import { parseUsage } from './usage.ts'

type Body = Record<string, unknown>

/** What differs between pieces of one block. Each event is padded by a text of random length (`p`). */
const varying = {
  texts: [
    ['delta', 'text'],
    ['delta', 'reasoningContent', 'text'],
    ['delta', 'toolUse', 'input'],
  ],
  others: [['p']],
} as const

/**
 * Decodes the events of `ConverseStream`, whose types are outside of their data.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
 */
export class ConverseDecoder implements StreamDecoder {
  #state: 'waiting' | 'open' | 'finished' | 'failed' = 'waiting'
  #blocks = 0
  /** Tokens of the reported usage; below zero if none was reported. */
  #counted = -1
  #isCut = false
  #answeredInJson = false
  #calledTools = false
  readonly #open = new Map<unknown, BlockDecoder>()
  readonly #texts = new TextForm()

  readFast(data: string, event: string, plain: boolean): StreamPart[] | undefined {
    const delta = this.#texts.readFast(data, event, plain)
    return delta === undefined ? undefined : [delta]
  }

  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void {
    const [part] = parts
    if (!isTextAlone(parsedEvent.body)) return
    // Arguments may stay blank to the end, which is only known if all of them were parsed.
    if (part?.type === 'block-delta' && part.text.trim() !== '')
      this.#texts.learn(parsedEvent, parts, varying)
  }

  push(body: unknown, event: string): StreamPart[] {
    this.#texts.forget()
    if (this.#state === 'failed') return []
    if (event.startsWith(exceptionMark)) {
      this.#state = 'failed'
      return [{ type: 'error', error: awsException(event.slice(exceptionMark.length), body) }]
    }
    if (!isObject(body)) return this.#fail('The upstream sent an unreadable event.', describeAnswer(body))
    const parts: StreamPart[] = []
    switch (event) {
      case 'messageStart':
        return this.#start()
      case 'contentBlockStart':
        this.#blockStart(body['contentBlockIndex'], body['start'], parts)
        break
      case 'contentBlockDelta':
        if (isObject(body['delta'])) this.#blockDelta(body['contentBlockIndex'], body['delta'], parts)
        break
      case 'contentBlockStop':
        this.#blockStop(body['contentBlockIndex'], parts)
        break
      case 'messageStop':
        return this.#stop(body['stopReason'])
      case 'metadata':
        this.#count(body, parts)
        break
      // Unknown events have nothing that a caller needs.
    }
    return parts
  }

  pushText(data: string): StreamPart[] {
    this.#texts.forget()
    if (this.#state === 'failed') return []
    return this.#fail('The upstream sent an unreadable event.', `not JSON: ${describeUnreadable(data)}`)
  }

  /** From now on, only what arrived earlier can prove that the answer is complete. */
  markCut(): void {
    this.#isCut = true
  }

  end(broken = false): StreamPart[] {
    if (this.#state === 'failed') return []
    // The usage follows the finish. Without it, a stream whose connection broke may be incomplete.
    const isWhole = this.#state === 'finished' && (this.#counted >= 0 || (!broken && !this.#isCut))
    return isWhole ? [] : this.#fail('The upstream ended its answer before it was complete.')
  }

  /** Decodes a whole answer: all that a stream sends piece by piece. */
  pushWhole(answer: Body): StreamPart[] {
    const message = isObject(answer['output']) ? answer['output']['message'] : undefined
    if (!isObject(message) || !Array.isArray(message['content']))
      return this.#fail('The upstream did not return a message.', describeAnswer(answer))
    const parts = this.#start()
    for (const block of message['content'] as unknown[]) {
      if (!isObject(block)) continue
      this.#noteCall(block['toolUse'])
      new BlockDecoder(() => this.#blocks++).whole(block, parts)
    }
    this.#count(answer, parts)
    return [...parts, ...this.#stop(answer['stopReason']), ...this.end()]
  }

  #start(): StreamPart[] {
    if (this.#state !== 'waiting')
      return this.#fail('The upstream mixed two answers in one stream.', 'a second messageStart')
    this.#state = 'open'
    return [{ type: 'response-start', id: undefined, model: undefined, created: undefined, extensions: {} }]
  }

  #blockStart(index: unknown, start: unknown, parts: StreamPart[]): void {
    if (this.#state !== 'open') return
    // A second start ends the earlier block, which had no end event.
    this.#blockStop(index, parts)
    const block = new BlockDecoder(() => this.#blocks++)
    this.#open.set(index, block)
    if (!isObject(start)) return
    this.#noteCall(start['toolUse'])
    block.start(start, parts)
  }

  #noteCall(call: unknown): void {
    if (!isObject(call)) return
    if (call['name'] === answerToolName) this.#answeredInJson = true
    else this.#calledTools = true
  }

  #blockDelta(index: unknown, delta: Body, parts: StreamPart[]): void {
    if (this.#state !== 'open') return
    // Texts and reasoning have no start event.
    if (!this.#open.has(index)) this.#blockStart(index, undefined, parts)
    this.#open.get(index)!.delta(delta, parts)
  }

  #blockStop(index: unknown, parts: StreamPart[]): void {
    this.#open.get(index)?.stop(parts)
    this.#open.delete(index)
  }

  #stop(rawReason: unknown): StreamPart[] {
    if (this.#state !== 'open') return []
    if (typeof rawReason !== 'string')
      return this.#fail('The upstream sent an unreadable event.', 'no stopReason')
    if (isFailure(rawReason))
      return this.#fail('The model produced an answer that cannot be read.', `stopReason ${rawReason}`)
    const parts: StreamPart[] = []
    for (const index of this.#open.keys()) this.#blockStop(index, parts)
    // The tool for a JSON answer is not the caller's: if it is the only one called, the answer just ended.
    const answered = rawReason === 'tool_use' && this.#answeredInJson && !this.#calledTools
    const reason = answered ? 'stop' : parseStopReason(rawReason)
    parts.push({ type: 'finish', choice: 0, reason, rawReason })
    this.#state = 'finished'
    return parts
  }

  #count(answer: Body, parts: StreamPart[]): void {
    const usage = parseUsage(answer['usage'], answer)
    if (usage === undefined) return
    // An answer has one usage. A second one with lower counts does not replace it.
    const tokens = totalInputTokens(usage) + totalOutputTokens(usage)
    if (tokens < this.#counted) return
    this.#counted = tokens
    parts.push({ type: 'usage', usage })
  }

  #fail(message: string, detail?: string): StreamPart[] {
    this.#state = 'failed'
    const options = detail === undefined ? {} : { detail }
    return [{ type: 'error', error: new GatewayError('upstream_error', message, options) }]
  }
}

/** Whether a piece has only a text. Other members would be lost if only the text were read. */
function isTextAlone(body: unknown): boolean {
  const delta = isObject(body) ? body['delta'] : undefined
  if (!isObject(delta)) return false
  const [value, ...others] = Object.values(delta)
  return others.length === 0 && (!isObject(value) || Object.keys(value).length === 1)
}
