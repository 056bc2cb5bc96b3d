import { expect, it } from 'vitest'
import { RestartPause } from './restart-pause.ts'

it('doubles up to its maximum, and starts again after a process that served for long', () => {
  const pause = new RestartPause(500, 3_000)
  expect([0, 0, 60_000, 0, 0].map((servedMs) => pause.next(servedMs))).toEqual([
    500, 1_000, 2_000, 3_000, 3_000,
  ])
  expect([60_001, 0].map((servedMs) => pause.next(servedMs))).toEqual([500, 1_000])
})
