import { paymentMethodFields, type List, type PaymentMethod } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

/** `visa …4242`, or as much as is known. */
export function methodName({ brand, kind, last4 }: PaymentMethod): string {
  return `${brand ?? kind}${last4 === null ? '' : ` …${last4}`}`
}

const columns: Column<PaymentMethod>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'brand', title: 'METHOD', text: methodName, paint: (text, _, { bold }) => bold(text) },
  { field: 'expires_month', title: 'EXPIRES', text: ({ expires_month: month }) => month ?? '' },
  {
    field: 'sandbox',
    title: 'MONEY',
    text: ({ sandbox }) => (sandbox ? 'play money' : 'real'),
    narrow: 'drop',
  },
  {
    field: 'created_at',
    title: 'SAVED',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'drop',
  },
]

export default command({
  details: ['Last saved first; `turnpike auto-topup set` uses that one by default.'],
  fields: paymentMethodFields,
  examples: [{ does: 'List them', line: 'turnpike payment-methods list' }],
  async run(context) {
    const found = await askAsUser<List<PaymentMethod>>(context, { path: '/api/v1/payment-methods' })
    return rows(found, columns, 'No payment methods saved. Save one with: turnpike topup --amount 25 --save')
  },
})
