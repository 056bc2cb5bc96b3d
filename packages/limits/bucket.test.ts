import { describe, expect, test } from 'vitest'
import { randomFrom, randomSeed } from '../storage/testing/random.ts'
import {
  add,
  drain,
  emptyBucket,
  fullInMs,
  mostPerMinute,
  remaining,
  waitMsFor,
  type Rate,
} from './bucket.ts'

const seed = randomSeed()
const minuteMs = 60_000

/** Rates from one a minute up to the maximum, bursts from one up to a minute's worth. */
function randomRate(random: () => number): Rate {
  const perMinute = Math.ceil(mostPerMinute ** random())
  return { perMinute, capacity: Math.max(1, Math.round(perMinute * random())) }
}

function take(bucket: ReturnType<typeof emptyBucket>, rate: Rate, tokens: number, nowMs: number): number {
  drain(bucket, rate, nowMs)
  const waitMs = waitMsFor(bucket, rate, tokens)
  if (waitMs === 0) add(bucket, tokens)
  return waitMs
}

describe(`a bucket with random requests (TURNPIKE_TEST_SEED=${seed})`, () => {
  test('never admits more in any period than its burst and what drains in that time', () => {
    const random = randomFrom(seed)
    for (let round = 0; round < 300; round++) {
      const rate = randomRate(random)
      const bucket = emptyBucket(0)
      const admitted: { atMs: number; tokens: number }[] = []
      let nowMs = 0
      for (let count = 0; count < 80; count++) {
        nowMs += random() < 0.5 ? 0 : Math.floor((random() ** 4 * 3 * minuteMs) / 10)
        const tokens = random() < 0.5 ? 1 : Math.ceil(rate.capacity * random())
        if (take(bucket, rate, tokens, nowMs) === 0) admitted.push({ atMs: nowMs, tokens })
      }
      for (let first = 0; first < admitted.length; first++) {
        let sum = 0
        for (const { atMs, tokens } of admitted.slice(first)) {
          sum += tokens
          const elapsedMs = atMs - admitted[first]!.atMs
          expect(sum).toBeLessThanOrEqual(rate.capacity + (rate.perMinute * elapsedMs) / minuteMs)
        }
      }
    }
  })

  test('admits at the moment it named, and not a millisecond earlier', () => {
    const random = randomFrom(seed + 1)
    for (let round = 0; round < 2_000; round++) {
      const rate = randomRate(random)
      const bucket = emptyBucket(0)
      for (let count = 0; count < 10; count++) {
        const nowMs = bucket.atMs + Math.floor(random() * 50)
        const tokens = Math.ceil(rate.capacity * random())
        const waitMs = take(bucket, rate, tokens, nowMs)
        if (waitMs === 0) continue
        expect(take({ ...bucket }, rate, tokens, nowMs + waitMs - 1)).toBeGreaterThan(0)
        expect(take(bucket, rate, tokens, nowMs + waitMs)).toBe(0)
      }
    }
  })

  test('admits everything that drains, for callers that wait as told', () => {
    const random = randomFrom(seed + 2)
    for (let round = 0; round < 100; round++) {
      const perMinute = 3 + Math.ceil(mostPerMinute ** random())
      const rate = { perMinute, capacity: perMinute }
      const tokens = Math.floor(rate.capacity / 3)
      const bucket = emptyBucket(0)
      let nowMs = 0
      let admitted = 0
      for (let count = 0; count < 500; count++) {
        const waitMs = take(bucket, rate, tokens, nowMs)
        if (waitMs === 0) admitted += tokens
        nowMs += waitMs
      }
      expect(admitted).toBeGreaterThanOrEqual((perMinute * nowMs) / minuteMs)
    }
  })
})

test('continues to drain from the new time if its clock is set back', () => {
  const rate = { perMinute: 60, capacity: 10 }
  const bucket = emptyBucket(1_000_000)
  for (let count = 0; count < 10; count++) expect(take(bucket, rate, 1, 1_000_000)).toBe(0)
  expect(take(bucket, rate, 1, 400_000)).toBe(1_000)
  expect(take(bucket, rate, 1, 401_000)).toBe(0)
})

test('regains what is given back, but never exceeds its capacity', () => {
  const rate = { perMinute: 60, capacity: 10 }
  const bucket = emptyBucket(0)
  expect(take(bucket, rate, 8, 0)).toBe(0)
  expect([remaining(bucket, rate), fullInMs(bucket, rate)]).toEqual([2, 8_000])
  add(bucket, -3)
  expect([remaining(bucket, rate), fullInMs(bucket, rate)]).toEqual([5, 5_000])
  add(bucket, -30)
  expect([remaining(bucket, rate), fullInMs(bucket, rate)]).toEqual([10, 0])
  add(bucket, 25)
  expect([remaining(bucket, rate), fullInMs(bucket, rate)]).toEqual([0, 25_000])
  expect(take(bucket, rate, 1, 0)).toBe(16_000)
})
