import { afterEach, beforeEach, expect, test } from 'vitest'
import { EventLoopWatch } from './event-loop-watch.ts'

const maxDelayMs = 500
const everyMs = 100

let watch: EventLoopWatch
let nowMs: number

beforeEach(() => {
  watch = new EventLoopWatch(maxDelayMs)
  nowMs = performance.now()
  watch.sample(nowMs)
})
afterEach(() => watch.close())

function turns(count: number, delayMs: number): void {
  for (let turn = 0; turn < count; turn++) watch.sample((nowMs += everyMs + delayMs))
}

test('a single pause, however long, is not overload', () => {
  turns(1, 60_000)
  turns(4, 2 * maxDelayMs)
  turns(1, 0)
  turns(4, 2 * maxDelayMs)
  expect(watch.isLate).toBe(false)
})

test('a lasting delay is overload, until the first turn without it', () => {
  turns(5, 2 * maxDelayMs)
  expect(watch.isLate).toBe(true)
  turns(1, 0)
  expect(watch.isLate).toBe(false)
})
