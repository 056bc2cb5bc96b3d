import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttemptMs, retryAfterSeconds } from './schedule.ts'

const hourMs = 3_600_000
const deadlineMs = 24 * hourMs

/** The times at which an unreachable receiver is tried. */
function attempts(random: number): number[] {
  const times: number[] = []
  for (let next: number | undefined = 0; next !== undefined;) {
    times.push(next)
    next = nextAttemptMs({ tries: times.length, nowMs: next, deadlineMs, random })
  }
  return times
}

test('makes nine attempts within a day, the first ones soon', () => {
  const seconds = attempts(0.5).map((timeMs) => timeMs / 1000)
  expect(seconds).toEqual([0, 5, 65, 365, 2_165, 9_365, 27_365, 56_165, 84_965])
  expect(attempts(0).at(-1)).toBeGreaterThan(18 * hourMs)
  expect(attempts(1).at(-1)).toBe(deadlineMs)
})

test('keeps to the receiver’s requested time and to the deadline, and always moves forward', () => {
  fc.assert(
    fc.property(
      fc.record({
        tries: fc.integer({ min: 1, max: 12 }),
        nowMs: fc.integer({ min: 0, max: 26 * hourMs }),
        retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
        random: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      (failed) => {
        const next = nextAttemptMs({ ...failed, deadlineMs })
        if (next === undefined) {
          expect(failed.tries > 8 || failed.nowMs >= deadlineMs).toBe(true)
          return
        }
        expect(next).toBeGreaterThan(failed.nowMs)
        expect(next).toBeLessThanOrEqual(deadlineMs)
        const askedMs = Math.min((failed.retryAfterSeconds ?? 0) * 1000, 6 * hourMs)
        expect(next).toBeGreaterThanOrEqual(Math.min(failed.nowMs + askedMs, deadlineMs))
      },
    ),
  )
})

test('reads Retry-After in seconds and as a date, and ignores nonsense', () => {
  const nowMs = Date.UTC(2026, 10, 23, 12)
  expect(retryAfterSeconds('120', nowMs)).toBe(120)
  expect(retryAfterSeconds('Mon, 23 Nov 2026 12:01:00 GMT', nowMs)).toBe(60)
  for (const value of ['', '-1', 'soon', '1e9', 'Mon, 23 Nov 2020 12:01:00 GMT', undefined])
    expect([value, retryAfterSeconds(value, nowMs)]).toEqual([value, undefined])
})
