import type { AutoTopups } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'

const everyMs = 5_000

/** Checks for automatic top-ups until it is stopped, one check at a time. */
export function watchAutoTopups(autoTopups: AutoTopups, log: GatewayLog): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const run = (): void => {
    running ??= autoTopups
      .run()
      .catch((error: unknown) =>
        log.warn({ error: String(error) }, 'automatic top-ups could not be processed'),
      )
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(run, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
