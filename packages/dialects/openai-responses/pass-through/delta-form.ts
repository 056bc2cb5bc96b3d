import type { BlockDelta, StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { parsed } from '../../json/parsed.ts'
import { ownText, utf8 } from '../../sse/parser.ts'
import { type Members } from '../../requests/said-members.ts'

/** What differs between the deltas of one text: each stands behind its key, and runs to the value's end. */
const slotKeys = ['"delta":"', '"sequence_number":', '"obfuscation":"'] as const
type SlotKey = (typeof slotKeys)[number]

interface Slot {
  key: SlotKey
  /** From the end of the value before it up to its own value. */
  before: string
}

interface Form {
  slots: Slot[]
  /** Behind the last value. */
  after: string
  block: number
}

/** A delta that is known to say a piece of text, and nothing else. */
export interface ReadDelta {
  part: BlockDelta
  sequenceNumber: number
}

const backslash = 0x5c
/** In JSON these stand for something else, or are none. */
// oxlint-disable-next-line no-control-regex
const unreadable = /[\\\x00-\x1f]/

/**
 * Nearly all events of an answer are deltas, which differ in their piece of text and their number alone: once
 * one was understood, the others are read by what stands around that, without making objects of them.
 */
export class DeltaForm {
  #form: Form | undefined

  /**
   * @param data an event, latin1
   * @param plain true where it is ASCII for sure
   * @returns undefined where it has to be understood first
   */
  read(data: string, plain: boolean): ReadDelta | undefined {
    if (this.#form === undefined) return undefined
    const { slots, after, block } = this.#form
    let at = 0
    let text = ''
    let sequenceNumber = 0
    for (const { key, before } of slots) {
      const start = at + before.length
      // Slices are compared much faster than `startsWith` looks at each character.
      if (data.slice(at, start) !== before) return undefined
      at = valueEnd(data, start, key)
      if (at < start || (at === start && key !== '"obfuscation":"')) return undefined
      if (key === '"delta":"') text = data.slice(start, at)
      else if (key === '"sequence_number":') sequenceNumber = Number(data.slice(start, at))
    }
    if (data.slice(at) !== after) return undefined
    const said = textOf(plain ? text : utf8(text))
    if (said === undefined) return undefined
    return { part: { type: 'block-delta', choice: 0, block, text: said }, sequenceNumber }
  }

  /** Learns from an event that was understood; what is no plain delta ends the text at hand. */
  learn(data: string, body: Members, parts: readonly StreamPart[]): void {
    this.#form = undefined
    const [part] = parts
    if (part?.type !== 'block-delta' || parts.length > 1 || part.logprobs !== undefined) return
    const form = formOf(data, part.block)
    if (form !== undefined && isForm(form, body)) this.#form = form
  }
}

/** Where these keys stand first; `isForm` finds out whether they are the event's own members. */
function formOf(data: string, block: number): Form | undefined {
  const found = slotKeys
    .map((key) => ({ key, at: data.indexOf(key) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at)
  const slots: Slot[] = []
  let end = 0
  for (const { key, at } of found) {
    const start = at + key.length
    if (at < end) return undefined
    slots.push({ key, before: ownText(data.slice(end, start)) })
    end = valueEnd(data, start, key)
    if (end === -1) return undefined
  }
  return { slots, after: ownText(data.slice(end)), block }
}

const otherValues: Record<SlotKey, string> = {
  '"delta":"': 'other',
  '"sequence_number":': '77777777',
  '"obfuscation":"': 'other',
}

/** True where other values in their places come out as the members of an event that is else the same. */
function isForm({ slots, after }: Form, body: Members): boolean {
  const other = parsed(utf8(slots.map(({ key, before }) => before + otherValues[key]).join('') + after))
  if (!isObject(other) || slots.every(({ key }) => key !== '"delta":"')) return false
  const expected: Members = { ...body, delta: 'other' }
  for (const { key } of slots) {
    if (key === '"sequence_number":') expected['sequence_number'] = 77_777_777
    if (key === '"obfuscation":"') expected['obfuscation'] = 'other'
  }
  const names = Object.keys(expected)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => JSON.stringify(other[name]) === JSON.stringify(expected[name]))
  )
}

/** One past the value's last character; -1 where it does not end. */
function valueEnd(data: string, start: number, key: SlotKey): number {
  if (key === '"sequence_number":') {
    let at = start
    while (isDigit(data.charCodeAt(at))) at++
    return at
  }
  for (let at = start; ; at++) {
    at = data.indexOf('"', at)
    if (at === -1) return -1
    let slashes = 0
    while (at - slashes > start && data.charCodeAt(at - slashes - 1) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Undefined where it is no JSON: the decoder says what that means. */
function textOf(json: string): string | undefined {
  return unreadable.test(json) ? (parsed(`"${json}"`) as string | undefined) : json
}
