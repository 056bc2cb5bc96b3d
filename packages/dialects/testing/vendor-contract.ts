import { fold, type StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { SseParser, utf8, type SseListener } from '../sse/parser.ts'
import type { GenerateFormat } from '../vendor.ts'
import { readsAsItUnderstands } from './learnt-events.ts'
import { misplacedParts } from './well-formed.ts'

/** A vendor format under test, and realistic answers in it. */
export interface VendorFormatUnderTest {
  format: GenerateFormat
  samples: VendorSample[]
  /** The event with which the vendor reports an error in the middle of an answer. */
  errorEvent: VendorEvent
  /** The bytes of an event, unless they are a server-sent event's. */
  framed?(event: VendorEvent): Buffer
  /** The vendor sends the arguments of a call piece by piece. A sample must show it. */
  splitsToolCalls: boolean
}

export interface VendorSample {
  name: string
  /** The streamed answer, including its end marker. */
  events: VendorEvent[]
  /** The equivalent whole answer. */
  whole: unknown
}

export interface VendorEvent {
  /** The event's type, `''` if the vendor sends none. */
  event: string
  /** The event's JSON value. A string is text that is not JSON, such as `[DONE]`. */
  data: unknown
}

/** The fields in which vendors count tokens. */
const usageFields = new Set(['usage', 'usageMetadata'])

/** What every vendor format must fulfil, whatever its wire format. */
export function vendorContract(under: VendorFormatUnderTest): void {
  const { format, samples } = under
  describe(`the vendor format ${format.name}`, () => {
    describe.each(samples)('$name', (sample) => {
      completeAnswers(format, sample)
      brokenAnswers(under, sample)
      it('is the same wherever its bytes are cut', () => {
        for (const lineEnd of under.framed === undefined ? ['\n', '\r\n'] : ['']) {
          const bytes =
            under.framed === undefined
              ? framed(sample.events, lineEnd)
              : Buffer.concat(sample.events.map((event) => under.framed!(event)))
          const expected = decodeEvents(format, sample.events)
          for (let cut = 0; cut < bytes.length; cut++) {
            expect(decodeBytes(format, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
          }
        }
      })
    })

    it('accepts any value in any place without throwing', () => {
      for (const { events, whole } of samples) oddAnswers(format, events, whole)
      for (const body of withOddValues(under.errorEvent.data)) {
        format.decodeError({ status: 400, retryAfter: undefined, body: JSON.stringify(body) })
        decodeEvents(format, [...samples[0]!.events.slice(0, 1), { ...under.errorEvent, data: body }])
      }
    })

    readsAsItUnderstands(
      () => format.operations.generate.decoder(),
      samples.map(({ events }) => events),
    )

    it('has a sample of a tool call that is split within its JSON, if the vendor splits them', () => {
      const most = Math.max(...samples.map(({ events }) => piecesOfCall(decodeEvents(format, events))))
      expect(most > 1).toBe(under.splitsToolCalls)
    })
  })
}

/** All parts of a streamed answer whose events arrive complete, including those from `end`. */
export function decodeEvents(format: GenerateFormat, events: readonly VendorEvent[]): StreamPart[] {
  const decoder = format.operations.generate.decoder()
  const parts = events.flatMap(({ event, data }) =>
    typeof data === 'string' ? decoder.pushText(data) : decoder.push(data, event),
  )
  return [...parts, ...decoder.end()]
}

/** All parts of a streamed answer that arrives in these pieces. */
export function decodeBytes(format: GenerateFormat, pieces: readonly Uint8Array[]): StreamPart[] {
  const decoder = format.operations.generate.decoder()
  const parts: StreamPart[] = []
  const listener: SseListener = {
    onEvent(data, event) {
      const value = parsedOrText(utf8(data))
      parts.push(...(typeof value === 'string' ? decoder.pushText(value) : decoder.push(value, event)))
    },
  }
  const parser = format.operations.generate.events?.(listener) ?? new SseParser(listener)
  for (const piece of pieces) parser.pushBytes(Buffer.from(piece))
  parser.end()
  return [...parts, ...decoder.end()]
}

/**
 * The content of an answer, without what may differ between a stream and a whole answer: the vendor's own
 * usage object, the creation time, and spaces in a call's arguments.
 */
export function answerOf(parts: readonly StreamPart[]): unknown {
  const { response, error } = fold(parts)
  const { usage, created: _created, ...answer } = response
  const choices = answer.choices.map(({ blocks, ...choice }) => ({
    ...choice,
    blocks: blocks.map((block) =>
      block.kind === 'tool-call' ? { ...block, text: JSON.parse(block.text) as unknown } : block,
    ),
  }))
  return { ...answer, choices, usage: usage && { ...usage, raw: undefined }, error: error?.message }
}

function completeAnswers(format: GenerateFormat, { events, whole }: VendorSample): void {
  it('is the same streamed and whole', () => {
    const streamed = decodeEvents(format, events)
    expect(fold(streamed).error).toBeUndefined()
    expect(answerOf(streamed)).toEqual(answerOf(format.operations.generate.decodeResponse(whole)))
  })

  it('has its parts in order', () => {
    expect(misplacedParts(decodeEvents(format, events))).toEqual([])
    expect(misplacedParts(format.operations.generate.decodeResponse(whole))).toEqual([])
  })

  it('has the arguments of each tool call as a JSON object', () => {
    const { response } = fold(decodeEvents(format, events))
    const calls = response.choices.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'tool-call'))
    for (const call of calls) expect(JSON.parse(call.text)).toBeTypeOf('object')
  })

  it('has no usage if the vendor reports none, instead of zero', () => {
    const streamed = fold(decodeEvents(format, withoutUsage(events) as VendorEvent[]))
    expect(streamed.error).toBeUndefined()
    expect(streamed.response.usage).toBeUndefined()
    expect(
      fold(format.operations.generate.decodeResponse(withoutUsage(whole))).response.usage,
    ).toBeUndefined()
  })
}

function brokenAnswers({ format, errorEvent }: VendorFormatUnderTest, { events }: VendorSample): void {
  const errorsOf = (parts: readonly StreamPart[]): number =>
    parts.filter((part) => part.type === 'error').length

  it('is an error, once, wherever it breaks off before it is complete', () => {
    const errors = events.map((_event, length) => errorsOf(decodeEvents(format, events.slice(0, length))))
    const complete = errors.indexOf(0)
    const incomplete = complete === -1 ? errors : errors.slice(0, complete)
    expect(incomplete.length).toBeGreaterThan(0)
    expect(new Set(incomplete)).toEqual(new Set([1]))
    // Once complete it stays complete: usage and the end marker change nothing.
    expect(errors.slice(incomplete.length).every((count) => count === 0)).toBe(true)
  })

  it('is an error, once, wherever the vendor reports one', () => {
    for (let at = 0; at < events.length; at++) {
      const broken = [...events.slice(0, at), errorEvent]
      expect(errorsOf(decodeEvents(format, broken))).toBe(1)
      expect(errorsOf(decodeEvents(format, [...broken, ...events.slice(at)]))).toBe(1)
    }
  })

  it('is an error, once, if an event cannot be read', () => {
    const half = Math.floor(events.length / 2)
    const unreadable = { event: events[half]!.event, data: '{"half":' }
    expect(errorsOf(decodeEvents(format, [...events.slice(0, half), unreadable]))).toBe(1)
  })
}

/** Answers with each value replaced in turn. Such an answer may be an error, but must not throw. */
function oddAnswers(format: GenerateFormat, events: readonly VendorEvent[], whole: unknown): void {
  for (const body of withOddValues(whole)) format.operations.generate.decodeResponse(body)
  for (const [at, { event, data }] of events.entries()) {
    if (typeof data === 'string') continue
    const [before, after] = [events.slice(0, at), events.slice(at + 1)]
    for (const odd of withOddValues(data)) {
      if (typeof odd !== 'string') decodeEvents(format, [...before, { event, data: odd }, ...after])
    }
  }
}

/** Values that JSON may contain. The last one cannot be converted to a string or number. */
const oddValues: readonly unknown[] = [null, -1, 'x', [], [null], {}, { toString: 1, valueOf: 1 }]

/** The value with another one in each of its places, including its root. */
function* withOddValues(value: unknown): Generator {
  yield* oddValues
  if (Array.isArray(value)) {
    for (const [at, inner] of value.entries()) {
      for (const odd of withOddValues(inner)) yield value.with(at, odd)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      for (const odd of withOddValues(inner)) yield { ...value, [name]: odd }
    }
  }
}

function framed(events: readonly VendorEvent[], lineEnd: string): Buffer {
  const text = events.map(({ event, data }) => {
    const type = event === '' ? '' : `event: ${event}${lineEnd}`
    return `${type}data: ${typeof data === 'string' ? data : JSON.stringify(data)}${lineEnd}${lineEnd}`
  })
  return Buffer.from(text.join(''))
}

function parsedOrText(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    // An end marker, or an event that was cut: the decoder gets the text itself.
    return data
  }
}

/** The largest number of pieces in which the arguments of one call arrived. */
function piecesOfCall(parts: readonly StreamPart[]): number {
  const calls = parts.filter((part) => part.type === 'block-start' && part.kind === 'tool-call')
  const pieces = calls.map((call) => {
    if (call.type !== 'block-start') return 0
    const { choice, block } = call
    const ofCall = (part: StreamPart): boolean =>
      part.type === 'block-delta' && part.choice === choice && part.block === block
    return parts.filter(ofCall).length
  })
  return Math.max(0, ...pieces)
}

function withoutUsage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUsage)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([field]) => !usageFields.has(field))
  return Object.fromEntries(kept.map(([field, inner]) => [field, withoutUsage(inner)]))
}
