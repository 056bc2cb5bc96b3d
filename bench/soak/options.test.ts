import { expect, test } from 'vitest'
import { usualShares } from '../faults/schedule.ts'
import { soakOptions } from './options.ts'

const usual = { minutes: '5', rate: '300', faults: false, shares: '', seed: '1' }

test('have no faults by default', () => {
  expect(soakOptions(usual)).toEqual({ seconds: 300, plainPerSecond: 300 })
})

test('accept a rate of half the measured capacity', () => {
  expect(soakOptions({ ...usual, rate: 'half' })).toEqual({ seconds: 300, plainPerSecond: 'half' })
})

test("include the faults' shares and seed", () => {
  expect(soakOptions({ ...usual, minutes: '0.5', faults: true, shares: 'hang=7', seed: '12' })).toEqual({
    seconds: 30,
    plainPerSecond: 300,
    faults: { seed: 12, shares: { ...usualShares, hang: 7 } },
  })
})

test.each([
  [{ minutes: 'long' }, '--minutes'],
  [{ rate: '0' }, '--rate'],
  [{ rate: 'whole' }, '--rate'],
  [{ faults: true, seed: '1.5' }, '--seed'],
  [{ shares: 'hang=1' }, '--shares'],
])('refuse %j', (values, message) => {
  expect(() => soakOptions({ ...usual, ...values })).toThrow(message)
})
