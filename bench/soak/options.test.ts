import { expect, test } from 'vitest'
import { usualShares } from '../faults/schedule.ts'
import { soakOptions } from './options.ts'

const usual = { minutes: '5', rate: '300', faults: false, shares: '', seed: '1' }

test('without faults there are none', () => {
  expect(soakOptions(usual)).toEqual({ seconds: 300, plainPerSecond: 300 })
})

test('the rate may be half of what is measured', () => {
  expect(soakOptions({ ...usual, rate: 'half' })).toEqual({ seconds: 300, plainPerSecond: 'half' })
})

test('faults have their shares and a seed', () => {
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
])('%j is refused', (values, message) => {
  expect(() => soakOptions({ ...usual, ...values })).toThrow(message)
})
