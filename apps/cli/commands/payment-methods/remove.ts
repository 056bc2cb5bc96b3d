import { paymentMethodFields, type PaymentMethod } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { requireYes } from '../../terminal/confirm.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { methodName } from './list.ts'

export default command({
  details: [
    'Also removes it at the payment processor, and turns off automatic top-up if it uses it. Asks ' +
      'for confirmation on a terminal.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the payment method' } },
  options: { yes: flag('Do not ask for confirmation') },
  fields: paymentMethodFields,
  examples: [
    { does: 'Remove it', line: 'turnpike payment-methods remove pmt_01k9...' },
    { does: 'From a script', line: 'turnpike payment-methods remove pmt_01k9... --yes' },
  ],
  async run(context, { id, yes }) {
    const { output } = context
    await requireYes(context, yes, `Remove the payment method ${oneLine(id)}?`)
    const path = `/api/v1/payment-methods/${encodeURIComponent(id)}`
    const removed = await askAsUser<PaymentMethod>(context, { method: 'DELETE', path })
    output.done(`Removed ${output.messages.style.bold(oneLine(methodName(removed)))}`)
    return record(removed, () => '')
  },
})
