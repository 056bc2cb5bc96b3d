import type { BlockDelta, StreamPart } from '@turnpike/protocol'
import { parseJson } from '../json/parse-json.ts'
import { placeOf, valueAt, type ValuePath } from '../json/value-place.ts'
import { ownText, utf8 } from '../sse/parser.ts'

/** What may differ between the text events of a stream. Everything else in them is the same. */
export interface Varying {
  /** Where the text may be. If it is in several of these places, it is the same in each. */
  texts: readonly ValuePath[]
  /** Other values that may differ, such as a sequence number or padding: a number, a string or an object. */
  others: readonly ValuePath[]
}

/** A parsed event. */
export interface ParsedEvent {
  /** Latin1. */
  data: string
  /** Its type, `''` if none was sent. */
  event: string
  body: unknown
}

type Kind = 'string' | 'number' | 'object'

interface Slot {
  kind: Kind
  isText: boolean
  /** For a value that is not the text: its index in `Varying.others`. */
  other: number
  /** The characters between the previous value and this one, including a string's opening quote. */
  before: string
}

interface Form {
  event: string
  slots: readonly Slot[]
  /** The characters after the last value. */
  after: string
  /** Only brackets follow. Some vendors pad them with blanks; here they are stored without. */
  closes: boolean
  choice: number
  block: number
}

/** A longer event holds more than a text, and its form would be kept for as long as the stream is open. */
const longestEvent = 16 * 1024
/** What learning a form costs, in events read by a form: it takes about as long as reading this many. */
const learningCosts = 16
/** How many forms may be learnt before any event is read by one. */
const creditAtFirst = 8 * learningCosts

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const zero = 0x30
const nine = 0x39
/** In JSON strings these are escapes or invalid. */
// oxlint-disable-next-line no-control-regex
const unreadable = /[\\\x00-\x1f]/
const brackets = /^"[\]} ]*$/
const blanks = / /g

/**
 * Reads text events without parsing them. Nearly all events of a stream hold a piece of text and differ only
 * in that text. Once one was parsed, the others are recognized by the characters around the text. For
 * decoders that would decode the same event a second time as another piece of the same block.
 */
export class TextForm {
  #form: Form | undefined
  /** Runs out for streams whose events keep changing their form, which makes learning not worthwhile. */
  #credit = creditAtFirst
  /** Where the text ends in the event that was read or learnt last. */
  textEnd = 0
  /** Start and end of the other values in it; `-1` for a missing one. */
  #places: number[] = []

  /**
   * @param data latin1
   * @param plain true if it is known to be ASCII
   * @returns undefined if the event must be parsed
   */
  readFast(data: string, event: string, plain: boolean): BlockDelta | undefined {
    const form = this.#form
    if (form === undefined || form.event !== event) return undefined
    let at = 0
    let pieceText = ''
    for (const { kind, isText, other, before } of form.slots) {
      const start = at + before.length
      // Comparing slices is much faster than `startsWith`, which checks each character.
      if (data.slice(at, start) !== before) return undefined
      at = kind === 'object' ? objectEnd(data, start, form.after) : valueEnd(data, start, kind)
      if (at === -1) return undefined
      if (isText) {
        const text = data.slice(start, at)
        if (text === '' || (pieceText !== '' && pieceText !== text)) return undefined
        pieceText = text
        this.textEnd = at
      } else {
        // The value passes unchanged, and no client could read an event that is not JSON.
        if (kind === 'string' && textOf(data.slice(start, at)) === undefined) return undefined
        this.#places[2 * other] = start
        this.#places[2 * other + 1] = at
      }
    }
    if (!ends(data.slice(at), form)) return undefined
    const text = textOf(plain ? pieceText : utf8(pieceText))
    if (text === undefined) return undefined
    this.#credit++
    return { type: 'block-delta', choice: form.choice, block: form.block, text }
  }

