import type { BlockDelta, StreamPart } from '@turnpike/protocol'
import { parseJson } from '../json/parse-json.ts'
import { placeOf, valueAt, type ValuePath } from '../json/value-place.ts'
import { ownText, utf8 } from '../sse/parser.ts'

/** What may differ between the events of one text; all else in them is the same. */
export interface Varying {
  /** Where the text may stand. Where it stands in several of these places, it is the same in each. */
  texts: readonly ValuePath[]
  /** What tells nothing of the text, as its number or what pads it: a number, a string or an object. */
  others: readonly ValuePath[]
}

/** An event that was parsed. */
export interface ParsedEvent {
  /** Latin1. */
  data: string
  /** Its type, `''` where the sender gave none. */
  event: string
  body: unknown
}

type Kind = 'string' | 'number' | 'object'

interface Slot {
  kind: Kind
  isText: boolean
  /** Of another value: which of those that may differ it is. */
  other: number
  /** From the end of the value before it up to its own value; of a string with its quotation mark. */
  before: string
}

interface Form {
  event: string
  slots: readonly Slot[]
  /** Behind the last value. */
  after: string
  /** Nothing follows but brackets, which some vendors pad with blanks: here they stand without. */
  closes: boolean
  choice: number
  block: number
}

/** A longer event says more than a text, and its form would be kept as long as the stream is open. */
const longestEvent = 16 * 1024
/** What learning a form costs, in events that are read by one: it takes about as long. */
const learningCosts = 16
/** So many forms are learnt though nothing was read by them. */
const creditAtFirst = 8 * learningCosts

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const zero = 0x30
const nine = 0x39
/** In JSON these stand for something else, or are none. */
// oxlint-disable-next-line no-control-regex
const unreadable = /[\\\x00-\x1f]/
const brackets = /^"[\]} ]*$/
const blanks = / /g

/**
 * Nearly all events of a stream say a piece of text, and differ from each other in that alone: once one was
 * understood, the others are read by what stands around the text, without making objects of them. For
 * decoders that would take the same event a second time for a further piece of the same block.
 */
export class TextForm {
  #form: Form | undefined
  /** Streams whose events change their form again and again are not worth it. */
  #credit = creditAtFirst
  /** Where the text ends in the event that was read last, or learnt from. */
  textEnd = 0
  /** Where the other values start and end in it; `-1` for one that is not there. */
  #places: number[] = []

  /**
   * @param data latin1
   * @param plain true where it is ASCII for sure
   * @returns undefined where the event has to be understood first
   */
  readFast(data: string, event: string, plain: boolean): BlockDelta | undefined {
    const form = this.#form
    if (form === undefined || form.event !== event) return undefined
    let at = 0
    let said = ''
    for (const { kind, isText, other, before } of form.slots) {
      const start = at + before.length
      // Slices are compared much faster than `startsWith` looks at each character.
      if (data.slice(at, start) !== before) return undefined
      at = kind === 'object' ? objectEnd(data, start, form.after) : valueEnd(data, start, kind)
      if (at === -1) return undefined
      if (isText) {
        const text = data.slice(start, at)
        if (text === '' || (said !== '' && said !== text)) return undefined
        said = text
        this.textEnd = at
      } else {
        // It passes as it is, and no client could read an event that is no JSON.
        if (kind === 'string' && textOf(data.slice(start, at)) === undefined) return undefined
        this.#places[2 * other] = start
        this.#places[2 * other + 1] = at
      }
    }
    if (!ends(data.slice(at), form)) return undefined
    const text = textOf(plain ? said : utf8(said))
    if (text === undefined) return undefined
    this.#credit++
    return { type: 'block-delta', choice: form.choice, block: form.block, text }
  }

  /**
   * Of the event that was read last, one of its other values: as JSON, a string without its marks.
   * Undefined where it is not there.
   * @param data the event, latin1
   */
  other(index: number, data: string): string | undefined {
    const start = this.#places[2 * index]!
    return start === -1 ? undefined : data.slice(start, this.#places[2 * index + 1])
  }

  /**
   * Learns from an event that was understood. Before each such event the form is to be forgotten: it may
   * change what those behind it mean.
   */
  learn(said: ParsedEvent, parts: readonly StreamPart[], varying: Varying): void {
    this.#form = undefined
    const [part] = parts
    if (part?.type !== 'block-delta' || parts.length > 1 || this.#credit < learningCosts) return
    if (part.logprobs !== undefined || part.value !== undefined || part.text === '') return
    if (said.data.length > longestEvent) return
    const { others } = varying
    const texts = varying.texts.filter((path) => valueAt(said.body, path) === part.text)
    if (texts.length === 0) return
    this.#credit -= learningCosts
    const places = placesOf(Buffer.from(said.data, 'latin1'), { texts, others })
    if (places === undefined) return
    this.#form = formOf(said, places, part)
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

/** In the order in which they stand; undefined where an event could not be read by them. */
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
  // Where an object ends is known by what follows it, up to the event's own end.
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

/** One past the value's last character; -1 where there is none. */
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

/** Of an object that is the last value: one, and nothing else. -1 where there is none. */
function objectEnd(data: string, start: number, after: string): number {
  const end = data.length - after.length
  if (data.charCodeAt(start) !== openBrace) return -1
  let depth = 0
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (code === quote) {
      // Braces in a name or a text are none.
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

/** Undefined where it is no JSON: the decoder says what that means. */
function textOf(json: string): string | undefined {
  return unreadable.test(json) ? (parseJson(`"${json}"`) as string | undefined) : json
}
