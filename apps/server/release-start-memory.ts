import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The start's own work is over by then. */
const afterMs = 1_000
/** The share of that time in which the event loop may have been busy. */
const mostUtilization = 0.25

/**
 * Gives back, once, what only the start needed: 9 MB of a process that waits for its first request. V8 itself
 * collects when new objects need room. The collection takes 25 ms, so a process with requests already goes
 * without it.
 */
export function releaseStartMemory(): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization > mostUtilization) return
    // Only this kind of collection also makes the young generation small again.
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, afterMs).unref()
}

/** V8's `gc()`, which only contexts have that are made with this flag (https://nodejs.org/api/globals.html#gc). */
function collector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as NodeJS.GCFunction
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
