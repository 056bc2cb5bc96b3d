import { deliveryFields, deliveryStates, type Delivery, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { choice, command, text } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import { deliveryColumns } from './delivery-columns.ts'

export const listDeliveries = command({
  details: ['The newest first. What a receiver answered: turnpike webhooks delivery.'],
  arguments: {},
  options: {
    target: text('id', 'To one target'),
    event: text('id', 'Of one event'),
    status: choice('status', 'That stand so', deliveryStates),
    ...pageOptions,
  },
  fields: deliveryFields,
  examples: [
    { does: 'How the last ones went', line: 'turnpike webhooks deliveries' },
    {
      does: 'What a target did not get',
      line: 'turnpike webhooks deliveries --target tgt_01k9... --status failed',
    },
  ],
  async run(context, { target, event, status, ...page }) {
    const found = await askAsUser<List<Delivery>>(context, {
      path: '/api/v1/deliveries',
      query: { target_id: target, event_id: event, status, ...pageQuery(page) },
    })
    return rows(found, deliveryColumns, 'No deliveries yet.')
  },
})
