import { operationsOf } from '../operation.ts'
import { ids, listOf } from './examples.ts'

const targetId = 'tgt_01jngz5c3e5g7j9m2p4r6t8v1x'
const eventId = 'evt_01jngz6d4f6h8k1n3q5s7v9x2z'
const deliveryId = 'dlv_01jngz7e5g7j9m2p4r6t8w1y3a'

const target = {
  id: targetId,
  object: 'event_target',
  kind: 'webhook',
  name: 'hooks.example.com',
  url: 'https://hooks.example.com/turnpike',
  email: null,
  roles: null,
  people: null,
  people_unreached: null,
  types: ['*'],
  status: 'active',
  disabled_reason: null,
  failures_in_row: 0,
  previous_secret_until: null,
  created_at: 1741046400,
  updated_at: 1741046400,
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

const event = {
  id: eventId,
  object: 'event',
  type: 'balance.low',
  account_id: ids.account,
  created_at: 1741132800,
  data: { object: 'balance_alert', balance_usd: '4.9987', threshold_usd: '5' },
}

const delivery = {
  id: deliveryId,
  object: 'delivery',
  event_id: eventId,
  event_type: 'balance.low',
  target_id: targetId,
  member_id: null,
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  delivered_at: 1741132801,
  created_at: 1741132800,
}
const pending = { ...delivery, status: 'pending', next_attempt_at: 1741132900, delivered_at: null }

const rule = {
  object: 'alert_rule',
  kind: 'balance',
  enabled: true,
  threshold_usd: '5',
  days: null,
  raised: false,
}

export const eventOperations = operationsOf('Events', {
  'GET /alerts': {
    id: 'listAlerts',
    summary: 'List alert rules',
    description:
      'The account’s notifications: credit below a threshold (`balance`), credit that lasts for ' +
      'fewer days (`runway`), an hour that costs five times as much as usual (`unusual_spend`), and ' +
      'keys about to expire (`key_expiry`). Each is an event, sent to the targets that receive it.',
    answer: listOf(rule),
  },
  'PUT /alerts/:kind': {
    id: 'setAlert',
    summary: 'Set an alert rule',
    description:
      'Turns a rule on or off. `balance` has `threshold_usd`, `runway` and `key_expiry` have `days`; what ' +
      'is not given stays the same. The rule is evaluated again, so a condition that already holds ' +
      'notifies again.',
    audited: true,
    request: { enabled: true },
    answer: rule,
  },
  'POST /event-targets': {
    id: 'createEventTarget',
    summary: 'Create an event target',
    description:
      'A webhook (`url`, https, on the public internet), an email address (`email`; default: your own), or ' +
      'mail to everyone in the organization with one of the given `roles`. ' +
      '`secret` of a webhook is only in this response. An unverified address is ' +
      'asked for confirmation by email first. Without `types` it receives all events. At most 20 targets.',
    audited: true,
    personal: true,
    errors: [409, 429],
    request: { kind: 'webhook', url: 'https://hooks.example.com/turnpike', types: ['*'] },
    answer: { ...target, secret },
  },
  'GET /event-targets': {
    id: 'listEventTargets',
    summary: 'List event targets',
    description: 'All of them, oldest first, without their secrets.',
    answer: listOf(target),
  },
  'GET /event-targets/:target_id': {
    id: 'getEventTarget',
    summary: 'One event target',
    description: 'A target without its secret.',
    answer: target,
  },
  'PATCH /event-targets/:target_id': {
    id: 'updateEventTarget',
    summary: 'Change an event target',
    description:
      'Changes the given fields. `status: disabled` cancels pending deliveries. `active` resumes ' +
      'with future events. Cancelled deliveries can be sent again.',
    audited: true,
    personal: true,
    errors: [409],
    request: { name: 'billing', status: 'active' },
    answer: { ...target, name: 'billing' },
  },
  'DELETE /event-targets/:target_id': {
    id: 'deleteEventTarget',
    summary: 'Delete an event target',
    description: 'Also deletes its delivery log. The events are kept.',
    audited: true,
    answer: { id: targetId, deleted: true },
  },
  'POST /event-targets/:target_id/rotate-secret': {
    id: 'rotateEventTargetSecret',
    summary: 'Rotate a webhook’s secret',
    description:
      'Returns a new `secret`, only in this response. For 24 hours every attempt is signed with ' +
      'both, so that the ' +
      'receiver can switch. If you rotate again within that time, the oldest one ends at once.',
    audited: true,
    errors: [409],
    answer: { ...target, previous_secret_until: 1741132800, secret },
  },
  'POST /event-targets/:target_id/test': {
    id: 'testEventTarget',
    summary: 'Send a test event',
    description:
      'Sends `webhook.test` to this target, regardless of its event types. Returns the delivery; for a ' +
      'target for roles, the first one.',
    audited: true,
    errors: [409, 429],
    answer: { ...pending, event_type: 'webhook.test', attempts: 0 },
  },
  'POST /event-targets/:target_id/confirmation': {
    id: 'confirmEventTarget',
    summary: 'Resend the confirmation',
    description:
      'Sends another email to an unconfirmed address, at most three a day. Older links become invalid.',
    audited: true,
    errors: [409, 429],
    answer: {
      ...target,
      kind: 'mail',
      name: 'ops@example.com',
      url: null,
      email: 'ops@example.com',
      status: 'unconfirmed',
    },
  },
  'GET /events': {
    id: 'listEvents',
    summary: 'List events',
    description: 'Events of the last 90 days, newest first, whether or not anyone was notified.',
    answer: listOf(event),
  },
  'GET /events/:event_id': {
    id: 'getEvent',
    summary: 'One event',
    description: 'The event as it is delivered.',
    answer: event,
  },
  'GET /deliveries': {
    id: 'listDeliveries',
    summary: 'List deliveries',
    description: 'Each event with each target that receives it, newest first.',
    answer: listOf(delivery),
  },
  'GET /deliveries/:delivery_id': {
    id: 'getDelivery',
    summary: 'One delivery with its log',
    description: 'Every attempt, with the receiver’s response.',
    answer: {
      ...delivery,
      log: [{ number: 1, at: 1741132801, status: 200, duration_ms: 84, error: null, answer: 'ok' }],
    },
  },
  'POST /deliveries/:delivery_id/redeliver': {
    id: 'redeliver',
    summary: 'Redeliver',
    description:
      'Starts a delivery again, whatever its state, with the same `webhook-id`, by which a receiver ' +
      'recognizes an event that it already has.',
    audited: true,
    errors: [409],
    answer: pending,
  },
})
