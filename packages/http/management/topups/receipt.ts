import { formatUsd, grossOf, type Topup } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { billingFields, billingFieldsSchema } from '../billing-details/record.ts'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

/** Whom receipts are from, as the operator configured it. */
export interface ReceiptIssuer {
  name: string
  /** Address, register and tax numbers: what the law wants there, line by line. */
  legalText: string | null
}

export const receiptSchema = Type.Object(
  {
    object: Type.Literal('receipt'),
    number: Type.String({ description: 'That of the top-up, its `session_id`: one payment, one receipt.' }),
    issued_by: nullable(
      Type.Object(
        { name: Type.String(), legal_text: nullable(Type.String()) },
        {
          description: "As the configuration's `payments.receipt` says; null: it says nothing.",
        },
      ),
    ),
    account: Type.Object({
      id: Type.String(),
      display_name: nullable(Type.String()),
      email: nullable(Type.String()),
    }),
    billing_address: nullable(billingFieldsSchema),
    paid_at: timestamp,
    method: Type.Enum(['stripe', 'sandbox'], {
      description: 'Where it was paid; `sandbox`: with no real money.',
    }),
    currency: Type.Literal('USD'),
    paid_usd: Type.Unsafe<string>({ ...usd, description: 'What was paid, with tax.' }),
    tax_usd: Type.Unsafe<string>({ ...usd, description: 'What of it was tax, which buys no credit.' }),
    credited_usd: Type.Unsafe<string>({ ...usd, description: 'The credit that was granted for it.' }),
    refunded_usd: Type.Unsafe<string>({ ...usd, description: 'What went back since.' }),
    disputed_usd: Type.Unsafe<string>({ ...usd, description: "What the payer's bank asks back." }),
    net_usd: Type.Unsafe<string>({ ...usd, description: 'What remains paid.' }),
  },
  { title: 'Receipt' },
)

/**
 * Made out to whom it was when it was paid, whatever the account says now.
 * @throws {GatewayError} 404 where nothing was paid
 */
export function receiptOf(
  topup: Topup,
  account: Pick<Account, 'id' | 'displayName' | 'email'>,
  issuer: ReceiptIssuer | undefined,
): Static<typeof receiptSchema> {
  const { paidPico, taxPico, paidAtMs } = topup
  const refundedPico = grossOf(topup, topup.refundedPico)
  const disputedPico = grossOf(topup, topup.disputedPico)
  // Null: an older node of the gateway booked it.
  const { displayName, email, billing } = topup.paidBy ?? { ...account, billing: null }
  if (paidAtMs === null)
    throw new GatewayError('not_found_error', 'There is no receipt of this top-up: nothing was paid.')
  return {
    object: 'receipt',
    number: topup.id,
    issued_by: issuer === undefined ? null : { name: issuer.name, legal_text: issuer.legalText },
    account: { id: account.id, display_name: displayName, email },
    billing_address: billing === null ? null : billingFields(billing),
    paid_at: epochSeconds(paidAtMs),
    method: topup.processor,
    currency: 'USD',
    paid_usd: formatUsd(paidPico + taxPico),
    tax_usd: formatUsd(taxPico),
    credited_usd: formatUsd(paidPico),
    refunded_usd: formatUsd(refundedPico),
    disputed_usd: formatUsd(disputedPico),
    net_usd: formatUsd(paidPico + taxPico - refundedPico - disputedPico),
  }
}
