import { formatUsd, monthOf, monthStartMs, type AutoTopup, type ChargeAttempt } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { toTopup } from '../topups/row.ts'
import { highSum, joinSum, lowSum } from '../database/wide-sum.ts'
import { toAutoTopup, toPaymentMethod } from './rows.ts'
import { raiseAutoTopupEvent } from './raise.ts'

/** How soon an account that hit its monthly cap is checked again. The cap may have been raised. */
const cappedMs = 10 * 60 * 1000
/** How soon an account is checked again whose balance was only almost below its threshold. */
const notYetMs = 5_000

/** Starts a new attempt for an account, if its state, balance and cap allow one at this moment. */
export async function beginAttempt(
  transaction: Connection,
  { accountId, untilMs, nowMs }: { accountId: string; untilMs: number; nowMs: number },
): Promise<ChargeAttempt | undefined> {
  const setting = await lockSetting(transaction, accountId)
  if (setting === undefined || !setting.enabled || setting.nextAtMs > nowMs) return undefined
  if (setting.state !== 'idle' && setting.state !== 'waiting') return undefined
  const change = (columns: object): Promise<unknown> =>
    transaction.updateTable('auto_topups').set(columns).where('account_id', '=', accountId).execute()
  if ((await balanceOf(transaction, accountId)) >= setting.thresholdPico) {
    await change({ next_at_ms: nowMs + notYetMs })
    return undefined
  }
  const chargedPico = await sumOfMonth(transaction, accountId, nowMs)
  if (chargedPico + setting.amountPico > setting.monthlyCapPico) {
    const month = monthOf(nowMs)
    await change({ next_at_ms: nowMs + cappedMs, capped_month: month })
    const more = { month, charged_this_month_usd: formatUsd(chargedPico) }
    const of = `${accountId}:${month}`
    await raiseAutoTopupEvent(transaction, 'auto_topup.capped', { setting, of, nowMs, more })
    return undefined
  }
  const method = await methodRow(transaction, setting.paymentMethodId)
  if (method.status !== 'active') return undefined
  const topup = await transaction
    .insertInto('topups')
    .values({
      id: newIdentifier('top', nowMs),
      account_id: accountId,
      key_id: null,
      processor: method.processor,
      amount_pico: setting.amountPico,
      idempotency_key: null,
      created_at_ms: nowMs,
      asked_at_ms: 0,
      ask_at_ms: nowMs,
      origin: 'auto',
      method_id: method.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await change({
    state: 'charging',
    topup_id: topup.id,
    action_topup_id: null,
    next_at_ms: untilMs,
    capped_month: null,
    updated_at_ms: nowMs,
  })
  return { topup: toTopup(topup), method: toPaymentMethod(method), isWanted: true }
}

/** Each attempt goes to one caller: attempts that another transaction claims are skipped. */
export async function claimAttempts(
  transaction: Connection,
  { limit, untilMs, nowMs }: { limit: number; untilMs: number; nowMs: number },
): Promise<ChargeAttempt[]> {
  const due = await transaction
    .selectFrom('auto_topups')
    .select(['account_id', 'topup_id'])
    .where('state', '=', 'charging')
    .where('next_at_ms', '<=', BigInt(nowMs))
    .orderBy('next_at_ms')
    .limit(limit)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute()
  const attempts: ChargeAttempt[] = []
  for (const { account_id: accountId, topup_id: topupId } of due) {
    await transaction
      .updateTable('auto_topups')
      .set({ next_at_ms: untilMs })
      .where('account_id', '=', accountId)
      .execute()
    const attempt = await attemptOf(transaction, topupId!)
    if (attempt !== undefined) attempts.push(attempt)
  }
  return attempts
}

export async function attemptOf(connection: Connection, topupId: string): Promise<ChargeAttempt | undefined> {
  const topup = await connection
    .selectFrom('topups')
    .selectAll()
    .where('id', '=', topupId)
    .where('origin', '=', 'auto')
    .executeTakeFirst()
  if (topup === undefined) return undefined
  const method = toPaymentMethod(await methodRow(connection, topup.method_id!))
  const isOn = await isTurnedOn(connection, topup.account_id)
  return { topup: toTopup(topup), method, isWanted: isOn && method.status === 'active' }
}

async function isTurnedOn(connection: Connection, accountId: string): Promise<boolean> {
  const row = await connection
    .selectFrom('auto_topups')
    .innerJoin('accounts', 'accounts.id', 'auto_topups.account_id')
    .select('auto_topups.account_id')
    .where('auto_topups.account_id', '=', accountId)
    .where('auto_topups.enabled', '=', 1n)
    .where('accounts.status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

export async function lockSetting(
  transaction: Connection,
  accountId: string,
): Promise<AutoTopup | undefined> {
  const row = await transaction
    .selectFrom('auto_topups')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined ? undefined : toAutoTopup(row)
}

/** The sum of all attempts of the month that have not failed. */
export async function sumOfMonth(connection: Connection, accountId: string, nowMs: number): Promise<bigint> {
  const sum = await connection
    .selectFrom('topups')
    .select([highSum('amount_pico').as('high'), lowSum('amount_pico').as('low')])
    .where('account_id', '=', accountId)
    .where('origin', '=', 'auto')
    .where('created_at_ms', '>=', BigInt(monthStartMs(nowMs)))
    .where((expression) => expression.or([expression('expired', '=', 0n), expression('paid_pico', '>', 0n)]))
    .executeTakeFirstOrThrow()
  return joinSum(sum)
}

/** The balance of the active keys plus unassigned credit. Charges count once they are posted. */
async function balanceOf(connection: Connection, accountId: string): Promise<bigint> {
  const sum = await connection
    .selectFrom('ledger_accounts as credit')
    .leftJoin('api_keys', 'api_keys.id', 'credit.key_id')
    .select([highSum('credit.balance_pico').as('high'), lowSum('credit.balance_pico').as('low')])
    .where('credit.account_id', '=', accountId)
    .where((expression) =>
      expression.or([expression('credit.key_id', 'is', null), expression('api_keys.status', '=', 'active')]),
    )
    .executeTakeFirstOrThrow()
  return joinSum(sum)
}

function methodRow(connection: Connection, id: string) {
  return connection.selectFrom('payment_methods').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
