import {
  actionMs,
  afterFailure,
  authenticationRequired,
  restMs,
  type AutoTopup,
  type AutoTopupState,
  type ReversalReason,
} from '@turnpike/billing'
import type { Connection } from '../schema.ts'
import { lockSetting } from './attempts.ts'
import { raiseAutoTopupEvent } from './raise.ts'

const notPaidInTime = 'confirmation_not_given'
const notWanted = 'turned_off'

/** The charge succeeded and is in the ledger. */
export async function recordSuccess(transaction: Connection, topupId: string, nowMs: number): Promise<void> {
  const setting = await settingOf(transaction, { topupId, state: 'charging' })
  if (setting !== undefined) await toIdle(transaction, setting.accountId, nowMs)
}

/** The charge was not made, and never will be. */
export async function recordFailure(
  transaction: Connection,
  { topupId, reason, nowMs }: { topupId: string; reason: string; nowMs: number },
): Promise<void> {
  const setting = await settingOf(transaction, { topupId, state: 'charging' })
  if (setting === undefined) return
  await markFailed(transaction, topupId, reason)
  await fail(transaction, { setting, reason, nowMs })
}

/** Nothing was charged or will be. This does not count as a failure. */
export async function recordWithdrawal(
  transaction: Connection,
  topupId: string,
  nowMs: number,
): Promise<void> {
  const setting = await settingOf(transaction, { topupId, state: 'charging' })
  if (setting === undefined) return
  await markFailed(transaction, topupId, notWanted)
  await toIdle(transaction, setting.accountId, nowMs)
}

/**
 * A payment of one of the account's top-ups was reversed, and its credit taken back. Automatic top-ups stop
 * until somebody changes the setting, so that they do not pay for the reversal. A running attempt continues.
 */
export async function stopAfterReversal(
  transaction: Connection,
  { accountId, reason, nowMs }: { accountId: string; reason: ReversalReason; nowMs: number },
): Promise<void> {
  const setting = await lockSetting(transaction, accountId)
  if (setting === undefined || !setting.enabled || setting.state === 'stopped') return
  const stopped = { state: 'stopped', failure: reason, action_topup_id: null, next_at_ms: nowMs }
  await transaction
    .updateTable('auto_topups')
    .set({ ...(setting.state === 'charging' ? { enabled: 0 } : stopped), updated_at_ms: nowMs })
    .where('account_id', '=', accountId)
    .execute()
  const more = { failure: reason, attempts_failed: setting.attemptsFailed, next_attempt_at: null }
  await raiseAutoTopupEvent(transaction, 'auto_topup.stopped', {
    setting,
    of: `${accountId}:${reason}:${nowMs}`,
    nowMs,
    more,
  })
}

/** The charge was stopped because the bank wants a confirmation; the customer gets a checkout instead. */
export async function needsAction(
  transaction: Connection,
  { topupId, actionTopupId, nowMs }: { topupId: string; actionTopupId: string; nowMs: number },
): Promise<void> {
  const setting = await settingOf(transaction, { topupId, state: 'charging' })
  if (setting === undefined) return
  await markFailed(transaction, topupId, authenticationRequired)
  await transaction
    .updateTable('auto_topups')
    .set({
      state: 'needs_action',
      action_topup_id: actionTopupId,
      next_at_ms: nowMs + actionMs,
      failure: authenticationRequired,
      updated_at_ms: nowMs,
    })
    .where('account_id', '=', setting.accountId)
    .execute()
  const action = await transaction
    .selectFrom('topups')
    .select('checkout_url')
    .where('id', '=', actionTopupId)
    .executeTakeFirst()
  const more = { action_url: action?.checkout_url ?? null, action_session_id: actionTopupId }
  await raiseAutoTopupEvent(transaction, 'auto_topup.action_required', {
    setting,
    of: topupId,
    nowMs,
    more,
  })
}

/** Ends the wait for checkouts that were paid, or not paid in time. */
export async function concludeActions(transaction: Connection, limit: number, nowMs: number): Promise<void> {
  const due = await transaction
    .selectFrom('auto_topups')
    .innerJoin('topups', 'topups.id', 'auto_topups.action_topup_id')
    .select(['auto_topups.account_id', 'topups.paid_pico'])
    .where('auto_topups.state', '=', 'needs_action')
    .where('auto_topups.enabled', '=', 1n)
    .where((expression) =>
      expression.or([
        expression('topups.paid_pico', '>', 0n),
        expression('auto_topups.next_at_ms', '<=', BigInt(nowMs)),
      ]),
    )
    .limit(limit)
    .execute()
  for (const { account_id: accountId, paid_pico: paidPico } of due) {
    const setting = await lockSetting(transaction, accountId)
    if (setting?.state !== 'needs_action') continue
    if (paidPico > 0n) await toIdle(transaction, accountId, nowMs)
    else await fail(transaction, { setting, reason: notPaidInTime, nowMs })
  }
}

async function settingOf(
  transaction: Connection,
  { topupId, state }: { topupId: string; state: AutoTopupState },
): Promise<AutoTopup | undefined> {
  const row = await transaction
    .selectFrom('topups')
    .select('account_id')
    .where('id', '=', topupId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const setting = await lockSetting(transaction, row.account_id)
  return setting?.topupId === topupId && setting.state === state ? setting : undefined
}

async function toIdle(transaction: Connection, accountId: string, nowMs: number): Promise<void> {
  await transaction
    .updateTable('auto_topups')
    .set({
      state: 'idle',
      action_topup_id: null,
      attempts_failed: 0,
      failure: null,
      next_at_ms: nowMs + restMs,
      updated_at_ms: nowMs,
    })
    .where('account_id', '=', accountId)
    .execute()
}

async function fail(
  transaction: Connection,
  { setting, reason, nowMs }: { setting: AutoTopup; reason: string; nowMs: number },
): Promise<void> {
  const { accountId, attemptsFailed, topupId } = setting
  const after = afterFailure(attemptsFailed, nowMs)
  await transaction
    .updateTable('auto_topups')
    .set({
      state: after.state,
      action_topup_id: null,
      attempts_failed: after.attemptsFailed,
      failure: reason,
      next_at_ms: after.nextAtMs,
      updated_at_ms: nowMs,
    })
    .where('account_id', '=', accountId)
    .execute()
  const isOver = after.state === 'stopped'
  const more = {
    failure: reason,
    attempts_failed: after.attemptsFailed,
    next_attempt_at: isOver ? null : Math.floor(after.nextAtMs / 1000),
  }
  const type = isOver ? 'auto_topup.stopped' : 'auto_topup.failed'
  await raiseAutoTopupEvent(transaction, type, { setting, of: `${topupId}`, nowMs, more })
}

/** A top-up that is paid later all the same is credited; then it has not failed. */
async function markFailed(transaction: Connection, topupId: string, reason: string): Promise<void> {
  await transaction
    .updateTable('topups')
    .set({ expired: 1, failure: reason })
    .where('id', '=', topupId)
    .where('paid_pico', '=', 0n)
    .execute()
}
