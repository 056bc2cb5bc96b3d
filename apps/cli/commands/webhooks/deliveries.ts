import { deliveryFields, deliveryStates, type Delivery, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { choice, command, text } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import { deliveryColumns } from './delivery-columns.ts'

export default command({
  details: ["Newest first. For the receiver's responses: `turnpike webhooks delivery`."],
  options: {
    target: text('id', 'Only to this target'),
    event: text('id', 'Only of this event'),
    status: choice('status', 'Only with this status', deliveryStates),
    ...pageOptions,
  },
  fields: deliveryFields,
  examples: [
    { does: 'The latest', line: 'turnpike webhooks deliveries' },
    {
      does: 'Failed deliveries to a target',
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
