/** A rule of `GET /api/v1/alerts`. */
export interface AlertRule {
  kind: string
  enabled: boolean
  threshold_usd: string | null
  days: number | null
  /** It was told, and still holds. */
  raised: boolean
}

export const alertRuleFields = ['kind', 'enabled', 'threshold_usd', 'days', 'raised'] as const

export const alertKinds = ['balance', 'runway', 'unusual_spend', 'key_expiry'] as const

/** Whose members mail may go to. */
export const toldRoles = ['owner', 'admin', 'billing'] as const

/** Where events are told: a webhook, or mail to an address or to roles. */
export interface EventTarget {
  id: string
  kind: string
  name: string
  url: string | null
  email: string | null
  /** Of mail: the members with these roles. */
  roles: string[] | null
  types: string[]
  status: string
  disabled_reason: string | null
  failures_in_row: number
  previous_secret_until: number | null
  created_at: number
  updated_at: number
}

export const eventTargetFields = [
  'id',
  'kind',
  'name',
  'url',
  'email',
  'roles',
  'types',
  'status',
  'disabled_reason',
  'failures_in_row',
  'previous_secret_until',
  'created_at',
  'updated_at',
] as const

/** The answer to its creation, and to a rotation. */
export interface EventTargetWithSecret extends EventTarget {
  secret: string | null
}

export const eventTargetWithSecretFields = [...eventTargetFields, 'secret'] as const

/** Something that happened. */
export interface AccountEvent {
  id: string
  type: string
  account_id: string | null
  created_at: number
  data: Record<string, unknown>
}

export const accountEventFields = ['id', 'type', 'account_id', 'created_at', 'data'] as const

/** An event on its way to a target. */
export interface Delivery {
  id: string
  event_id: string
  event_type: string
  target_id: string
  status: string
  attempts: number
  next_attempt_at: number | null
  delivered_at: number | null
  created_at: number
}

export const deliveryFields = [
  'id',
  'event_id',
  'event_type',
  'target_id',
  'status',
  'attempts',
  'next_attempt_at',
  'delivered_at',
  'created_at',
] as const
