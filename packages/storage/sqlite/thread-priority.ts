import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * A third of the usual weight: the thread of the requests goes first where both want one core, and what is
 * left, a quarter of the core, is more than the rows of its requests take.
 */
const steps = 5

/**
 * Lets the threads that requests wait for go before this one. Linux alone knows priorities of threads: under
 * the thread's id, which only /proc tells. The threads that this one starts have its priority as well.
 * @returns whether it could
 */
export function stepBehindRequests(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, Math.min(getPriority(thread) + steps, constants.priority.PRIORITY_LOW))
    return true
  } catch {
    // A sandbox without /proc, or one that allows no change: it works all the same, with worse latencies.
    return false
  }
}
