import { formatUsd, type Topup } from '@turnpike/billing'
import type { EventType } from '@turnpike/notify'
import { raise } from '../events/raise.ts'
import type { Connection } from '../schema.ts'

/** Raises events for a changed top-up: that it was paid, or that money went back or came again. */
export async function raiseChange(
  transaction: Connection,
  { before, after, failed }: { before: Topup; after: Topup; failed: boolean },
  nowMs: number,
): Promise<void> {
  const raiseOnce = (type: EventType, what: string): Promise<unknown> =>
    raise(transaction, {
      type,
      accountId: after.accountId,
      dedupeKey: `topup:${after.id}:${what}`,
      occurredAtMs: nowMs,
      data: {
        object: 'topup',
        session_id: after.id,
        key_id: after.keyId,
        paid_usd: formatUsd(after.paidPico),
        refunded_usd: formatUsd(after.refundedPico),
        disputed_usd: formatUsd(after.disputedPico),
        sandbox: after.processor === 'sandbox',
      },
    })
  if (after.paidPico !== before.paidPico) {
    await raiseOnce('topup.paid', 'paid')
    await notifyOperators(transaction, after, nowMs)
  }
  if (failed && !before.expired && after.paidPico === 0n) await raiseOnce('topup.failed', 'failed')
  const [wentBack, wentBackBefore] = [after, before].map(
    ({ refundedPico, disputedPico }) => `${refundedPico}:${disputedPico}`,
  )
  if (wentBack !== wentBackBefore) await raiseOnce('topup.refunded', `refunded:${wentBack}:${nowMs}`)
}

/** Money for a closed account: its owner gets no more notifications, so operators do. */
async function notifyOperators(
  transaction: Connection,
  { id, accountId, paymentId, paidPico, processor }: Topup,
  nowMs: number,
): Promise<void> {
  const closed = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('status', '=', 'closed')
    .executeTakeFirst()
  if (closed === undefined) return
  await raise(transaction, {
    type: 'topup.paid_after_closing',
    accountId: null,
    dedupeKey: `topup:${id}:after-closing`,
    occurredAtMs: nowMs,
    data: {
      object: 'topup',
      session_id: id,
      closed_account_id: accountId,
      payment_id: paymentId,
      paid_usd: formatUsd(paidPico),
      sandbox: processor === 'sandbox',
    },
  })
}
