import { isAscii } from 'node:buffer'
import { exceptionMark, EventStreamParser } from '../../event-stream/parser.ts'
import { parsedObject } from '../../json/object.ts'
import type { EventParser } from '../../sse/event-parser.ts'
import { asBytes, type SseListener } from '../../sse/parser.ts'
import { awsException } from '../../vendor-errors/aws-errors.ts'
import { formatError } from './errors.ts'

/** How an event of Messages begins: its type is what its clients dispatch by. */
const typeAtStart = /^\s*\{\s*"type"\s*:\s*"([a-z_]{1,64})"/

/**
 * Anthropic's events within AWS's frames: each frame holds one, as the base64 of its JSON. They are told as
 * server-sent events are, on one line each and by their type.
 */
export class InvokeEvents implements EventParser {
  readonly #frames: EventStreamParser
  readonly #listener: SseListener
  #plain = true

  constructor(listener: SseListener) {
    this.#listener = listener
    this.#frames = new EventStreamParser({ onEvent: (data, type) => this.#onFrame(data, type) })
  }

  get plain(): boolean {
    return this.#plain
  }

  /** @throws {Error} as `EventStreamParser` */
  pushBytes(chunk: Buffer): void {
    this.#frames.pushBytes(chunk)
  }

  end(): { truncated: boolean } {
    return this.#frames.end()
  }

  #onFrame(data: string, type: string): void {
    if (type.startsWith(exceptionMark)) {
      const error = awsException(type.slice(exceptionMark.length), parsedObject(data))
      this.#plain = false
      return this.#listener.onEvent(asBytes(JSON.stringify(formatError(error))), 'error')
    }
    // Events that came after this was written hold nothing of Anthropic's.
    if (type !== 'chunk') return
    const bytes = Buffer.from(base64In(data), 'base64')
    this.#plain = isAscii(bytes)
    const event = onOneLine(bytes.toString('latin1'))
    const name = typeAtStart.exec(event)?.[1] ?? ''
    this.#listener.onEvent(name === 'message_stop' ? withoutMetrics(event) : event, name)
  }
}

/** The member `bytes` of a frame's payload; where it is not there, the event cannot be read. */
function base64In(payload: string): string {
  const bytes = parsedObject(payload)?.['bytes']
  return typeof bytes === 'string' ? bytes : ''
}

const metrics = 'amazon-bedrock-invocationMetrics'

/** What AWS measured is no part of Anthropic's event, and its counts are in the usage already. */
function withoutMetrics(event: string): string {
  if (!event.includes(metrics)) return event
  const { [metrics]: _measured, ...said } = parsedObject(event) ?? {}
  return JSON.stringify(said)
}

/** Line ends stand between the members of JSON alone, where a blank says as much. */
function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json
}
