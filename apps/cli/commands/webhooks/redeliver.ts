import { deliveryFields, type Delivery } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'

export const redeliver = command({
  details: ['The event is sent anew, with the same id and the same body.'],
  arguments: { id: { kind: 'one', description: 'The id of the delivery' } },
  options: {},
  fields: deliveryFields,
  examples: [{ does: 'Send it again', line: 'turnpike webhooks redeliver dlv_01k9...' }],
  async run(context, { id }) {
    const path = `/api/v1/deliveries/${encodeURIComponent(id)}/redeliver`
    const delivery = await askAsUser<Delivery>(context, { method: 'POST', path })
    context.output.done(`${delivery.event_type} is sent again`)
    return record(delivery, () => '')
  },
})
