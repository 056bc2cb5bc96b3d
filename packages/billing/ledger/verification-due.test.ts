import { expect, test } from 'vitest'
import { isVerificationDue } from './verification-due.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const minuteMs = 60_000

const run = (state: 'running' | 'finished' | 'stopped' | 'failed', lastedMs = 1_000) => ({
  state,
  startedAtMs: 0,
  finishedAtMs: state === 'running' ? null : lastedMs,
})

test.each([
  ['there was none', undefined, 0, true],
  ['one has finished today', run('finished'), dayMs - 1, false],
  ['one has finished yesterday', run('finished'), dayMs, true],
  ['one has failed', run('failed'), 2 * hourMs, false],
  ['one runs', run('running'), 2 * hourMs, false],
  ['one ended with its node', run('stopped'), hourMs, true],
  ['one ended with its node just now', run('stopped'), hourMs - 1, false],
  ['one ran out of its time', run('stopped', 10 * minuteMs), 2 * hourMs, false],
])('%s', (_, newest, nowMs, due) => {
  expect(isVerificationDue(newest, dayMs, nowMs)).toBe(due)
  expect(isVerificationDue(newest, 0, nowMs)).toBe(false)
})

test('an interval below an hour also applies after one that was cut short', () => {
  expect(isVerificationDue(run('stopped'), 10 * minuteMs, 10 * minuteMs)).toBe(true)
})
