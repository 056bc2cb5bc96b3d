import type { NodeLog } from './telemetry/redacting-log.ts'

/** The start's own work is over by then. */
const afterMs = 1_000
/** The share of that time in which the event loop may have been busy. */
const mostUtilization = 0.25

/**
 * Gives back, once, what only the start needed: 9 MB of a process that waits for its first request. V8 itself
 * collects when new objects need room. The collection takes 25 ms, so a process with requests already goes
 * without it.
 */
export function releaseStartMemory(log: Pick<NodeLog, 'warn'>): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization > mostUtilization) return
    collectAllGarbage().catch((error: unknown) =>
      log.warn({ error: String(error) }, 'the memory of the start was not given back'),
    )
  }, afterMs).unref()
}

/**
 * Makes the young generation small again too, as `gc()` does not by default. A new context with its own
 * `gc()` is no substitute: requests take 15 % more CPU until that context is collected
 * (https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#method-collectGarbage).
 */
async function collectAllGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
