import type { Topups } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'

/** How often it is looked which top-ups are due; each of them is asked about as its age says. */
const everyMs = 2 * 60 * 1000
/**
 * What came while there was no node is not waited for so long; nodes that start together ask one after the
 * other.
 */
const firstAfterMs = 10_000

/** Finds, now and then, what an event that never came would have told, until it is stopped. */
export function startSweep(topups: Topups, log: GatewayLog): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    try {
      await topups.sweep()
    } catch (error) {
      log.warn({ error: String(error) }, 'the state of top-ups could not be queried')
    }
  }
  const run = (): void => {
    running ??= sweep().finally(() => {
      running = undefined
    })
  }
  const first = setTimeout(run, firstAfterMs * (1 + Math.random())).unref()
  const timer = setInterval(run, everyMs).unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
