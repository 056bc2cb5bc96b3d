import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { startPreloaded } from './testing/preloaded-gateway.ts'

/** Preloaded into the gateway: tells each collection of all garbage of its main thread. */
const tellCollections = `
  import { isMainThread } from 'node:worker_threads'
  import { constants, PerformanceObserver } from 'node:perf_hooks'
  const all = constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE
  const tell = ({ detail }) => detail.flags === all && process.stderr.write('all garbage was collected\\n')
  if (isMainThread)
    new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe({ entryTypes: ['gc'] })`
const told = /all garbage was collected/g

/** Longer than it waits after the start. */
const quietMs = 2_500

let gateway: GatewayProcess
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ gateway, remove } = await startPreloaded(tellCollections))
})
afterEach(() => remove())

test('a gateway that waits for its first request gives back once what only its start needed', async () => {
  const count = (): number => gateway.stderr.match(told)?.length ?? 0
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(0)
  const answer = await gateway.chat({ model: 'vendor/echo', messages: [{ role: 'user', content: 'hello' }] })
  expect(answer.status).toBe(200)
  const before = count()
  await delay(quietMs)
  expect(count()).toBe(before)
})
