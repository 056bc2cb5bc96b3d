import type { Topups } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'

/** How often due top-ups are looked up. How often each one is checked depends on its age. */
const everyMs = 2 * 60 * 1000
/** Short, because events may have been missed while no node ran. Nodes that start together take turns. */
const firstAfterMs = 10_000

/** At intervals, finds the results of payments whose event never arrived, until it is stopped. */
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
