import { expect, test } from 'vitest'
import { Throttle } from './throttle.ts'

test('counts by name, and returns how long to wait', () => {
  const clock = { nowMs: 0 }
  const throttle = new Throttle(3, 60_000, () => clock.nowMs)
  expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([0, 0, 0])
  clock.nowMs = 20_500
  expect([throttle.take('a'), throttle.wait('a'), throttle.take('b')]).toEqual([40, 40, 0])
  clock.nowMs = 60_000
  expect([throttle.wait('a'), throttle.take('a')]).toEqual([0, 0])
})

test('takes back a successful attempt, or all attempts of a name', () => {
  const throttle = new Throttle(2, 60_000, () => 0)
  throttle.take('a')
  throttle.giveBack('a')
  expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([0, 0, 60])
  throttle.clear('a')
  expect(throttle.take('a')).toBe(0)
})

test('remembers a limited number of names, and forgets the oldest first', () => {
  const throttle = new Throttle(1, 60_000, () => 0)
  for (let index = 0; index < 50_001; index++) throttle.take(`name ${index}`)
  expect([throttle.take('name 1'), throttle.take('name 0')]).toEqual([60, 0])
})
