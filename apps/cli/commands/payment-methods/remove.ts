import { paymentMethodFields, type PaymentMethod } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { askFirst } from '../ask-first.ts'
import { methodText, paymentMethodsPath } from './list.ts'

export const removePaymentMethod = command({
  details: [
    'It is let go here and at the payment processor. An automatic top-up that is charged to it ends. On a ' +
      'terminal you are asked first.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the payment method' } },
  options: { yes: flag('Do not ask') },
  fields: paymentMethodFields,
  examples: [{ does: 'Remove one', line: 'turnpike payment-methods remove pmt_01k9... --yes' }],
  async run(context, { id, yes }) {
    await askFirst(context, yes, `Remove the payment method ${oneLine(id)}?`)
    const path = `${paymentMethodsPath}/${encodeURIComponent(id)}`
    const removed = await askAsUser<PaymentMethod>(context, { method: 'DELETE', path })
    context.output.done(`Removed ${oneLine(methodText(removed))}`)
    return record(removed, () => '')
  },
})