  /**
   * One of the other values of the event that was read last, as JSON; a string comes without its quotes.
   * Undefined if it is missing.
   * @param data the event, latin1
   */
  other(index: number, data: string): string | undefined {
    const start = this.#places[2 * index]!
    return start === -1 ? undefined : data.slice(start, this.#places[2 * index + 1])
  }

  /** Learns from a parsed event. Forget the form first: the event may change what later ones mean. */
  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[], varying: Varying): void {
    this.#form = undefined
    const [part] = parts
    if (part?.type !== 'block-delta' || parts.length > 1 || this.#credit < learningCosts) return
    if (part.logprobs !== undefined || part.value !== undefined || part.text === '') return
    if (parsedEvent.data.length > longestEvent) return
    const { others } = varying
    const texts = varying.texts.filter((path) => valueAt(parsedEvent.body, path) === part.text)
    if (texts.length === 0) return
    this.#credit -= learningCosts
    const places = placesOf(Buffer.from(parsedEvent.data, 'latin1'), { texts, others })
    if (places === undefined) return
    this.#form = formOf(parsedEvent, places, part)
    this.#places = others.flatMap(() => [-1, -1])
    this.textEnd = places.findLast(({ isText }) => isText)!.end
  }

  forget(): void {
    this.#form = undefined
  }
}

interface Place extends Omit<Slot, 'before'> {
  start: number
  end: number
}

function formOf({ data, event }: ParsedEvent, places: readonly Place[], { choice, block }: BlockDelta): Form {
  let end = 0
  const slots = places.map(({ start, end: next, ...slot }) => {
    const before = ownText(data.slice(end, start))
    end = next
    return { ...slot, before }
  })
  const after = ownText(data.slice(end))
  const closes = brackets.test(after)
  return {
    event: ownText(event),
    slots,
    after: closes ? after.replace(blanks, '') : after,
    closes,
    choice,
    block,
  }
}

/** In the order in which they occur; undefined if an event could not be read by them. */
function placesOf(json: Buffer, { texts, others }: Varying): Place[] | undefined {
  const places: Place[] = []
  for (const path of texts) {
    const place = slotAt(json, path)
    if (place?.kind !== 'string') return undefined
    places.push({ ...place, isText: true, other: -1 })
  }
  for (const [other, path] of others.entries()) {
    const place = slotAt(json, path)
    if (place !== undefined) places.push({ ...place, isText: false, other })
  }
  places.sort((one, another) => one.start - another.start)
  // An object's end is found by what follows it, so only the last value may be one.
  return places.slice(0, -1).some(({ kind }) => kind === 'object') ? undefined : places
}

function slotAt(json: Buffer, path: ValuePath): { kind: Kind; start: number; end: number } | undefined {
  const place = placeOf(json, path)
  if (place === undefined) return undefined
  const { start, end } = place
  const first = String.fromCharCode(json[start]!)
  if (first === '"') return { kind: 'string', start: start + 1, end: end - 1 }
  if (first === '{') return { kind: 'object', start, end }
  return /^\d+$/.test(json.toString('latin1', start, end)) ? { kind: 'number', start, end } : undefined
}

/** One past the value's last character; -1 if there is no value. */
function valueEnd(data: string, start: number, kind: Exclude<Kind, 'object'>): number {
  if (kind === 'number') {
    let at = start
    while (isDigit(data.charCodeAt(at))) at++
    return at === start || (at > start + 1 && data.charCodeAt(start) === zero) ? -1 : at
  }
  for (let at = start; ; at++) {
    at = data.indexOf('"', at)
    if (at === -1 || data.charCodeAt(at - 1) !== backslash) return at
    let slashes = 1
    while (at - slashes > start && data.charCodeAt(at - slashes - 1) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

/** The end of an object that is the last value and stands alone. -1 if there is none. */
function objectEnd(data: string, start: number, after: string): number {
  const end = data.length - after.length
  if (data.charCodeAt(start) !== openBrace) return -1
  let depth = 0
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (code === quote) {
      // Braces inside names or texts do not count.
      at = valueEnd(data, at + 1, 'string')
      if (at === -1) return -1
    } else if (code === openBrace) depth++
    else if (code === closeBrace && --depth === 0) return at === end - 1 ? end : -1
  }
  return -1
}

function ends(rest: string, { after, closes }: Form): boolean {
  return rest === after || (closes && brackets.test(rest) && rest.replace(blanks, '') === after)
}

/** Undefined if it is not JSON. The decoder then reports the error. */
function textOf(json: string): string | undefined {
  return unreadable.test(json) ? (parseJson(`"${json}"`) as string | undefined) : json
}
