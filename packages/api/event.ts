import type { Schemas } from './schema.ts'

/** `GET /api/v1/events`. */
export type Event = Schemas['Event']

export const eventFields = ['id', 'type', 'created_at', 'data'] as const satisfies readonly (keyof Event)[]

/** The roles whose members can get mail. */
export const toldRoles = ['owner', 'admin', 'billing'] as const satisfies readonly NonNullable<
  EventTarget['roles']
>[number][]

/** `GET /api/v1/event-targets`: where events are sent. */
export type EventTarget = Schemas['EventTarget']

/** The response when it is created, or its secret replaced. */
export type CreatedEventTarget = Schemas['CreatedEventTarget']

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
] as const satisfies readonly (keyof EventTarget)[]

export const createdEventTargetFields = [
  ...eventTargetFields,
  'secret',
] as const satisfies readonly (keyof CreatedEventTarget)[]

export const deliveryStates = [
  'pending',
  'delivered',
  'failed',
  'cancelled',
] as const satisfies readonly Delivery['status'][]

/** `GET /api/v1/deliveries`: the delivery of one event to one target. */
export type Delivery = Schemas['Delivery']

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
] as const satisfies readonly (keyof Delivery)[]

/** `GET /api/v1/deliveries/{id}`. */
export type DeliveryWithLog = Schemas['DeliveryWithLog']

export const deliveryWithLogFields = [
  ...deliveryFields,
  'log',
] as const satisfies readonly (keyof DeliveryWithLog)[]
