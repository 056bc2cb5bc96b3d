import { readWholeAnswer, type GenerateFormatName } from '@turnpike/dialects'
import { fold } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { callersCases } from '../vendors/chat-cases.ts'
import { object } from '../vendors/oracle/json.ts'
import { said } from '../vendors/oracle/oracle.ts'
import type { SaidAnswer } from '../vendors/oracle/said-answer.ts'
import type { StyleName } from '../vendors/scripted/styled-vendor.ts'
import { bridged } from './bridged.ts'
import { callers } from './callers.ts'
import { vendorFormatOf } from './vendor-format-of.ts'
import { errorEvents } from './error-events.ts'

/** What every caller format guarantees with every vendor format, tested on recorded answers. */

const recordings = allRecordings()
const answered = callersCases(recordings).filter(({ status }) => status === 200)
const named = (chosen: readonly RecordedCase[]): [string, RecordedCase][] =>
  chosen.map((one) => [`${one.vendor} ${one.id}`, one])

/** The most places of a stream to try: the first ones, the last ones, and some in between. */
const places = 16
const noUsage = { prompt: 0, completion: 0, cached: 0, cacheWritten: 0, written1h: 0, reasoning: 0 }
const styleOf: Record<GenerateFormatName, StyleName> = {
  'openai-chat': 'openai',
  'openai-completions': 'openai',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic',
  'google-generate': 'google',
  'mistral-chat': 'mistral',
  'mistral-fim': 'mistral',
  'deepseek-chat': 'deepseek',
  'bedrock-converse': 'anthropic',
  'bedrock-messages': 'anthropic',
  'vertex-messages': 'anthropic',
  'vertex-mistral': 'mistral',
  'cohere-chat': 'cohere',
}
const cost = { usd: '0.000123' }

describe.each(callers)('%s', (_name, caller) => {
  const { format } = caller
  // From Responses to Responses the bytes pass, with vendors' own items, which this reader does not know.
  const passes = format.name === 'openai-responses'
  const cases = answered.filter(({ api }) => !passes || api !== 'responses')

  describe('a plain answer', () => {
    test.each(named(cases.filter(({ stream }) => !stream)))('equals the vendor’s: %s', (_id, recorded) => {
      const vendorFormat = vendorFormatOf(recorded)
      const body = recordings.response(recorded.id).toString('utf8')
      const parts = vendorFormat.operations.generate.decodeResponse(JSON.parse(body))
      const head = { id: `${format.idPrefix}x`, model: 'vendor/model', created: 1, includeUsage: true }
      if (fold(parts).error !== undefined)
        return expect(() => readWholeAnswer(format, vendorFormat, body, head)).toThrow(
          fold(parts).error!.message,
        )
      const answer = readWholeAnswer(format, vendorFormat, body, head)
      const whole = caller.readWhole(object(JSON.parse(answer.body(answer.usage, cost))))
      const expected = said(recordings, recorded)
      if (expected.kind !== 'answer') throw new Error(`${recorded.id} is no answer`)
      caller.expectTold(counted(whole), expected.answer, recorded)
      // It equals a stream of the same parts.
      const encoder = format.streams.encoder(head)
      const events = parts.map((part) => encoder.write(part)).join('') + encoder.closing(answer.usage, cost)
      const streamed = caller.readStream(Buffer.from(events, 'latin1').toString('utf8'))
      expect(streamed).toMatchObject({ ended: true, error: undefined })
      caller.expectTold(counted(streamed.answer), expected.answer, recorded)
    })
  })

  describe('a stream', () => {
    const streams = named(cases.filter(({ stream }) => stream))

    test.each(streams)('that breaks off anywhere is an error: %s', (_id, recorded) => {
      const { events, complete } = eventsOf(recorded)
      for (const at of placesIn(complete)) {
        for (const broken of [false, true]) {
          const { text, errors } = bridged(format, vendorFormatOf(recorded), events.slice(0, at), broken)
          expect(errors, `after ${at} events`).toBe(1)
          expectBroken(text, at)
        }
        // Also within an event.
        const half = events[at]!.subarray(0, Math.ceil(events[at]!.length / 2))
        expectBroken(bridged(format, vendorFormatOf(recorded), [...events.slice(0, at), half], true).text, at)
      }
    })

    test.each(streams)('in which the vendor reports an error is one: %s', (_id, recorded) => {
      const vendorFormat = vendorFormatOf(recorded)
      const { events, complete } = eventsOf(recorded)
      const error = Buffer.from(errorEvents[styleOf[vendorFormat.name]])
      for (const at of placesIn(complete)) {
        const { text } = bridged(format, vendorFormat, [...events.slice(0, at), error, ...events.slice(at)])
        expectBroken(text, at)
      }
    })

    test.each(streams)('of which nothing was counted has no usage: %s', (_id, recorded) => {
      const { events } = eventsOf(recorded)
      const without = events.map((event) => Buffer.from(uncounted(event.toString('utf8'))))
      expect(bridged(format, vendorFormatOf(recorded), without).usage).toBeUndefined()
    })
  })

  function expectBroken(text: string, at: number): void {
    const stream = caller.readStream(text)
    expect(stream.ended, `after ${at} events`).toBe(false)
    expect(stream.error, `after ${at} events`).toMatch(/./u)
  }

  function eventsOf(recorded: RecordedCase): { events: Buffer[]; complete: number } {
    const text = recordings.response(recorded.id).toString('latin1')
    const events = text.split(/(?<=\r?\n\r?\n)/u).map((event) => Buffer.from(event, 'latin1'))
    const vendorFormat = vendorFormatOf(recorded)
    const isWhole = (length: number): boolean =>
      bridged(format, vendorFormat, events.slice(0, length)).errors === 0
    // A complete answer stays complete with more bytes, so a binary search finds its minimal length.
    let [broken, complete] = [0, events.length]
    while (complete - broken > 1) {
      const middle = (broken + complete) >> 1
      if (isWhole(middle)) complete = middle
      else broken = middle
    }
    return { events, complete: Math.min(complete, events.length - 1) }
  }
})

/** Some numbers below this one, including the smallest and the largest. */
function placesIn(complete: number): number[] {
  const all = Array.from({ length: complete }, (_, at) => at)
  if (complete <= places) return all
  const step = complete / places
  return [...new Set([...Array.from({ length: places }, (_, at) => Math.floor(at * step)), complete - 1])]
}

function counted(answer: SaidAnswer): SaidAnswer {
  return { ...answer, usage: answer.usage ?? noUsage }
}

/** An event without its usage. */
function uncounted(event: string): string {
  return event.replace(
    /^data: ?(\{.*\})/mu,
    (_line, data: string) => `data: ${JSON.stringify(withoutUsage(JSON.parse(data)))}`,
  )
}

function withoutUsage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUsage)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'usage' && name !== 'usageMetadata')
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutUsage(inner)]))
}
