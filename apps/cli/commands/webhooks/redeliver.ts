import { deliveryFields, type Delivery } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { deliveryPath } from './delivery-columns.ts'

export default command({
  details: ['Sends it with the same id, so a receiver can recognize it.'],
  arguments: { id: { kind: 'one', description: 'The id of the delivery' } },
  fields: deliveryFields,
  examples: [{ does: 'Send it again', line: 'turnpike webhooks redeliver dlv_01k9...' }],
  async run(context, { id }) {
    const path = deliveryPath(id, '/redeliver')
    const delivery = await askAsUser<Delivery>(context, { method: 'POST', path })
    context.output.done(`${delivery.event_type} is being sent again`)
    return record(delivery, () => '')
  },
})
