import { describe, expect, test } from 'vitest'
import { nextChangeMs, periodsOf, pricingAt, type PricePeriod } from './periods.ts'

const at = (text: string): number => Date.parse(text)
const priced = (prompt: string) => ({ prompt, completion: prompt })

/** As at DeepSeek: more expensive twice a day, and since a date at all times. */
const periods: PricePeriod[] = [
  { pricing: priced('1') },
  { from: '2026-08-17', pricing: priced('2') },
  { daily: ['01:00:00', '04:00:00'], pricing: priced('3') },
  { daily: ['22:30:00', '00:30:00'], pricing: priced('4') },
]

describe('prices that depend on the time', () => {
  test.each([
    ['2026-08-16T12:00:00Z', '1', '2026-08-16T22:30:00Z'],
    ['2026-08-16T23:59:59.999Z', '4', '2026-08-17T00:00:00Z'],
    ['2026-08-17T00:00:00Z', '4', '2026-08-17T00:30:00Z'],
    ['2026-08-17T00:30:00Z', '2', '2026-08-17T01:00:00Z'],
    ['2026-08-17T01:00:00Z', '3', '2026-08-17T04:00:00Z'],
    ['2026-08-17T03:59:59.999Z', '3', '2026-08-17T04:00:00Z'],
    ['2026-08-17T04:00:00Z', '2', '2026-08-17T22:30:00Z'],
    ['2026-08-17T22:30:00Z', '4', '2026-08-18T00:30:00Z'],
  ])('at %s it is %s, until %s at least', (now, prompt, next) => {
    expect(pricingAt(periods, at(now))?.prompt).toBe(prompt)
    expect(new Date(nextChangeMs(periods, at(now))).toISOString()).toBe(new Date(next).toISOString())
  })

  test('a single price applies for ever; without any there is none', () => {
    expect(nextChangeMs([{ pricing: priced('1') }], at('2026-08-17'))).toBe(Infinity)
    expect(pricingAt([], at('2026-08-17'))).toBeUndefined()
  })
})

test('a model without an output price in some period has no prices at all', () => {
  const match = { equals: 'm' }
  const model = {
    id: 'm',
    match,
    prices: [{ prices: { input_mtok: 1, output_mtok: 2 } }, { prices: { input_mtok: 1 } }],
  }
  expect(periodsOf(model).periods).toEqual([])
  expect(periodsOf({ id: 'm', match, prices: {} }).periods).toEqual([])
})
