import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryFields, type Delivery } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { targetPath } from './target-columns.ts'

const pollMs = 500
/** A receiver has 15 s to answer. */
const patienceMs = 20_000

interface DeliveryWithLog extends Delivery {
  log: { status: number | null; error: string | null }[]
}

export const testWebhook = command({
  details: ['Sends `webhook.test`, and waits for the first answer.'],
  arguments: { id: { kind: 'one', description: 'The id of the webhook' } },
  options: {},
  fields: [...deliveryFields, 'log'],
  examples: [{ does: 'Whether it arrives', line: 'turnpike webhooks test tgt_01k9...' }],
  async run(context, { id }) {
    const sent = await askAsUser<Delivery>(context, { method: 'POST', path: targetPath(id, '/test') })
    const path = `/api/v1/deliveries/${encodeURIComponent(sent.id)}`
    const progress = context.output.progress('Waiting for its answer')
    const endMs = context.clock() + patienceMs
    let delivery: DeliveryWithLog
    try {
      do {
        await sleep(pollMs, undefined, { signal: context.signal })
        delivery = await askAsUser<DeliveryWithLog>(context, { path })
      } while (delivery.attempts === 0 && delivery.status === 'pending' && context.clock() < endMs)
    } finally {
      progress.stop()
    }
    if (delivery.status !== 'delivered') throw undelivered(delivery)
    context.output.done('It arrived')
    return record(delivery, () => '')
  },
})

function undelivered({ log, status, id }: DeliveryWithLog): Failure {
  const last = log.at(-1)
  const why = last?.error ?? (last === undefined ? 'it was not answered yet' : `it answered ${last.status}`)
  const goesOn = status === 'pending' ? ' It is tried again.' : ''
  return new Failure(`The test (${id}) did not arrive: ${why}.${goesOn}`, {
    type: 'delivery_error',
    exitCode: exitCodes.user,
  })
}
