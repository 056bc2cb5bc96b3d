import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryWithLogFields, type Delivery, type DeliveryWithLog } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { deliveryFacts, deliveryPath } from './delivery-columns.ts'
import { targetPath } from './target-columns.ts'

const pollMs = 500
/** A receiver has 15 s to respond, and a node may have other deliveries first. */
const longestMs = 30_000

export default command({
  details: [
    'Sends `webhook.test` and waits for the response to the first attempt. Exits with 3 if that is ' +
      'not 2xx.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the target' } },
  options: { noWait: flag('Do not wait for the response') },
  fields: deliveryWithLogFields,
  examples: [{ does: 'See whether it arrives', line: 'turnpike webhooks test tgt_01k9...' }],
  async run(context, { id, noWait }) {
    const path = targetPath(id, '/test')
    const sent = await askAsUser<Delivery>(context, { method: 'POST', path })
    if (noWait) return record({ ...sent, log: [] }, () => `${sent.id}\n`)
    const delivery = await waitForDelivery(context, sent.id)
    if (delivery.status === 'delivered') context.output.done('Delivered')
    return record(delivery, (screen) => deliveryFacts(delivery, screen))
  },
})

/** @throws {Failure} exit code 3 if it is not delivered */
async function waitForDelivery(context: Context, id: string): Promise<DeliveryWithLog> {
  const untilMs = context.clock() + longestMs
  const progress = context.output.progress('Waiting for the receiver')
  try {
    for (;;) {
      const delivery = await askAsUser<DeliveryWithLog>(context, { path: deliveryPath(id) })
      if (delivery.status === 'delivered') return delivery
      const last = delivery.log.at(-1)
      if (last !== undefined) throw deliveryFailure(`Delivery failed: ${last.error ?? 'no response'}.`, id)
      if (context.clock() > untilMs) throw deliveryFailure('Nothing was sent within 30 s.', id)
      await sleep(pollMs, undefined, { signal: context.signal })
    }
  } finally {
    progress.stop()
  }
}

function deliveryFailure(message: string, id: string): Failure {
  const hint = `See the response: turnpike webhooks delivery ${id}`
  return new Failure(message, { type: 'not_delivered', exitCode: exitCodes.server, hint })
}
