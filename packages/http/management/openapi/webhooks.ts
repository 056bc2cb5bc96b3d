import { eventTypes } from '@turnpike/notify'
import type { OpenapiDocument } from './document-types.ts'
import { ids } from './operations/examples.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  description,
  required: true,
  schema: { type: 'string' },
})

/** The requests that the gateway sends to event targets (docs/webhooks.md). */
export const webhooks: NonNullable<OpenapiDocument['webhooks']> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Events'],
      summary: 'An event',
      description:
        'Signed according to Standard Webhooks. Respond with 2xx within 15 seconds, otherwise it is ' +
        'retried for a day. 410 disables the target.',
      security: [],
      parameters: [
        header('webhook-id', 'Id of the event, the same in every attempt.'),
        header('webhook-timestamp', 'Time of the attempt, in Unix epoch seconds.'),
        header('webhook-signature', '`v1,` and a base64 HMAC-SHA256 of `id.timestamp.body`; one or two.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['id', 'type', 'timestamp', 'data'],
              properties: {
                id: { type: 'string' },
                type: { enum: [...eventTypes] },
                timestamp: { type: 'string', format: 'date-time' },
                data: {
                  type: 'object',
                  required: ['account_id'],
                  properties: { account_id: { type: ['string', 'null'] } },
                  additionalProperties: true,
                },
              },
            },
            example: {
              id: 'evt_01jngz6d4f6h8k1n3q5s7v9x2z',
              type: 'balance.low',
              timestamp: '2025-03-05T00:00:00.000Z',
              data: {
                account_id: ids.account,
                object: 'balance_alert',
                balance_usd: '4.9987',
                threshold_usd: '5',
              },
            },
          },
        },
      },
      responses: {
        '200': { description: 'Accepted.' },
        '410': { description: 'Do not send any more events.' },
      },
    },
  },
}
