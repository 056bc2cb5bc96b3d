import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { afterAll, describe, expect, test } from 'vitest'
import { bridged } from './bridged.ts'
import { CaseTable } from '../vendors/case-table.ts'
import { groupOf, streamCases } from '../vendors/chat-cases.ts'
import { said } from '../vendors/oracle/oracle.ts'
import type { Said } from '../vendors/oracle/said-answer.ts'
import { callers } from './callers.ts'
import { vendorFormatOf } from './vendor-format-of.ts'

/** TCP may split anywhere: within a character, an escape or a line end. */

const casesPerVendor = 4
const maxBytes = 8_000
const noUsage = { prompt: 0, completion: 0, cached: 0, cacheWritten: 0, written1h: 0, reasoning: 0 }
const recordings = allRecordings()
const streams = streamCases(recordings)
const table = new CaseTable('Recorded streams cut by bytes, vendor × cases', [
  'single bytes',
  'each cut',
  'CRLF',
])

const named = (cases: readonly RecordedCase[]): [string, RecordedCase][] =>
  cases.map((one) => [`${one.vendor} ${one.id}`, one])

afterAll(() => {
  console.log(table.toString())
})

describe.each(callers)('streams of every vendor, as %s', (name, caller) => {
  const { format } = caller

  const raw = streams.filter(({ form }) => form === 'sse-raw')
  test.each(named(raw))('byte by byte: %s', (_name, recorded) => {
    const bytes = recordings.response(recorded.id)
    expectBridged(
      recorded,
      Array.from(bytes, (byte) => Buffer.of(byte)),
    )
    table.count(`${groupOf(recorded)} as ${name}`, 'single bytes')
  })

  test.each(named(smallest(streams)))('in two at each byte: %s', { timeout: 120_000 }, (_name, recorded) => {
    const bytes = recordings.response(recorded.id)
    const whole = bridged(format, vendorFormatOf(recorded), [bytes])
    expectBridged(recorded, [bytes])
    for (let cut = 1; cut < bytes.length; cut++) {
      const cutInTwo = bridged(format, vendorFormatOf(recorded), [
        bytes.subarray(0, cut),
        bytes.subarray(cut),
      ])
      if (JSON.stringify(cutInTwo) !== JSON.stringify(whole)) expect(cutInTwo, `cut at ${cut}`).toEqual(whole)
    }
    table.count(`${groupOf(recorded)} as ${name}`, 'each cut')
  })

  const google = streams.filter(({ api }) => api.endsWith('enerateContent'))
  test.each(named(google))('with CRLF, as Google sends it: %s', (_name, recorded) => {
    const text = recordings.response(recorded.id).toString('latin1').replaceAll(/\r?\n/gu, '\r\n')
    expectBridged(
      recorded,
      Array.from(text, (character) => Buffer.from(character, 'latin1')),
    )
    table.count(`${groupOf(recorded)} as ${name}`, 'CRLF')
  })

  function expectBridged(recorded: RecordedCase, pieces: readonly Buffer[]): void {
    const { text, error, usage } = bridged(format, vendorFormatOf(recorded), pieces)
    const received = caller.readStream(text)
    const expected: Said = said(recordings, recorded)
    if (expected.kind === 'failed') throw new Error(`${recorded.id} is no stream`)
    if (expected.kind === 'broken') {
      expect(received).toMatchObject({
        ended: false,
        error: expected.message ?? (expect.any(String) as string),
      })
      return expect(error).toBe(received.error)
    }
    expect(received).toMatchObject({ ended: true, error: undefined })
    // If the vendor reported no usage, the gateway around a bridge estimates it.
    expect(usage === undefined).toBe(expected.answer.usage === undefined)
    caller.expectTold(
      { ...received.answer, usage: received.answer.usage ?? noUsage },
      expected.answer,
      recorded,
    )
  }
})

/** The smallest stream of each vendor, since each split at a byte is a separate run. */
function smallest(cases: readonly RecordedCase[]): RecordedCase[] {
  const size = ({ id }: RecordedCase): number => recordings.response(id).length
  const groups = new Set(cases.map(groupOf))
  return [...groups].flatMap((group) =>
    cases
      .filter((one) => groupOf(one) === group)
      .filter((one) => size(one) <= maxBytes)
      .toSorted((one, other) => size(one) - size(other))
      .slice(0, casesPerVendor),
  )
}
