/**
 * Events that accounts can be told of. What each of them tells is in docs/webhooks.md. `webhook.test` is sent
 * on demand, to one target alone.
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

/** Events that only operators are told of: they are no account's. */
export const operatorEventTypes = [
  'provider.key_refused',
  'ledger.difference',
  'topup.paid_after_closing',
] as const

export const eventTypes = [...accountEventTypes, ...operatorEventTypes] as const

export type EventType = (typeof eventTypes)[number]

/**
 * What a type tells, as JSON: snake_case names, money as decimal strings, times as Unix epoch seconds.
 * Identifiers only: no secret, no prompt, no address of a person.
 */
export type EventData = Readonly<Record<string, unknown>>

export interface NewEvent {
  type: EventType
  /** Null: the operator's. */
  accountId: string | null
  /**
   * Names what happened, so that it is told once however many nodes see it, and however often: an event with
   * a key that is known is not raised. Null: each is an event of its own.
   */
  dedupeKey: string | null
  occurredAtMs: number
  data: EventData
}

export interface Event extends NewEvent {
  /** `evt_…`; the `webhook-id` of every attempt to deliver it. */
  id: string
}
