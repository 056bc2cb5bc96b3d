import {
  keyOfLedgerAccount,
  ledgerAccountId,
  topupReference,
  type LedgerTransfer,
  type ReversalReason,
  type Topup,
  type TopupChange,
  type TopupChanged,
  type TopupMovement,
} from '@turnpike/billing'
import { stopAfterReversal } from '../auto-topups/outcomes.ts'
import { engineOf } from '../database/engine.ts'
import { recallOverdrawn } from '../ledger/account-credit.ts'
import { lockLedger } from '../ledger/key-credit.ts'
import { findByReference, operatorAccounts } from '../ledger/ledger.ts'
import { raiseChange } from './raise-change.ts'
import { takeOwnCredit } from '../ledger/payer.ts'
import { Posting, sidesOf, type NewTransfer } from '../ledger/posting.ts'
import { readPaidBy } from '../billing-details/paid-by.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { toTopup } from './row.ts'

/** Locks the top-up, so that events of its session are serialized, then the ledger accounts, and posts. */
export async function change(
  transaction: Connection,
  id: string,
  decide: (topup: Topup) => TopupChange,
  nowMs: number,
): Promise<TopupChanged | undefined> {
  const row = await transaction
    .selectFrom('topups')
    .selectAll()
    .where('id', '=', id)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) return undefined
  const topup = toTopup(row)
  const decided = decide(topup)
  const posted = await post(transaction, topup, decided.movements, nowMs)
  const changed = withChange(topup, decided, posted, nowMs)
  if (topup.paidAtMs === null && changed.paidAtMs !== null)
    changed.paidBy = await readPaidBy(transaction, topup.accountId)
  await transaction
    .updateTable('topups')
    .set({
      payment_id: changed.paymentId,
      expired: changed.expired ? 1 : 0,
      paid_pico: changed.paidPico,
      refunded_pico: changed.refundedPico,
      disputed_pico: changed.disputedPico,
      refunds_as_of_ms: changed.refundsAsOfMs,
      tax_pico: changed.taxPico,
      paid_at_ms: changed.paidAtMs,
      // The receipt is issued now, and stays as it is.
      ...(changed.paidBy !== null && { paid_by: JSON.stringify(changed.paidBy) }),
    })
    .where('id', '=', id)
    .execute()
  const { accountId } = topup
  // The account's tier may change.
  if (posted.length > 0) await publish(transaction, { about: 'account', accountId })
  const isDebited = posted.some(({ changePico }) => changePico < 0n)
  await recallOverdrawn(transaction, isDebited ? [accountId] : [])
  const reversal = reversalOf(posted)
  if (reversal !== undefined) await stopAfterReversal(transaction, { accountId, reason: reversal, nowMs })
  const outcome = { before: topup, after: changed, failed: decided.failed === true }
  await raiseChange(transaction, outcome, nowMs)
  return { topup: changed, posted: posted.map(({ transfer }) => transfer) }
}

/** Whether money went back to the customer, and why. */
function reversalOf(posted: readonly Posted[]): ReversalReason | undefined {
  // A dispute that is reported only after it has ended takes the credit and gives it back.
  const changePico = posted.reduce((sum, one) => sum + one.changePico, 0n)
  if (changePico >= 0n) return undefined
  return posted.some(({ movement }) => movement.of === 'disputed') ? 'disputed' : 'refunded'
}

interface Posted {
  movement: TopupMovement
  transfer: LedgerTransfer
  /** Above zero if it added credit. */
  changePico: bigint
}

async function post(
  transaction: Connection,
  topup: Topup,
  movements: readonly TopupMovement[],
  nowMs: number,
): Promise<Posted[]> {
  if (movements.length === 0) return []
  const keyId = await keyOf(transaction, topup)
  const wish = keyId === null ? { keyIds: [], accountIds: [topup.accountId] } : { keyIds: [keyId] }
  const locked = await lockLedger(transaction, wish)
  const key = keyId === null ? undefined : locked.keys.get(keyId)!
  const heir = key?.heir ?? locked.heirs.get(topup.accountId)!
  const posted: Posted[] = []
  for (const movement of movements) {
    if ((await findByReference(transaction, movement.reference)) !== undefined) continue
    // One millisecond per transfer, so that the order of identifiers is that of posting.
    const posting = new Posting(locked, nowMs + posted.length)
    const isForKey = movement.of === 'paid' && movement.kind === 'topup' && topup.keyId !== null
    if (isForKey) await takeOwnCredit(transaction, posting, key, nowMs)
    const customer = key?.active === true ? ledgerAccountId.key(key.keyId) : heir
    const { changePico, ...transfer } = await transferOf(transaction, topup, movement, customer)
    const one = { movement, changePico, transfer: posting.transfer({ ...transfer, createdAtMs: nowMs }) }
    if (posting.overflows()) throw new RangeError(`${topup.id} would take ${customer} beyond 64 bits`)
    await posting.post(transaction)
    posted.push(one)
  }
  return posted
}

async function transferOf(
  transaction: Connection,
  topup: Topup,
  movement: TopupMovement,
  customer: string,
): Promise<Omit<NewTransfer, 'createdAtMs'> & { changePico: bigint }> {
  const { reference, reason } = movement
  const corrected =
    movement.kind === 'reversal' ? await findByReference(transaction, movement.reverses) : undefined
  const changePico = movement.kind === 'reversal' ? corrected!.amountPico : movement.amountPico
  const kind = movement.kind === 'reversal' ? 'adjustment' : movement.kind
  const operator = operatorAccounts[kind]
  return {
    kind,
    reference,
    reason,
    accountId: topup.accountId,
    ...sidesOf(operator, customer, changePico),
    correctsTransferId: corrected?.id ?? null,
    changePico,
  }
}

/** The named key, else the key that the credit went to when it was paid. */
async function keyOf(transaction: Connection, topup: Topup): Promise<string | null> {
  if (topup.keyId !== null || topup.paidPico === 0n) return topup.keyId
  const credit = await findByReference(transaction, topupReference(topup))
  return keyOfLedgerAccount(credit?.creditAccount ?? '') ?? null
}

function withChange(topup: Topup, decided: TopupChange, posted: readonly Posted[], nowMs: number): Topup {
  const changed: Topup = {
    ...topup,
    paymentId: topup.paymentId ?? decided.paymentId ?? null,
    expired: topup.expired || decided.expired === true,
    refundsAsOfMs: decided.refundsAsOfMs ?? topup.refundsAsOfMs,
    taxPico: decided.taxPico ?? topup.taxPico,
  }
  for (const { movement, changePico } of posted) {
    if (movement.of === 'paid') {
      changed.paidPico += changePico
      changed.paidAtMs = nowMs
    } else if (movement.of === 'refunded') changed.refundedPico -= changePico
    else changed.disputedPico -= changePico
  }
  return changed
}
