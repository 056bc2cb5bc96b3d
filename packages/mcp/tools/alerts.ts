import {
  alertKinds,
  deliveryStates,
  type AlertRule,
  type Delivery,
  type DeliveryWithLog,
  type Event,
  type List,
} from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

const limit = z.number().int().min(1).max(200).default(50)
const cursor = z.string().optional().describe('`next_cursor` of the previous page')
const nextCursor = z.string().nullable()

const rule = z.looseObject({
  kind: z.enum(alertKinds),
  enabled: z.boolean(),
  threshold_usd: z.string().nullable().describe('For `balance`: notify below this amount'),
  days: z.number().nullable().describe('For `runway` and `key_expiry`: notify this many days before'),
  raised: z.boolean().describe('The user was notified, and the condition still holds'),
})

export const listAlerts = tool({
  name: 'list_alerts',
  title: 'List alerts',
  description:
    "The user's alert rules (low credit, credit that will run out soon, unusual spend, keys about " +
    'to expire), their thresholds, and which ones apply now. Budgets notify separately: `list_budgets`.',
  input: {},
  output: { alerts: z.array(rule) },
  annotations: reading,
  scopes: ['alerts:read'],
  async run(api) {
    const { data } = await api.ask<List<AlertRule>>({ path: '/api/v1/alerts' })
    return { value: { alerts: data } }
  },
})

const event = z.looseObject({
  id: z.string(),
  type: z.string(),
  created_at: z.number().describe('Unix epoch seconds'),
  data: z.looseObject({}).describe('The data of this event type'),
})

export const listEvents = tool({
  name: 'list_events',
  title: 'List events',
  description:
    'Events the user may be notified of, newest first: alerts, budgets that are used up, top-ups ' +
    'paid, failed and refunded, members who joined and left.',
  input: {
    type: z.string().optional().describe('Only these types: `budget.threshold`, `balance.low`, …'),
    limit,
    cursor,
  },
  output: { events: z.array(event), next_cursor: nextCursor },
  annotations: reading,
  scopes: ['alerts:read'],
  async run(api, { type, limit: most, cursor: from }) {
    const query = { type, limit: String(most), cursor: from }
    const page = await api.ask<List<Event>>({ path: '/api/v1/events', query })
    return { value: { events: page.data, next_cursor: page.next_cursor } }
  },
})

const delivery = {
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  target_id: z.string(),
  member_id: z.string().nullable().describe('For mail to everyone with a role: the recipient'),
  status: z.enum(deliveryStates).describe('`failed`: given up after a day'),
  attempts: z.number().describe('So far'),
  next_attempt_at: z.number().nullable().describe('Unix epoch seconds'),
  delivered_at: z.number().nullable(),
  created_at: z.number(),
}

export const listDeliveries = tool({
  name: 'list_deliveries',
  title: 'List deliveries',
  description:
    'Whether events reached their email addresses and webhooks, newest first. Use `delivery` to see ' +
    'each attempt.',
  input: {
    status: z.enum(deliveryStates).optional().describe('Only these'),
    event_id: z.string().optional().describe('Only deliveries of this event'),
    target_id: z.string().optional().describe('Only deliveries to this webhook or email address'),
    limit,
    cursor,
  },
  output: { deliveries: z.array(z.looseObject(delivery)), next_cursor: nextCursor },
  annotations: reading,
  scopes: ['alerts:read'],
  async run(api, { limit: most, ...filter }) {
    const query = { ...filter, limit: String(most) }
    const page = await api.ask<List<Delivery>>({ path: '/api/v1/deliveries', query })
    return { value: { deliveries: page.data, next_cursor: page.next_cursor } }
  },
})

const attempt = z.looseObject({
  number: z.number(),
  at: z.number().describe('Unix epoch seconds'),
  status: z.number().nullable().describe('Status that the receiver returned; null: no response'),
  duration_ms: z.number(),
  error: z.string().nullable().describe('Null where it was delivered'),
})

export const oneDelivery = tool({
  name: 'delivery',
  title: 'Look at a delivery',
  description:
    'One delivery with each attempt: when it happened, what the receiver returned, what went wrong.',
  input: {
    delivery_id: z
      .string()
      .regex(/^dlv_[0-9A-Za-z]{1,40}$/)
      .describe('As returned by `list_deliveries`'),
  },
  output: { ...delivery, log: z.array(attempt).describe('Oldest first') },
  annotations: reading,
  scopes: ['alerts:read'],
  async run(api, { delivery_id: id }) {
    const path = `/api/v1/deliveries/${encodeURIComponent(id)}`
    const { log, ...found } = await api.ask<DeliveryWithLog>({ path })
    // A receiver wrote this text: it must not reach the model.
    const attempts = log.map((one) => ({ ...one, answer: undefined }))
    return { value: { ...found, log: attempts } }
  },
})
