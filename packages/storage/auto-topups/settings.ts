import type { AutoTopupSettings, SavedMethod, Topup } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { lockSetting } from './attempts.ts'

/** @returns false if there is no such active payment method */
export async function setSettings(
  transaction: Connection,
  { accountId, settings, nowMs }: { accountId: string; settings: AutoTopupSettings; nowMs: number },
): Promise<boolean> {
  const { paymentMethodId } = settings
  const method = await transaction
    .selectFrom('payment_methods')
    .select('id')
    .where('id', '=', paymentMethodId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (method === undefined) return false
  const columns = {
    enabled: settings.enabled ? 1 : 0,
    threshold_pico: settings.thresholdPico,
    amount_pico: settings.amountPico,
    monthly_cap_pico: settings.monthlyCapPico,
    payment_method_id: paymentMethodId,
    updated_at_ms: nowMs,
  }
  const fresh = { state: 'idle', attempts_failed: 0, next_at_ms: nowMs, failure: null, action_topup_id: null }
  // If two requests come at once, the second one waits here and finds the first one's row.
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('auto_topups')
    .values({ account_id: accountId, ...columns, ...fresh, topup_id: null, capped_month: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((numInsertedOrUpdatedRows ?? 0n) > 0n) return true
  const before = await lockSetting(transaction, accountId)
  const isOther = before?.paymentMethodId !== paymentMethodId
  const beginsAnew = before?.state === 'stopped' || (isOther && before?.state !== 'charging')
  const isCapped = before?.state === 'idle' && before.cappedMonth !== null
  await transaction
    .updateTable('auto_topups')
    .set({
      ...columns,
      ...(beginsAnew && fresh),
      ...(isCapped && { next_at_ms: nowMs, capped_month: null }),
    })
    .where('account_id', '=', accountId)
    .execute()
  return true
}

/** Saves the method of a top-up, once. A charge that waits for confirmation uses it from now on. */
export async function keepMethod(
  transaction: Connection,
  { topup, method, nowMs }: { topup: Topup; method: SavedMethod | undefined; nowMs: number },
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('topups')
    .set({ saves_method: 'done' })
    .where('id', '=', topup.id)
    .where('saves_method', '=', 'wanted')
    .executeTakeFirst()
  if (numUpdatedRows === 0n || method === undefined) return
  const isOpen = await isAccountOpen(transaction, topup.accountId)
  const row = await transaction
    .insertInto('payment_methods')
    .values({
      id: newIdentifier('pmt', nowMs),
      account_id: topup.accountId,
      processor: topup.processor,
      customer_id: method.customerId,
      method_id: method.methodId,
      kind: method.kind,
      brand: method.brand,
      last4: method.last4,
      expires_month: method.expiresMonth,
      saved_by_topup: topup.id,
      created_at_ms: nowMs,
      // The account was closed while the checkout was open.
      ...(!isOpen && removalValues(nowMs)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined || !isOpen) return
  const setting = await lockSetting(transaction, topup.accountId)
  if (setting?.actionTopupId !== topup.id) return
  await transaction
    .updateTable('auto_topups')
    .set({ payment_method_id: row.id, updated_at_ms: nowMs })
    .where('account_id', '=', topup.accountId)
    .execute()
}

export async function removeMethod(
  transaction: Connection,
  { accountId, id, nowMs }: { accountId: string; id: string; nowMs: number },
): Promise<void> {
  await transaction
    .updateTable('payment_methods')
    .set(removalValues(nowMs))
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .execute()
  await transaction
    .updateTable('auto_topups')
    .set({ enabled: 0, updated_at_ms: nowMs })
    .where('account_id', '=', accountId)
    .where('payment_method_id', '=', id)
    .execute()
}

/** Marks a method as removed, and due to be removed at its processor, which is retried until it succeeds. */
function removalValues(nowMs: number) {
  return { status: 'removed', removed_at_ms: nowMs, forget_at_ms: nowMs }
}

/**
 * Locks the account, so that closing it waits and then finds the method saved here. A suspended account
 * counts as open, because it may become active again.
 */
async function isAccountOpen(transaction: Connection, accountId: string): Promise<boolean> {
  const account = await transaction
    .selectFrom('accounts')
    .select('status')
    .where('id', '=', accountId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forShare())
    .executeTakeFirstOrThrow()
  return account.status !== 'closed'
}

/** Removes all payment methods of an account and stops its automatic top-ups. */
export async function forgetMethods(
  transaction: Connection,
  accountId: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('auto_topups')
    .set({ enabled: 0, updated_at_ms: nowMs })
    .where('account_id', '=', accountId)
    .execute()
  await transaction
    .updateTable('payment_methods')
    .set(removalValues(nowMs))
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .execute()
}
