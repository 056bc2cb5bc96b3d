import { autoTopupFields, type AutoTopupState, type List, type PaymentMethod } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, requiredText, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { autoTopupPath, autoTopupText } from './show.ts'

export default command({
  details: [
    'When the balance falls below --below, charges --amount to the payment method, up to --cap a ' +
      'month (UTC). Save a payment method with `turnpike topup --save`.',
  ],
  options: {
    below: requiredText('usd', 'Balance below which to charge'),
    amount: requiredText('usd', 'How much at a time'),
    cap: text('usd', 'Maximum per month (default: unchanged; required the first time)'),
    method: text('id', 'The payment method (default: the last saved)'),
  },
  fields: autoTopupFields,
  examples: [
    {
      does: 'Add 50 USD below 10 USD, at most 200 a month',
      line: 'turnpike auto-topup set --below 10 --amount 50 --cap 200',
    },
  ],
  async run(context, { below, amount, cap, method }) {
    const body = {
      threshold_usd: usdAmount(below, '--below'),
      amount_usd: usdAmount(amount, '--amount'),
      monthly_cap_usd: cap === undefined ? await capNow(context) : usdAmount(cap, '--cap'),
      payment_method_id: method ?? (await lastSaved(context)),
    }
    const state = await askAsUser<AutoTopupState>(context, { method: 'PUT', path: autoTopupPath, body })
    return record(state, (screen) => autoTopupText(state, screen))
  },
})

async function capNow(context: Context): Promise<string> {
  const { monthly_cap_usd: cap } = await askAsUser<AutoTopupState>(context, { path: autoTopupPath })
  if (cap === null) throw badInput('--cap: expected the most that may be charged per month.', '--cap')
  return cap
}

async function lastSaved(context: Context): Promise<string> {
  const { data } = await askAsUser<List<PaymentMethod>>(context, { path: '/api/v1/payment-methods' })
  const [last] = data
  if (last === undefined)
    throw badInput('No payment method is saved. Save one with: turnpike topup --amount 25 --save', '--method')
  return last.id
}
