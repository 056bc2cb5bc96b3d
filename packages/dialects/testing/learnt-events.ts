import type { StreamPart } from '@turnpike/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsForAll } from './holds-for-all.ts'
import { asBytes, utf8 } from '../sse/parser.ts'
import type { StreamDecoder } from '../vendor.ts'

/** An event's data: a JSON value, or text that is not JSON. */
interface Event {
  event: string
  data: unknown
}

/** An event of a sample that is repeated with one of its values changed. */
interface Variant {
  /** The index of the sample's event that it follows. */
  behind: number
  /** The index of the changed value, in the order of the event's values. */
  leaf: number
  value: unknown
  style: 'compact' | 'blanks' | 'escapes' | 'padded' | 'twice'
}

const anyVariant = fc.record({
  behind: fc.nat(),
  leaf: fc.nat(),
  value: fc.oneof(
    { weight: 6, arbitrary: fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(' ')) },
    fc.nat(),
    fc.constantFrom(null, true, '', 'a "quoted"\n\\ text', {}, [], { x: '}},{' }),
  ),
  style: fc.constantFrom('compact', 'compact', 'blanks', 'escapes', 'padded', 'twice'),
})

/**
 * Tests a decoder that learns forms of events. It must decode each event as a decoder that parses all of them
 * does, whatever comes between events and whatever changes in them.
 */
export function readsAsItUnderstands(
  decoder: () => StreamDecoder,
  samples: readonly (readonly Event[])[],
): void {
  holdsForAll(
    'reads an event by a learnt form as it would decode it',
    [fc.nat(), fc.array(anyVariant, { maxLength: 24 })],
    (at, variants) => {
      const events = samples[at % samples.length]!
      readAsUnderstood(decoder, streamOf(events, variants))
    },
    400,
  )

  it('reads by a learnt form once an event is repeated with another text', () => {
    const read = samples.flatMap(withOtherTexts).map((stream) => readAsUnderstood(decoder, stream))
    expect(Math.max(...read)).toBeGreaterThan(0)
  })
}

/** An event as it was sent. */
export interface SentEvent {
  event: string
  /** Latin1. */
  data: string
}

/**
 * Expects a decoder that learns to decode these events as one that parses all of them does.
 * @returns how many were read by a learnt form
 */
export function readAsUnderstood(decoder: () => StreamDecoder, events: readonly SentEvent[]): number {
  const learning = decoded(decoder(), events, true)
  expect(learning.parts).toEqual(decoded(decoder(), events, false).parts)
  return learning.read
}

/** For each text in each event: a stream that ends with the event, and then repeats it with other texts. */
function withOtherTexts(events: readonly Event[]): SentEvent[][] {
  return events.flatMap(({ event, data }, at) => {
    if (typeof data === 'string') return []
    const until = streamOf(events.slice(0, at + 1), [])
    return textsOf(data).map((place) =>
      until.concat(['some', 'other'].map((text) => ({ event, data: jsonWith(data, place, text) }))),
    )
  })
}

/** Includes text that is not JSON. */
function streamOf(events: readonly Event[], variants: readonly Variant[]): SentEvent[] {
  return events.flatMap(({ event, data }, at) => {
    if (typeof data === 'string') return [{ event, data }]
    const again = variants.filter(({ behind }) => behind % events.length === at)
    const plain = [{ event, data: asBytes(JSON.stringify(data)) }]
    return plain.concat(again.map((variant) => ({ event, data: written(data, variant) })))
  })
}

function written(data: unknown, { leaf, value, style }: Variant): string {
  const texts = textsOf(data)
  // Mostly picks a text: there are few texts, and they are what matters.
  const place = leaf % 3 > 0 && texts.length > 0 ? texts[leaf % texts.length]! : leaf % leavesOf(data).length
  const json = jsonWith(data, place, value)
  switch (style) {
    case 'compact':
      return asBytes(json)
    case 'blanks':
      return asBytes(json.replaceAll('":', '": '))
    case 'escapes':
      return json.replace(
        /[\u0080-\uffff]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    case 'padded':
      return `${asBytes(json).slice(0, -1)}   }  `
    case 'twice':
      return asBytes(json.replaceAll('"delta":{', '"delta":{"content":"first","text":"first",'))
  }
}

/** An event's JSON with another value at this place. */
function jsonWith(data: unknown, place: number, value: unknown): string {
  let at = 0
  return JSON.stringify(data, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && Object.keys(one).length > 0
      ? one
      : at++ === place
        ? value
        : one,
  )
}

/** The places with a text. */
function textsOf(data: unknown): number[] {
  return leavesOf(data).flatMap((one, place) => (typeof one === 'string' ? [place] : []))
}

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [value]
  return Object.values(value).flatMap(leavesOf)
}

interface Decoded {
  parts: unknown[]
  /** How many events were read by a learnt form. */
  read: number
}

function decoded(decoder: StreamDecoder, events: readonly SentEvent[], learns: boolean): Decoded {
  const all: StreamPart[] = []
  let read = 0
  for (const { event, data } of events) {
    const known = learns ? decoder.readFast?.(data, event, utf8(data) === data) : undefined
    if (known !== undefined) read++
    all.push(...(known ?? understood(decoder, event, data, learns)))
  }
  return { parts: [...all, ...decoder.end()].map(comparable), read }
}

function understood(decoder: StreamDecoder, event: string, data: string, learns: boolean): StreamPart[] {
  let body: unknown
  try {
    body = JSON.parse(utf8(data))
  } catch {
    // An end marker.
    return decoder.pushText(utf8(data))
  }
  const parts = decoder.push(body, event)
  if (learns) decoder.learn?.({ data, event, body }, parts)
  return parts
}

/** Without random values, and with lazily read members evaluated. */
function comparable(part: StreamPart): unknown {
  if (part.type === 'usage') return { type: 'usage', usage: part.usage }
  if (part.type === 'error') return { type: 'error', message: part.error.message }
  return part.type === 'block-start' && part.toolCall !== undefined
    ? { ...part, toolCall: { ...part.toolCall, id: undefined } }
    : part
}
