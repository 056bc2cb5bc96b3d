import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'

export type AutoTopup = Schemas['AutoTopup']
export type PaymentMethod = Schemas['PaymentMethod']

/** Short, so that a pending charge is seen to arrive. */
const refetchMs = 5_000

export const autoTopupQuery = queryOptions({
  ...readQuery(['auto-topup', 'setting'], '/api/v1/auto-topup'),
  refetchInterval: refetchMs,
})

export const methodsQuery = readQuery(['auto-topup', 'methods'], '/api/v1/payment-methods')

/** `Visa ending in 4242`. */
export function methodName({ kind, brand, last4 }: PaymentMethod): string {
  const what = brand ?? kind
  const named = what.charAt(0).toUpperCase() + what.slice(1)
  return last4 === null ? named : `${named} ending in ${last4}`
}
