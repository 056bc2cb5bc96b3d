import type { AlertWatch } from './alert-watch.ts'

/** Returns a function that notes a rejected key of the gateway; operators are notified once a day. */
export function keyRefusals(watch: Pick<AlertWatch, 'note'>): (provider: string, key: number | null) => void {
  return (provider, key) => {
    const nowMs = Date.now()
    const day = new Date(nowMs).toISOString().slice(0, 10)
    watch.note({
      type: 'provider.key_refused',
      accountId: null,
      dedupeKey: `provider:${provider}:${key}:${day}`,
      occurredAtMs: nowMs,
      data: { object: 'provider_alert', provider, key },
    })
  }
}
