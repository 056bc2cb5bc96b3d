import { formatUsd, topupStatuses, topupStatusOf, type Topup } from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp, usd } from '../validation/fields.ts'

export const topupSchema = Type.Object(
  {
    object: Type.Literal('topup'),
    session_id: Type.String(),
    status: Type.Enum([...topupStatuses], {
      description: '`refunded`: the whole payment was refunded or is disputed.',
    }),
    checkout_url: nullable(
      Type.String({ description: 'Where a person pays; null once it can no longer be paid.' }),
    ),
    amount_usd: Type.Unsafe<string>({ ...usd, description: 'The requested amount.' }),
    paid_usd: Type.Unsafe<string>({ ...usd, description: 'The amount paid and credited.' }),
    tax_usd: Type.Unsafe<string>({ ...usd, description: 'Tax paid in addition, which buys no credit.' }),
    refunded_usd: Type.Unsafe<string>({ ...usd, description: 'Refunded amount.' }),
    disputed_usd: Type.Unsafe<string>({ ...usd, description: "Amount disputed by the payer's bank." }),
    key_id: nullable(Type.String({ description: 'The key that was named; null: the default key.' })),
    origin: Type.Enum(['checkout', 'auto', 'link'], {
      description: '`auto`: automatic top-up. `link`: opened with the payment link of a 402.',
    }),
    sandbox: Type.Boolean({ description: 'No real money; the checkout is a page of this gateway.' }),
    created_at: timestamp,
    expires_at: timestamp,
    paid_at: nullable(timestamp),
  },
  { title: 'Topup' },
)

export function topupRecord(topup: Topup): Static<typeof topupSchema> {
  const status = topupStatusOf(topup)
  return {
    object: 'topup',
    session_id: topup.id,
    status,
    checkout_url: status === 'open' ? (topup.checkout?.url ?? null) : null,
    amount_usd: formatUsd(topup.amountPico),
    paid_usd: formatUsd(topup.paidPico),
    tax_usd: formatUsd(topup.taxPico),
    refunded_usd: formatUsd(topup.refundedPico),
    disputed_usd: formatUsd(topup.disputedPico),
    key_id: topup.keyId,
    origin: topup.origin,
    sandbox: topup.processor === 'sandbox',
    created_at: epochSeconds(topup.createdAtMs),
    expires_at: epochSeconds(topup.checkout?.expiresAtMs ?? topup.createdAtMs),
    paid_at: epochSecondsOrNull(topup.paidAtMs),
  }
}
