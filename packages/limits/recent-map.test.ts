import { expect, test } from 'vitest'
import { RecentMap } from './recent-map.ts'

test('keeps what is used, and forgets what has not been used for a while', () => {
  const map = new RecentMap<number>(1_000, 100)
  map.set('used', 1, 0)
  map.set('idle', 2, 0)
  for (let nowMs = 0; nowMs <= 5_000; nowMs += 100) {
    expect(map.get('used', nowMs)).toBe(1)
    if (map.get(`other ${nowMs}`, nowMs) === undefined) map.set(`other ${nowMs}`, 3, nowMs)
  }
  expect(map.get('idle', 5_000)).toBeUndefined()
  expect(map.size).toBeLessThan(30)
})

test('keeps an entry for the whole time after its last use', () => {
  const map = new RecentMap<number>(1_000, 100)
  map.set('one', 1, 0)
  for (let nowMs = 10; nowMs < 1_000; nowMs += 10) map.set('other', 2, nowMs)
  expect(map.get('one', 999)).toBe(1)
})

test('has a bounded size', () => {
  const map = new RecentMap<number>(1_000_000, 100)
  for (let count = 0; count < 10_000; count++) map.set(`key ${count}`, count, count)
  expect(map.size).toBeLessThanOrEqual(200)
  expect(map.get('key 9999', 10_000)).toBe(9_999)
})
