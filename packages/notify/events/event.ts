/**
 * The types of events that accounts can subscribe to. docs/webhooks.md documents the data of each.
 * `webhook.test` is sent on demand, to one target only.
 */
export const accountEventTypes = [
  'balance.low',
  'balance.runway',
  'budget.threshold',
  'spend.unusual',
  'key.expiring',
  'topup.paid',
  'topup.failed',
  'topup.refunded',
  'auto_topup.action_required',
  'auto_topup.failed',
  'auto_topup.stopped',
  'auto_topup.capped',
  'member.joined',
  'member.role_changed',
  'member.left',
  'member.removed',
  'invitation.created',
  'invitation.revoked',
  'webhook.disabled',
  'webhook.test',
] as const

/** Events for operators only; they belong to no account. */
export const operatorEventTypes = [
  'provider.key_refused',
  'ledger.difference',
  'topup.paid_after_closing',
] as const

export const eventTypes = [...accountEventTypes, ...operatorEventTypes] as const

export type EventType = (typeof eventTypes)[number]

/**
 * The data of an event, as JSON: snake_case names, money as decimal strings, times as Unix epoch seconds. It
 * contains identifiers only: no secret, no prompt, nobody's email address.
 */
export type EventData = Readonly<Record<string, unknown>>

export interface NewEvent {
  type: EventType
  /** Null: the event is the operator's. */
  accountId: string | null
  /**
   * Names what happened, so that it is reported once even if several nodes see it, or see it repeatedly: an
   * event whose key is already known is not raised. Null: each event is distinct.
   */
  dedupeKey: string | null
  occurredAtMs: number
  data: EventData
}

export interface Event extends NewEvent {
  /** `evt_…`; the `webhook-id` in every attempt to deliver it. */
  id: string
}
