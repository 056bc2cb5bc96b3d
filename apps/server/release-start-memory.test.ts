import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { releaseStartMemory } from './release-start-memory.ts'

/** Longer than it waits. */
const busyMs = 1_100

const warn = vi.fn()
let collections: number
let observer: PerformanceObserver

beforeEach(() => {
  collections = 0
  observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as unknown as { detail: { flags: number } }[]
    for (const { detail } of entries)
      if (detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) collections++
  })
  observer.observe({ entryTypes: ['gc'] })
})
afterEach(() => observer.disconnect())

test('all garbage is collected once the process has nothing else to do', async () => {
  releaseStartMemory({ warn })
  await expect.poll(() => collections, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(warn).not.toHaveBeenCalled()
})

test('a process that is busy is not held up', async () => {
  releaseStartMemory({ warn })
  const untilMs = performance.now() + busyMs
  while (performance.now() < untilMs);
  await delay(200)
  expect(collections).toBe(0)
})
