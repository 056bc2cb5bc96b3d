import { expect, test } from 'vitest'
import { faultKinds, FaultSchedule, formatShares, parseShares, sharesAt, usualShares } from './schedule.ts'

function drawn(seed: number, calls: number): (string | undefined)[] {
  const schedule = new FaultSchedule(seed, usualShares)
  return Array.from({ length: calls }, () => schedule.next())
}

test('the same seed gives the same faults, another seed gives others', () => {
  expect(drawn(7, 5_000)).toEqual(drawn(7, 5_000))
  expect(drawn(7, 5_000)).not.toEqual(drawn(8, 5_000))
})

test('a higher rate does not mean more rate limits a second, unless they are configured', () => {
  expect(sharesAt(60, usualShares)).toEqual(usualShares)
  expect(sharesAt(1_000, usualShares)).toEqual({ ...usualShares, '429': 0.18, hang: 0.6 })
  expect(sharesAt(1_000, parseShares('429=20'))['429']).toBe(20)
  expect(parseShares(formatShares(sharesAt(1_000, usualShares)))['429']).toBe(0.18)
})

test('each fault occurs as often as its share says', () => {
  const calls = 200_000
  const all = drawn(1, calls)
  for (const kind of faultKinds) {
    const expected = (calls * usualShares[kind]) / 1_000
    const times = all.filter((one) => one === kind).length
    // Five standard deviations.
    expect(Math.abs(times - expected)).toBeLessThan(5 * Math.sqrt(expected))
  }
})

test('without shares nothing fails; with full shares everything does', () => {
  const none = new FaultSchedule(1, parseShares('429=0,500=0,503=0,reset=0,hang=0,cut=0,malformed=0'))
  const all = new FaultSchedule(1, parseShares('429=0,500=0,503=0,reset=0,hang=0,cut=1000,malformed=0'))
  for (let call = 0; call < 1_000; call++) {
    expect(none.next()).toBeUndefined()
    expect(all.next()).toBe('cut')
  }
})

test('reads shares in any order, and keeps the defaults of the others', () => {
  expect(parseShares('')).toEqual(usualShares)
  expect(parseShares('hang=0,cut=2.5')).toEqual({ ...usualShares, hang: 0, cut: 2.5 })
  expect(parseShares(formatShares(usualShares))).toEqual(usualShares)
})

test.each([
  ['418=1', "no fault '418'"],
  ['429', 'per mille'],
  ['429=often', 'per mille'],
  ['429=-1', 'per mille'],
  ['429=600,500=600', '1000 at most'],
])('refuses %s', (text, message) => {
  expect(() => parseShares(text)).toThrow(message)
})
