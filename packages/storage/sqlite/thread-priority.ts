import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * A third of the usual weight: the thread that serves requests gets a core first if both want it. The
 * remaining quarter of the core is more than the rows of its requests take.
 */
const steps = 5

/**
 * Lowers this thread's priority, so that the threads that requests wait for run first. Only Linux has
 * priorities of threads, set by the thread's id, which only /proc reveals. Threads started by this one
 * inherit its priority.
 * @returns whether that succeeded
 */
export function stepBehindRequests(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, Math.min(getPriority(thread) + steps, constants.priority.PRIORITY_LOW))
    return true
  } catch {
    // A sandbox without /proc, or one that forbids the change: everything works, with worse latencies.
    return false
  }
}
