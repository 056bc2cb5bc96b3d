import type { GatewayError, Usage } from '@turnpike/protocol'
import { isError } from '../../answers/error-part.ts'
import { parseObject } from '../../json/object.ts'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { patchUsage } from '../../answers/patch-usage.ts'
import { withoutMoney } from '../../answers/withheld-members.ts'
import { withMembers } from '../../json/members.ts'
import { scanObject } from '../../json/scan.ts'
import type { EventParser, OpenEvents } from '../../sse/event-parser.ts'
import { asBytes, SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import { formatError } from '../caller/errors.ts'
import { formatUsage, usageAtStart } from '../caller/usage.ts'
import { MessagesDecoder } from '../vendor/stream.ts'
import { frameEvent } from '../../sse/frame.ts'

type Json = Record<string, unknown>

/**
 * Passes a streamed answer from Anthropic's format to itself. Events pass unchanged, except for the model's
 * name, and for the final usage, which is sent once the answer is settled.
 */
export class MessagesStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #parser: EventParser
  readonly #decoder = new MessagesDecoder()
  #begun = false
  /** What follows the end of an answer is not part of it. */
  #over = false
  /** The event with the stop reason, which waits until the cost is known. */
  #last: string | undefined
  /** The vendor's own last event. */
  #stop = '{"type":"message_stop"}'

  /** @param events absent: the events are server-sent */
  constructor(head: BridgeHead, listener: BridgeListener, events?: OpenEvents) {
    this.#head = head
    this.#listener = listener
    this.#parser = events?.(this) ?? new SseParser(this, ' ')
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
    if (read !== undefined) return this.#listener.onEvent(read, frameEvent(event, data))
    const body = parseObject(this.#parser.plain ? data : utf8(data))
    if (body === undefined) return this.#listener.onEvent(this.#decoder.pushText(utf8(data)), '')
    const parts = this.#decoder.push(body, event)
    this.#decoder.learn({ data, event, body }, parts)
    // An error is written in our own form, once the answer is settled.
    const output = parts.some(isError) ? '' : this.#passEvent(data, event, body)
    if (parts.length > 0 || output !== '') this.#listener.onEvent(parts, output)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const last = this.#last === undefined ? undefined : addCost(this.#last, usage, cost)
    const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } }
    const counted = usage === undefined ? usageAtStart : formatUsage(usage, cost)
    const data = last ?? asBytes(JSON.stringify({ ...delta, usage: counted }))
    return frameEvent('message_delta', data) + frameEvent('message_stop', this.#stop)
  }

  failing(error: GatewayError, requestId: string): string {
    return frameEvent('error', asBytes(JSON.stringify(formatError(error, requestId))))
  }

  #passEvent(data: string, event: string, body: Json): string {
    switch (body['type'] ?? event) {
      case 'message_start':
        // A second message start would begin a second answer for a client.
        if (this.#begun) return ''
        this.#begun = true
        return frameEvent(event, withModel(withoutCosts(data, body), body, this.#head.model))
      case 'message_delta': {
        const reason = (body['delta'] as Json | null | undefined)?.['stop_reason'] ?? null
        if (reason === null) return frameEvent(event, data)
        this.#last = withoutCosts(data, body)
        return ''
      }
      case 'message_stop':
        this.#over = true
        this.#stop = withoutCosts(data, body)
        return ''
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
        // Events after the stop reason are not part of the answer, and are not counted.
        return this.#last === undefined ? frameEvent(event, data) : ''
      default:
        return frameEvent(event, data)
    }
  }
}

function withModel(data: string, { message }: Json, ours: string): string {
  const asWritten = `"model":${JSON.stringify((message as Json | undefined)?.['model'])}`
  const at = data.indexOf(asWritten)
  const model = asBytes(`"model":${JSON.stringify(ours)}`)
  if (at !== -1) return data.slice(0, at) + model + data.slice(at + asWritten.length)
  const patched = parseObject(utf8(data)) ?? {}
  return asBytes(JSON.stringify({ ...patched, message: { ...(patched['message'] as Json), model: ours } }))
}

/** An event about the whole answer, without the vendor's price, which only concerns the operator. */
function withoutCosts(data: string, { delta, ...beside }: Json): string {
  const visible = withoutMoney(beside) as Json
  if (visible === beside) return data
  return asBytes(JSON.stringify(delta === undefined ? visible : { ...visible, delta }))
}

/** The last event, with the usage and the cost of the answer. */
function addCost(data: string, usage: Usage | undefined, cost: Cost): string {
  if (usage === undefined) return data
  const patched = patchUsage(parseObject(utf8(data))?.['usage'], usage, cost, formatUsage)
  const json = Buffer.from(data, 'latin1')
  const { members } = scanObject(json)
  const usages = members.filter(({ key }) => key === 'usage')
  const [own] = usages
  if (own !== undefined && usages.length === 1)
    return data.slice(0, own.valueStart) + asBytes(JSON.stringify(patched)) + data.slice(own.end)
  return withMembers(json, members, new Map([['usage', JSON.stringify(patched)]])).toString('latin1')
}
