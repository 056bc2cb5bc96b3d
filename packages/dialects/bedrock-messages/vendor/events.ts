import { isAscii } from 'node:buffer'
import { exceptionMark, EventStreamParser } from '../../event-stream/parser.ts'
import { parseObject } from '../../json/object.ts'
import type { EventParser } from '../../sse/event-parser.ts'
import { asBytes, utf8, type SseListener } from '../../sse/parser.ts'
import { awsException } from '../../vendor-errors/aws-errors.ts'
import { asRefusal, hasIntervened, platformMark, withoutPlatform } from './answer.ts'
import { formatError } from './errors.ts'

/** The beginning of a Messages event. Its clients dispatch by the type. */
const typeAtStart = /^\s*\{\s*"type"\s*:\s*"([a-z_]{1,64})"/

/** An event that waits for the next one. */
interface Held {
  event: string
  name: string
  plain: boolean
}

/**
 * Reads Anthropic's events from AWS's frames. Each frame contains one, as the base64 of its JSON. They are
 * delivered like server-sent events, each on one line and with its type. The event with the stop reason waits
 * for the next one, since AWS may report there that a guardrail blocked the answer.
 */
export class InvokeEvents implements EventParser {
  readonly #frames: EventStreamParser
  readonly #listener: SseListener
  #plain = true
  #ending: Held | undefined
  #isHeldBack = false

  constructor(listener: SseListener) {
    this.#listener = listener
    this.#frames = new EventStreamParser({ onEvent: (data, type) => this.#onFrame(data, type) })
  }

  get plain(): boolean {
    return this.#plain
  }

  /** @throws {Error} as `EventStreamParser` */
  pushBytes(chunk: Buffer): void {
    try {
      this.#frames.pushBytes(chunk)
    } catch (error) {
      // Everything before a broken frame is delivered.
      this.#deliverEnding()
      throw error
    }
  }

  end(): { truncated: boolean } {
    this.#deliverEnding()
    return this.#frames.end()
  }

  #onFrame(data: string, type: string): void {
    if (type.startsWith(exceptionMark)) {
      this.#deliverEnding()
      const error = awsException(type.slice(exceptionMark.length), parseObject(data))
      this.#plain = false
      return this.#listener.onEvent(asBytes(JSON.stringify(formatError(error))), 'error')
    }
    // Unknown events contain none of Anthropic's.
    if (type !== 'chunk') return
    const bytes = Buffer.from(base64In(data), 'base64')
    this.#onEvent(this.#withoutPlatform(onOneLine(bytes.toString('latin1'))), isAscii(bytes))
  }

  #onEvent(event: string, plain: boolean): void {
    const name = typeAtStart.exec(event)?.[1] ?? typeWithin(event)
    this.#deliverEnding()
    if (name === 'message_delta') this.#ending = { event, name, plain }
    else this.#deliver({ event, name, plain })
  }

  #deliverEnding(): void {
    const ending = this.#ending
    if (ending === undefined) return
    this.#ending = undefined
    const { event, name, plain } = ending
    const body = this.#isHeldBack ? parseObject(utf8(event)) : undefined
    if (body === undefined) return this.#deliver({ event, name, plain })
    this.#deliver({ event: asBytes(JSON.stringify(asRefusal(body))), name, plain })
  }

  #deliver({ event, name, plain }: Held): void {
    this.#plain = plain
    this.#listener.onEvent(event, name)
  }

  #withoutPlatform(event: string): string {
    // True also for a text that contains it; parsing then finds no such member.
    if (!event.includes(platformMark)) return event
    const body = parseObject(utf8(event))
    if (body === undefined) return event
    this.#isHeldBack ||= hasIntervened(body)
    const ownBody = withoutPlatform(body)
    return ownBody === body ? event : asBytes(JSON.stringify(ownBody))
  }
}

/** The type of an event whose first member is another one. Empty if it has none. */
function typeWithin(event: string): string {
  const type = parseObject(event)?.['type']
  return typeof type === 'string' && /^[a-z_]{1,64}$/.test(type) ? type : ''
}

/** The member `bytes` of a frame's payload. Without it, the event cannot be read. */
function base64In(payload: string): string {
  const bytes = parseObject(payload)?.['bytes']
  return typeof bytes === 'string' ? bytes : ''
}

/** Line ends occur only between the members of JSON, where a blank means the same. */
function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json
}
