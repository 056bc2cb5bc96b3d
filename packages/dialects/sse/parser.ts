import { isAscii } from 'node:buffer'

/**
 * A push parser for server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 * Input and output are latin1, one character per byte. A cut inside a UTF-8 character needs no special case,
 * and bytes that nothing changes stay the same. `utf8` returns the characters.
 */
export interface SseListener {
  /** Called for each event with data. `event` is its type, `''` if none was sent. */
  onEvent(data: string, event: string): void
}

/** Larger events are refused. The largest that vendors send, a base64 image, is well below. */
const maxEventBytes = 32 * 1024 * 1024

export class SseOverflow extends Error {
  override readonly name = 'SseOverflow'
}

export class SseParser {
  readonly #listener: SseListener
  readonly #between: '\n' | ' '
  #rest = ''
  #data = ''
  #hasData = false
  #event = ''
  /** Lines of JSON in the stream without a field name. */
  #bare = ''
  /** The text ends in a CR, which may be the first half of a CRLF. */
  #endsInReturn = false
  #started = false
  #plain = true

  /**
   * @param between joins the data lines of an event. White space between them means nothing in JSON, and a
   * blank keeps an event that passes through on one line
   */
  constructor(listener: SseListener, between: '\n' | ' ' = '\n') {
    this.#listener = listener
    this.#between = between
  }

  /** True if the current event is known to be ASCII, as most are, so that latin1 and UTF-8 are the same. */
  get plain(): boolean {
    return this.#plain
  }

  /** @throws {SseOverflow} an event is too large */
  pushBytes(chunk: Buffer): void {
    const pending = this.#rest !== '' || this.#hasData || this.#bare !== ''
    this.#plain = (this.#plain || !pending) && isAscii(chunk)
    this.push(chunk.toString('latin1'))
  }

  /** @throws {SseOverflow} an event is too large */
  push(latin1: string): void {
    if (this.#goesOn(latin1)) this.#rest += latin1
    else this.#linesOf(this.#rest === '' ? latin1 : this.#rest + latin1)
    if (this.#rest.length + this.#data.length + this.#bare.length > maxEventBytes)
      throw new SseOverflow('an event is too large')
  }

  /** Handles text that continues an unfinished line, without searching the earlier text again. */
  #goesOn(latin1: string): boolean {
    if (this.#rest === '' || !this.#started || this.#endsInReturn) return false
    return !latin1.includes('\n') && !latin1.includes('\r')
  }

  #linesOf(received: string): void {
    let text = received
    if (!this.#started) {
      if (text.length < 3 && '\xef\xbb\xbf'.startsWith(text)) {
        this.#rest = text
        return
      }
      this.#started = true
      if (text.startsWith('\xef\xbb\xbf')) text = text.slice(3)
    }
    if (endsInReturns(text)) text = withLineFeeds(text)
    this.#rest = text.slice(this.#lines(text))
    this.#endsInReturn = this.#rest.endsWith('\r')
  }

  /**
   * Returns whether the stream ended within an event. An event whose lines are complete is delivered, though
   * the standard drops it: some senders omit the blank line after their last event, `[DONE]`, or even its
   * line end.
   */
  end(): { truncated: boolean } {
    if (this.#endsInReturn || this.#rest === 'data: [DONE]') this.push('\n')
    if (this.#bare !== '' || this.#rest.startsWith('{')) {
      this.#bare += this.#rest
      this.#rest = ''
    }
    const truncated = this.#rest.trim() !== '' || this.#hasData
    if (this.#rest === '') this.#dispatch()
    return { truncated }
  }

  /** Handles each complete line. Returns where the first unfinished line begins. */
  #lines(text: string): number {
    let start = 0
    for (;;) {
      const end = text.indexOf('\n', start)
      if (end === -1) return start
      const lineEnd = end > start && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
      if (lineEnd === start) this.#dispatch()
      else this.#field(text, start, lineEnd)
      start = end + 1
    }
  }

  #field(text: string, start: number, end: number): void {
    if (text.startsWith('data:', start)) {
      const value = text.slice(text.charCodeAt(start + 5) === 32 ? start + 6 : start + 5, end)
      this.#data = this.#hasData ? this.#data + this.#between + value : value
      this.#hasData = true
    } else if (text.startsWith('event:', start)) {
      this.#event = text.slice(text.charCodeAt(start + 6) === 32 ? start + 7 : start + 6, end)
    } else if (this.#bare !== '' || text.startsWith('{', start)) {
      // Google and Ollama write an error into a stream without a field name. The standard would drop it as
      // unknown fields (vercel/ai#5217), and the answer before it would seem complete.
      this.#bare += text.slice(start, end) + this.#between
    }
    // Comments, `id`, `retry` and unknown fields are not used.
  }

  #dispatch(): void {
    const data = this.#data
    const event = this.#event
    const hasData = this.#hasData
    const bare = this.#bare
    this.#data = ''
    this.#event = ''
    this.#hasData = false
    this.#bare = ''
    if (hasData) this.#listener.onEvent(data, event)
    if (bare !== '') this.#listener.onEvent(bare, '')
  }
}

const carriageReturn = 13

/** Whether a line ends in a CR alone. A CR at the very end waits, since an LF may follow. */
function endsInReturns(text: string): boolean {
  for (let at = text.indexOf('\r'); at !== -1 && at < text.length - 1; at = text.indexOf('\r', at + 1))
    if (text.charCodeAt(at + 1) !== 10) return true
  return false
}

/** Converts CRLF and lone CR to LF, except for a CR at the very end. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n|\r(?=[^\n])/g, '\n')
}

// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** Decodes a latin1 text that holds UTF-8 bytes. */
export function utf8(latin1: string): string {
  return ascii.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8')
}

/** Encodes a text as a latin1 text that holds its UTF-8 bytes. */
export function asBytes(text: string): string {
  return ascii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** Copies a latin1 text: a slice would keep the whole text that it was cut from in memory. */
export function ownText(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('latin1')
}
