import { isAscii } from 'node:buffer'
import { exceptionMark, EventStreamParser } from '../../event-stream/parser.ts'
import { parseObject } from '../../json/object.ts'
import type { EventParser } from '../../sse/event-parser.ts'
import { asBytes, utf8, type SseListener } from '../../sse/parser.ts'
import { awsException } from '../../vendor-errors/aws-errors.ts'
import { asRefusal, hasIntervened, platformMark, withoutPlatform } from './answer.ts'
import { formatError } from './errors.ts'

/** How an event of Messages begins: its type is what its clients dispatch by. */
const typeAtStart = /^\s*\{\s*"type"\s*:\s*"([a-z_]{1,64})"/

/** An event, and how it is told. */
interface Held {
  event: string
  name: string
  plain: boolean
}

/**
 * Anthropic's events within AWS's frames: each frame holds one, as the base64 of its JSON. They are told as
 * server-sent events are, on one line each and by their type. The one that says why the answer ended waits
 * for the one behind it, which may be where AWS says that a guardrail held the answer back.
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
      // What came before a frame that is broken has been said.
      this.#tellEnding()
      throw error
    }
  }

  end(): { truncated: boolean } {
    this.#tellEnding()
    return this.#frames.end()
  }

  #onFrame(data: string, type: string): void {
    if (type.startsWith(exceptionMark)) {
      this.#tellEnding()
      const error = awsException(type.slice(exceptionMark.length), parseObject(data))
      this.#plain = false
      return this.#listener.onEvent(asBytes(JSON.stringify(formatError(error))), 'error')
    }
    // Events that came after this was written hold nothing of Anthropic's.
    if (type !== 'chunk') return
    const bytes = Buffer.from(base64In(data), 'base64')
    this.#onEvent(this.#withoutPlatform(onOneLine(bytes.toString('latin1'))), isAscii(bytes))
  }

  #onEvent(event: string, plain: boolean): void {
    const name = typeAtStart.exec(event)?.[1] ?? typeWithin(event)
    this.#tellEnding()
    if (name === 'message_delta') this.#ending = { event, name, plain }
    else this.#tell({ event, name, plain })
  }

  #tellEnding(): void {
    const ending = this.#ending
    if (ending === undefined) return
    this.#ending = undefined
    const { event, name, plain } = ending
    const body = this.#isHeldBack ? parseObject(utf8(event)) : undefined
    if (body === undefined) return this.#tell({ event, name, plain })
    this.#tell({ event: asBytes(JSON.stringify(asRefusal(body))), name, plain })
  }

  #tell({ event, name, plain }: Held): void {
    this.#plain = plain
    this.#listener.onEvent(event, name)
  }

  #withoutPlatform(event: string): string {
    // Of a text that speaks of it, too: then there is no such member.
    if (!event.includes(platformMark)) return event
    const body = parseObject(utf8(event))
    if (body === undefined) return event
    this.#isHeldBack ||= hasIntervened(body)
    const told = withoutPlatform(body)
    return told === body ? event : asBytes(JSON.stringify(told))
  }
}

/** Of an event whose first member is another one; empty where it is none. */
function typeWithin(event: string): string {
  const type = parseObject(event)?.['type']
  return typeof type === 'string' && /^[a-z_]{1,64}$/.test(type) ? type : ''
}

/** The member `bytes` of a frame's payload; where it is not there, the event cannot be read. */
function base64In(payload: string): string {
  const bytes = parseObject(payload)?.['bytes']
  return typeof bytes === 'string' ? bytes : ''
}

/** Line ends stand between the members of JSON alone, where a blank says as much. */
function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json
}
