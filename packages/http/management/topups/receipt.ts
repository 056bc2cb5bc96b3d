import { formatUsd, grossOf, type Topup } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { billingFields, billingFieldsSchema } from '../billing-details/record.ts'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

/** The issuer of receipts, as the operator configured it. */
export interface ReceiptIssuer {
  name: string
  /** Address, register and tax numbers: whatever the law requires, line by line. */
  legalText: string | null
}

export const receiptSchema = Type.Object(
  {
    object: Type.Literal('receipt'),
    number: Type.String({ description: 'The `session_id` of the top-up; each payment has one receipt.' }),
    issued_by: nullable(
      Type.Object(
        { name: Type.String(), legal_text: nullable(Type.String()) },
        {
          description: 'From `payments.receipt` in the configuration; null: not set.',
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
      description: 'The payment processor; `sandbox`: no real money.',
    }),
    currency: Type.Literal('USD'),
    paid_usd: Type.Unsafe<string>({ ...usd, description: 'Amount paid, including tax.' }),
    tax_usd: Type.Unsafe<string>({ ...usd, description: 'Tax included, which buys no credit.' }),
    credited_usd: Type.Unsafe<string>({ ...usd, description: 'The credit that was granted for it.' }),
    refunded_usd: Type.Unsafe<string>({ ...usd, description: 'Refunded since.' }),
    disputed_usd: Type.Unsafe<string>({ ...usd, description: "Disputed by the payer's bank." }),
    net_usd: Type.Unsafe<string>({ ...usd, description: 'Amount still paid.' }),
  },
  { title: 'Receipt' },
)

/** With name and address as of the payment. @throws {GatewayError} 404 if nothing was paid */
export function receiptOf(
  topup: Topup,
  account: Pick<Account, 'id' | 'displayName' | 'email'>,
  issuer: ReceiptIssuer | undefined,
): Static<typeof receiptSchema> {
  const { paidPico, taxPico, paidAtMs } = topup
  const refundedPico = grossOf(topup, topup.refundedPico)
  const disputedPico = grossOf(topup, topup.disputedPico)
  // Null: an older version of the gateway booked it.
  const { displayName, email, billing } = topup.paidBy ?? { ...account, billing: null }
  if (paidAtMs === null)
    throw new GatewayError('not_found_error', 'This top-up has no receipt, since nothing was paid.')
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
