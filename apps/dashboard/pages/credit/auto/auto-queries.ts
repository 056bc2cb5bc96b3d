import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../../api/client.ts'

export type AutoTopup = Schemas['AutoTopup']
export type PaymentMethod = Schemas['PaymentMethod']

/** What is being charged is seen to arrive. */
const refetchMs = 5_000

export const autoTopupQuery = queryOptions({
  queryKey: ['auto-topup', 'setting'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/auto-topup', { signal })),
  refetchInterval: refetchMs,
})

export const methodsQuery = queryOptions({
  queryKey: ['auto-topup', 'methods'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/payment-methods', { signal })),
})

/** `Visa ending in 4242`. */
export function methodName({ kind, brand, last4 }: PaymentMethod): string {
  const what = brand ?? kind
  const named = what.charAt(0).toUpperCase() + what.slice(1)
  return last4 === null ? named : `${named} ending in ${last4}`
}
