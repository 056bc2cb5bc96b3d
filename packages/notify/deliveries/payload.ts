import type { Event } from '../events/event.ts'

/** The body sent for an event: the same text in every attempt, so that receivers can compare. */
export function payloadOf({ id, type, accountId, occurredAtMs, data }: Event): string {
  return JSON.stringify({
    id,
    type,
    timestamp: new Date(occurredAtMs).toISOString(),
    data: { account_id: accountId, ...data },
  })
}
