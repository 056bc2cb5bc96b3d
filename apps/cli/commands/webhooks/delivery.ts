import { deliveryWithLogFields, type DeliveryWithLog } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { deliveryFacts, deliveryPath } from './delivery-columns.ts'

export default command({
  arguments: { id: { kind: 'one', description: 'The id of the delivery' } },
  fields: deliveryWithLogFields,
  examples: [{ does: 'Show it', line: 'turnpike webhooks delivery dlv_01k9...' }],
  async run(context, { id }) {
    const delivery = await askAsUser<DeliveryWithLog>(context, { path: deliveryPath(id) })
    return record(delivery, (screen) => deliveryFacts(delivery, screen))
  },
})
