import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import { isError } from '../../answers/error-part.ts'
import { isObject } from '../../json/object.ts'
import { patchUsage } from '../../answers/patch-usage.ts'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { withMembers } from '../../json/members.ts'
import { parseJson } from '../../json/parse-json.ts'
import { scanObject } from '../../json/scan.ts'
import { asBytes, SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import { failureOf } from '../caller/errors.ts'
import { event as ownEvent } from '../caller/events/event.ts'
import { type Members } from '../../requests/fields/typed-members.ts'
import { responseOf } from '../caller/response/response.ts'
import { ResponsesDecoder } from '../vendor/stream.ts'
import { formatUsage } from '../caller/usage.ts'
import { changesOf, lastChanges } from './answer.ts'
import { frameEvent } from '../../sse/frame.ts'

/** An event with the whole response, as the vendor sent it. */
interface ResponseEvent {
  event: string
  data: string
  body: Members
}

/**
 * Passes a streamed answer from OpenAI's Responses to itself. Events pass unchanged, except for those with
 * the response object. There our model and id replace the vendor's, and the last one also has the usage and
 * the cost, which are known once the answer is settled.
 */
export class ResponsesStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #parser = new SseParser(this, ' ')
  readonly #decoder = new ResponsesDecoder()
  #begun = false
  /** Items that have ended, by their index, if the answer is to be kept. */
  readonly #items = new Map<unknown, unknown>()
  /** The sequence number for an event of ours after those that were passed on. */
  #next = 0
  /** The event that ends the answer, which waits until the cost is known. */
  #last: ResponseEvent | undefined
  /** What follows the end or an error is not part of an answer. */
  #over = false

  constructor(head: BridgeHead, listener: BridgeListener) {
    this.#head = head
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    this.#parser.pushBytes(chunk)
  }

  end(): void {
    this.#parser.end()
    const parts = this.#decoder.end()
    if (parts.length > 0) this.#listener.onEvent(parts, '')
  }

  onEvent(data: string, event: string): void {
    if (this.#over) return
    const read = this.#decoder.readFast(data, event, this.#parser.plain)
    if (read !== undefined) {
      this.#next = (this.#decoder.numberOf(data) ?? this.#next) + 1
      return this.#listener.onEvent(read, frameEvent(event, data))
    }
    const body = parseJson(this.#parser.plain ? data : utf8(data))
    if (!isObject(body)) return this.#unreadable(data)
    const parts = this.#decoder.push(body, event)
    this.#decoder.learn({ data, event, body }, parts)
    // An error is written in our own form, once the answer is settled.
    this.#over = parts.some(isError)
    this.#emit(parts, this.#over ? '' : this.#passEvent({ event, data, body }))
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const last = this.#last
    if (last === undefined) {
      const response = responseOf(this.#head, 'completed', {})
      return ownEvent({ type: 'response.completed', response }, this.#next)
    }
    const response = this.#whole(last.body['response'] as Members)
    const patchedUsage =
      usage === undefined ? undefined : patchUsage(response['usage'], usage, cost, formatUsage)
    return frameEvent(last.event, patchEvent(last, lastChanges(response, this.#head, patchedUsage)))
  }

  failing(error: GatewayError): string {
    const response = responseOf(this.#head, 'failed', { error: failureOf(error) })
    return ownEvent({ type: 'response.failed', response }, this.#next)
  }

  /** Handles an event that is not JSON: the decoder decides what it means. */
  #unreadable(data: string): void {
    const parts = this.#decoder.pushText(utf8(data))
    this.#over = parts.some(isError)
    this.#emit(parts, '')
  }

  #emit(parts: readonly StreamPart[], text: string): void {
    if (parts.length > 0 || text !== '') this.#listener.onEvent(parts, text)
  }

  #passEvent(sent: ResponseEvent): string {
    const { event, data, body } = sent
    const type = body['type'] ?? event
    const { sequence_number: number, output_index: index, item } = body
    this.#next = typeof number === 'number' ? number + 1 : this.#next + 1
    if (type === 'response.output_item.done' && this.#head.keeper !== undefined) this.#items.set(index, item)
    if (type === 'response.completed' || type === 'response.incomplete') {
      this.#last = sent
      this.#over = true
      return ''
    }
    if (type === 'response.created') {
      // A second beginning would be a second answer for a client.
      if (this.#begun) return ''
      this.#begun = true
    }
    const { response } = body
    return frameEvent(event, isObject(response) ? patchEvent(sent, changesOf(response, this.#head)) : data)
  }

  /** Some final events repeat no items. The kept answer then has those from earlier events. */
  #whole(response: Members): Members {
    const { output } = response
    if (this.#items.size === 0 || (Array.isArray(output) && output.length > 0)) return response
    return { ...response, output: [...this.#items.values()] }
  }
}

/** The event with some members of its response changed, or removed if they are undefined. */
function patchEvent({ data, body }: ResponseEvent, changes: ReadonlyMap<string, unknown>): string {
  const bytes = Buffer.from(data, 'latin1')
  const [own, ...others] = scanObject(bytes).members.filter(({ key }) => key === 'response')
  // Of two members with the same name the last one was read, but a client may read the first one.
  if (own === undefined || others.length > 0) {
    const response = { ...(body['response'] as Members), ...Object.fromEntries(changes) }
    return asBytes(JSON.stringify({ ...body, response }))
  }
  const json = new Map(
    [...changes].map(([name, value]) => [name, value === undefined ? undefined : JSON.stringify(value)]),
  )
  const response = bytes.subarray(own.valueStart, own.end)
  const changed = withMembers(response, scanObject(response).members, json).toString('latin1')
  return data.slice(0, own.valueStart) + changed + data.slice(own.end)
}
