import { isAscii } from 'node:buffer'

/**
 * Server-sent events, pushed in as they arrive
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 *
 * Text goes in and out as latin1, one character a byte: a cut within a UTF-8 character is no special
 * case, and bytes that nobody changes stay what they were. `utf8` gives the characters.
 */
export interface SseListener {
  /** One event with data; `event` is its type, `''` where the sender gave none. */
  onEvent(data: string, event: string): void
}

/** Larger events are refused: a vendor's largest (an image in base64) is well below. */
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
  /** Lines of JSON that stand in the stream without a field's name. */
  #bare = ''
  /** What may be half of a line's end. */
  #endsInReturn = false
  #started = false
  #plain = true

  /**
   * @param between what stands between the lines of one event: of JSON it means nothing, and a blank leaves
   * an event that passes on one line
   */
  constructor(listener: SseListener, between: '\n' | ' ' = '\n') {
    this.#listener = listener
    this.#between = between
  }

  /** True where the event at hand is ASCII for sure, as most are: then latin1 and UTF-8 are the same. */
  get plain(): boolean {
    return this.#plain
  }

  /** @throws {SseOverflow} one event is larger than any vendor's */
  pushBytes(chunk: Buffer): void {
    const pending = this.#rest !== '' || this.#hasData || this.#bare !== ''
    this.#plain = (this.#plain || !pending) && isAscii(chunk)
    this.push(chunk.toString('latin1'))
  }

  /** @throws {SseOverflow} one event is larger than any vendor's */
  push(latin1: string): void {
    if (this.#goesOn(latin1)) this.#rest += latin1
    else this.#linesOf(this.#rest === '' ? latin1 : this.#rest + latin1)
    if (this.#rest.length + this.#data.length + this.#bare.length > maxEventBytes)
      throw new SseOverflow('an event is too large')
  }

  /** More of a line that is not at its end: what came of it before need not be searched again. */
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
   * Tells whether the stream ended within an event. An event whose lines are whole is given all the same,
   * though the standard drops it: some senders leave out the blank line behind their last one, `[DONE]`, or
   * even its line end.
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

  /** Handles each whole line; answers where the first unfinished one begins. */
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
      // Google and Ollama put an error into a stream as it is, which the standard would drop as unknown
      // fields (vercel/ai#5217): dropped, the answer before it would seem to be whole.
      this.#bare += text.slice(start, end) + this.#between
    }
    // Comments, `id`, `retry` and unknown fields carry nothing for us.
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

/** Whether a line ends in a CR alone. One at the very end waits, since an LF may follow. */
function endsInReturns(text: string): boolean {
  for (let at = text.indexOf('\r'); at !== -1 && at < text.length - 1; at = text.indexOf('\r', at + 1))
    if (text.charCodeAt(at + 1) !== 10) return true
  return false
}

/** CRLF and lone CR become LF, but for a CR at the very end. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n|\r(?=[^\n])/g, '\n')
}

// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** The characters of a latin1 text that holds UTF-8 bytes. */
export function utf8(latin1: string): string {
  return ascii.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8')
}

/** The latin1 text that holds these characters as UTF-8 bytes. */
export function asBytes(text: string): string {
  return ascii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** The same latin1 text on its own: a slice keeps all that it was cut from, for as long as it is kept. */
export function ownText(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('latin1')
}
