import { expect, it } from 'vitest'
import { SkewedClock } from './skewed-clock.ts'

const wallMs = Date.UTC(2026, 10, 23, 12)
const minutes = 60_000

function clockAt(learnt: number[] = []): SkewedClock {
  return new SkewedClock(
    (behindMs) => learnt.push(behindMs),
    () => wallMs,
  )
}
const dateAt = (ms: number) => new Date(ms).toUTCString()

it.each([10 * minutes, -10 * minutes, 30 * 365 * 24 * 60 * minutes])('is set right by %d ms', (behindMs) => {
  const learnt: number[] = []
  const clock = clockAt(learnt)
  expect(clock.learn(dateAt(wallMs + behindMs))).toBe(true)
  expect([clock.now(), learnt]).toEqual([wallMs + behindMs, [behindMs]])
  // The same date again changes nothing.
  expect(clock.learn(dateAt(wallMs + behindMs))).toBe(false)
})

it.each([
  ['within two minutes', dateAt(wallMs + 2 * minutes)],
  ['no date', undefined],
  ['a word', 'soon'],
  ['long ago', dateAt(0)],
  ['the last day that there is', dateAt(8.64e15)],
])('is not changed by %s', (_what, date) => {
  const clock = clockAt()
  expect(clock.learn(date)).toBe(false)
  expect(clock.now()).toBe(wallMs)
})
