import { formatUsd } from '@turnpike/billing'
import {
  comparedDays,
  expiryNotice,
  historyMs,
  isUnusual,
  runwayDays,
  runwayTenths,
  usualPico,
  type NewEvent,
} from '@turnpike/notify'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { dayMs, dayPeriod, hourMs, hourPeriod } from '../usage/period.ts'
import { readSpendByPeriod } from './figures.ts'
import { raise } from './raise.ts'
import type { AlertRow } from './tables.ts'

/** The requests of an hour are charged at most this long after its end. */
const lateMs = 10 * 60 * 1000

/** Checks one rule, and raises its event if it applies. */
export async function checkRule(
  database: Database,
  row: AlertRow,
  creditPico: bigint,
  nowMs: number,
): Promise<void> {
  switch (row.kind) {
    case 'balance':
      return checkBalance(database, row, creditPico, nowMs)
    case 'runway':
      return checkRunway(database, row, creditPico, nowMs)
    case 'unusual_spend':
      return checkSpend(database, row, nowMs)
    default:
      return checkKeys(database, row, nowMs)
  }
}

async function checkBalance(
  database: Database,
  row: AlertRow,
  creditPico: bigint,
  nowMs: number,
): Promise<void> {
  const thresholdPico = row.threshold_pico ?? 0n
  await turn(database, row, creditPico < thresholdPico, {
    type: 'balance.low',
    occurredAtMs: nowMs,
    data: {
      object: 'balance_alert',
      balance_usd: formatUsd(creditPico),
      threshold_usd: formatUsd(thresholdPico),
    },
  })
}

async function checkRunway(
  database: Database,
  row: AlertRow,
  creditPico: bigint,
  nowMs: number,
): Promise<void> {
  const days = Number(row.days ?? 0)
  const periods = Array.from({ length: runwayDays }, (_, day) => dayPeriod(nowMs - (day + 1) * dayMs))
  const spent = await readSpendByPeriod(database.read, row.account_id, periods)
  const tenths = runwayTenths(creditPico, spent)
  await turn(database, row, tenths !== undefined && tenths < days * 10, {
    type: 'balance.runway',
    occurredAtMs: nowMs,
    data: {
      object: 'runway_alert',
      balance_usd: formatUsd(creditPico),
      days_left: (tenths ?? 0) / 10,
      threshold_days: days,
      spent_usd: formatUsd(spent.reduce((sum, pico) => sum + pico, 0n)),
      spent_days: runwayDays,
    },
  })
}

/** Raises an armed rule that applies, and rearms a raised rule that no longer applies. */
async function turn(
  database: Database,
  row: AlertRow,
  holds: boolean,
  event: Omit<NewEvent, 'accountId' | 'dedupeKey'>,
): Promise<void> {
  if (holds === (row.state === 'raised')) return
  await inTransaction(database, async (transaction) => {
    const turned = await transaction
      .updateTable('alert_rules')
      .set(holds ? { state: 'raised', episode: sql<bigint>`episode + 1` } : { state: 'armed' })
      .where('account_id', '=', row.account_id)
      .where('kind', '=', row.kind)
      .where('enabled', '=', 1n)
      .where('state', '=', row.state)
      // Unchanged since it was read: nobody has set another threshold meanwhile.
      .where('updated_at_ms', '=', row.updated_at_ms)
      .returning('episode')
      .executeTakeFirst()
    if (turned === undefined || !holds) return
    const dedupeKey = `${row.kind}:${row.account_id}:${turned.episode}`
    await raise(transaction, { ...event, accountId: row.account_id, dedupeKey })
  })
}

/** Checks the current hour and, shortly after it begins, also the one before, for late charges. */
async function checkSpend(
  database: Database,
  { account_id: accountId }: AlertRow,
  nowMs: number,
): Promise<void> {
  const account = await database.write
    .selectFrom('accounts')
    .select('created_at_ms')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (nowMs - Number(account.created_at_ms) < historyMs) return
  const hours = nowMs % hourMs < lateMs ? [nowMs, nowMs - hourMs] : [nowMs]
  for (const atMs of hours) {
    const periods = Array.from({ length: comparedDays + 1 }, (_, day) => hourPeriod(atMs - day * dayMs))
    const [hourPico, ...beforePico] = await readSpendByPeriod(database.read, accountId, periods)
    const meanPico = usualPico(beforePico)
    if (!isUnusual(hourPico!, meanPico)) continue
    const startedAtMs = Math.floor(atMs / hourMs) * hourMs
    await inTransaction(database, (transaction) =>
      raise(transaction, {
        type: 'spend.unusual',
        accountId,
        dedupeKey: `unusual:${accountId}:${periods[0]}`,
        occurredAtMs: nowMs,
        data: {
          object: 'spend_alert',
          hour_started_at: startedAtMs / 1000,
          spent_usd: formatUsd(hourPico!),
          usual_usd: formatUsd(meanPico),
        },
      }),
    )
  }
}

async function checkKeys(database: Database, row: AlertRow, nowMs: number): Promise<void> {
  const { account_id: accountId } = row
  const days = Number(row.days ?? 1)
  const keys = await database.write
    .selectFrom('api_keys')
    .select(['id', 'name', 'key_prefix', 'created_at_ms', 'expires_at_ms'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .where('expires_at_ms', '>', BigInt(nowMs))
    .where('expires_at_ms', '<=', BigInt(nowMs + Math.max(days, 1) * dayMs))
    .execute()
  for (const key of keys) {
    const expiresAtMs = Number(key.expires_at_ms)
    const notice = expiryNotice({ createdAtMs: Number(key.created_at_ms), expiresAtMs }, days, nowMs)
    if (notice === undefined) continue
    await inTransaction(database, (transaction) =>
      raise(transaction, {
        type: 'key.expiring',
        accountId,
        dedupeKey: `key:${key.id}:${expiresAtMs}:${notice}`,
        occurredAtMs: nowMs,
        data: {
          object: 'key_alert',
          key_id: key.id,
          name: key.name,
          key_prefix: key.key_prefix,
          expires_at: Math.floor(expiresAtMs / 1000),
          days: notice,
        },
      }),
    )
  }
}
