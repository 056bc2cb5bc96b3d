import {
  formatUsd,
  ledgerAccountId,
  topupOfReference,
  transferKinds,
  type LedgerTransfer,
} from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

export const ledgerEntrySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('ledger_entry'),
    kind: Type.Enum([...transferKinds]),
    amount_usd: Type.String({ description: 'The amount moved; always above zero.' }),
    change_usd: Type.Unsafe<string>({
      ...usd,
      description: "The change of the account's credit; 0 if the credit stayed within the account.",
    }),
    debit_account: Type.String({ description: 'Where it came from.' }),
    credit_account: Type.String({ description: 'Where it went.' }),
    reference: Type.String(),
    request_id: nullable(Type.String()),
    topup_id: nullable(
      Type.String({ description: 'The top-up that it belongs to, and whose receipt shows it.' }),
    ),
    reason: nullable(Type.String()),
    corrects: nullable(Type.String({ description: 'The entry that this one corrects.' })),
    created_at: timestamp,
  },
  { title: 'LedgerEntry' },
)

export function ledgerEntry(transfer: LedgerTransfer): Static<typeof ledgerEntrySchema> {
  return {
    id: transfer.id,
    object: 'ledger_entry',
    kind: transfer.kind,
    amount_usd: formatUsd(transfer.amountPico),
    change_usd: formatUsd(changePico(transfer)),
    debit_account: transfer.debitAccount,
    credit_account: transfer.creditAccount,
    reference: transfer.reference,
    request_id: transfer.requestId,
    topup_id: topupIdOf(transfer),
    reason: transfer.reason,
    corrects: transfer.correctsTransferId,
    created_at: epochSeconds(transfer.createdAtMs),
  }
}

export function topupIdOf({ reference }: LedgerTransfer): string | null {
  return topupOfReference(reference) ?? null
}

/** How much the transfer changed the account's credit. */
export function changePico({ debitAccount, creditAccount, amountPico }: LedgerTransfer): bigint {
  return (isCustomers(creditAccount) ? amountPico : 0n) - (isCustomers(debitAccount) ? amountPico : 0n)
}

/** True for the credit of a key or an account; false for the operator's own ledger accounts. */
function isCustomers(ledgerAccount: string): boolean {
  return (
    ledgerAccount.startsWith(ledgerAccountId.key('')) ||
    ledgerAccount.startsWith(ledgerAccountId.unassigned(''))
  )
}
