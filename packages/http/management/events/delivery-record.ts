import { deliveryStates, type Delivery, type DeliveryAttempt, type Event } from '@turnpike/notify'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'

export const eventSchema = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id` of every attempt to deliver it.' }),
    object: Type.Literal('event'),
    type: Type.String(),
    account_id: nullable(Type.String({ description: 'Null: an event for operators.' })),
    created_at: timestamp,
    data: Type.Object({}, { additionalProperties: true, description: 'The data of this event type.' }),
  },
  { title: 'Event' },
)

export function eventRecord(event: Event): Static<typeof eventSchema> {
  return {
    id: event.id,
    object: 'event',
    type: event.type,
    account_id: event.accountId,
    created_at: epochSeconds(event.occurredAtMs),
    data: event.data,
  }
}

const deliveryFields = {
  id: Type.String(),
  object: Type.Literal('delivery'),
  event_id: Type.String(),
  event_type: Type.String(),
  target_id: Type.String(),
  member_id: nullable(Type.String({ description: 'For a target for roles: the recipient.' })),
  status: Type.Enum([...deliveryStates], {
    description: '`failed`: abandoned after a day. `cancelled`: its target was disabled or its member left.',
  }),
  attempts: Type.Integer({ description: 'So far.' }),
  next_attempt_at: nullable(Type.Integer({ description: 'For a pending delivery, in Unix epoch seconds.' })),
  delivered_at: nullable(timestamp),
  created_at: timestamp,
}

export const deliverySchema = Type.Object(deliveryFields, { title: 'Delivery' })

const attemptSchema = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: timestamp,
  status: nullable(Type.Integer({ description: 'Status that the receiver returned; null: no response.' })),
  duration_ms: Type.Integer(),
  error: nullable(Type.String({ description: 'Null if it was delivered.' })),
  answer: nullable(Type.String({ description: 'The first KiB of the response body.' })),
})

export const deliveryWithAttemptsSchema = Type.Object(
  { ...deliveryFields, log: Type.Array(attemptSchema, { description: 'Every attempt, oldest first.' }) },
  { title: 'DeliveryWithLog' },
)

export function deliveryRecord(delivery: Delivery): Static<typeof deliverySchema> {
  return {
    id: delivery.id,
    object: 'delivery',
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    target_id: delivery.targetId,
    member_id: delivery.memberId,
    status: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.state === 'pending' ? epochSeconds(delivery.nextAtMs) : null,
    delivered_at: epochSecondsOrNull(delivery.deliveredAtMs),
    created_at: epochSeconds(delivery.createdAtMs),
  }
}

export function attemptRecord(attempt: DeliveryAttempt): Static<typeof attemptSchema> {
  return {
    number: attempt.number,
    at: epochSeconds(attempt.atMs),
    status: attempt.status,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    answer: attempt.answerStart,
  }
}
