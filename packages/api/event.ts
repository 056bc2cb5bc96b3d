/** `GET /api/v1/events`. */
export interface Event {
  id: string
  type: string
  /** Unix epoch seconds. */
  created_at: number
  /** What the type tells. */
  data: Record<string, unknown>
}

export const eventFields = ['id', 'type', 'created_at', 'data'] as const

/** Whose members mail may go to. */
export const toldRoles = ['owner', 'admin', 'billing'] as const

/** `GET /api/v1/event-targets`: where events are told. */
export interface EventTarget {
  id: string
  kind: 'webhook' | 'mail'
  name: string
  url: string | null
  email: string | null
  /** Of mail to whoever has one of these in the organization. */
  roles: string[] | null
  /** `*`: everything. */
  types: string[]
  status: 'active' | 'unconfirmed' | 'disabled'
  disabled_reason: string | null
  failures_in_row: number
  previous_secret_until: number | null
  created_at: number
  updated_at: number
}

/** As it is answered when it is made, and when its secret is replaced. */
export interface CreatedEventTarget extends EventTarget {
  /** Null: of mail. */
  secret: string | null
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

export const createdEventTargetFields = [...eventTargetFields, 'secret'] as const

export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const

/** `GET /api/v1/deliveries`: the bringing of one event to one target. */
export interface Delivery {
  id: string
  event_id: string
  event_type: string
  target_id: string
  /** Of a target for roles: whom this one is for. */
  member_id: string | null
  status: (typeof deliveryStates)[number]
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
  'member_id',
  'status',
  'attempts',
  'next_attempt_at',
  'delivered_at',
  'created_at',
] as const

/** `GET /api/v1/deliveries/{id}`. */
export interface DeliveryWithLog extends Delivery {
  /** Every attempt, oldest first. */
  log: {
    number: number
    at: number
    /** What the receiver answered; null: nothing. */
    status: number | null
    duration_ms: number
    error: string | null
    answer: string | null
  }[]
}

export const deliveryWithLogFields = [...deliveryFields, 'log'] as const
