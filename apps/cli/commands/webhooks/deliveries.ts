import { deliveryFields, type Delivery, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { choice, command, text } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import { deliveryColumns } from './target-columns.ts'

const states = ['pending', 'delivered', 'failed', 'cancelled']

export const listDeliveries = command({
  arguments: {},
  options: {
    target: text('id', 'Only those to this webhook'),
    status: choice('status', 'Only these', states),
    ...pageOptions,
  },
  fields: deliveryFields,
  examples: [
    { does: 'What was sent, newest first', line: 'turnpike webhooks deliveries' },
    { does: 'What was given up', line: 'turnpike webhooks deliveries --status failed' },
  ],
  async run(context, { target, status, ...page }) {
    const query = { target_id: target, status, ...pageQuery(page) }
    const found = await askAsUser<List<Delivery>>(context, { path: '/api/v1/deliveries', query })
    return rows(found, deliveryColumns, 'Nothing was sent.')
  },
})
