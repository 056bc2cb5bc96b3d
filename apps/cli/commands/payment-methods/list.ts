import { paymentMethodFields, type List, type PaymentMethod } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

export const paymentMethodsPath = '/api/v1/payment-methods'

/** `visa ····4242` */
export function methodText({ brand, kind, last4 }: PaymentMethod): string {
  return [brand ?? kind, ...(last4 === null ? [] : [`····${last4}`])].join(' ')
}

const columns: Column<PaymentMethod>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'brand', title: 'METHOD', text: methodText, paint: (text, _, { bold }) => bold(text) },
  { field: 'expires_month', title: 'EXPIRES', text: ({ expires_month: month }) => month ?? '' },
  { field: 'sandbox', title: 'MONEY', text: ({ sandbox }) => (sandbox ? 'play money' : '') },
  {
    field: 'created_at',
    title: 'SAVED',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'drop',
  },
]

export const listPaymentMethods = command({
  details: ['What automatic top-ups may be charged to. To save one: turnpike topup --save.'],
  arguments: {},
  options: {},
  fields: paymentMethodFields,
  examples: [{ does: 'List them', line: 'turnpike payment-methods list' }],
  async run(context) {
    const found = await askAsUser<List<PaymentMethod>>(context, { path: paymentMethodsPath })
    return rows(found, columns, 'None is saved. Save one: turnpike topup --amount 25 --save')
  },
})
