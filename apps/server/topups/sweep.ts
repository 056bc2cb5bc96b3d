import type { Topups } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'

/** How often it is looked which top-ups are due; each of them is asked about as its age says. */
const everyMs = 2 * 60 * 1000

/** Finds, now and then, what an event that never came would have told, until it is stopped. */
export function startSweep(topups: Topups, log: GatewayLog): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    try {
      await topups.sweep()
    } catch (error) {
      log.warn({ error: String(error) }, 'open top-ups could not be asked about')
    }
  }
  const timer = setInterval(() => {
    running ??= sweep().finally(() => {
      running = undefined
    })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
