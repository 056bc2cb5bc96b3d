import type { ApiKey } from '@turnpike/identity'
import { spendPeriodAt } from '@turnpike/protocol'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import { rollupsOf } from '../usage/period.ts'
import { joinSum, type WideSum } from '../database/wide-sum.ts'

/** What a key was charged in a rollup (`d2026-03-15`, `m2026-03`). */
interface Charge {
  keyId: string
  rollup: string
  pico: bigint
}

/** Read from the totals that each charge updates, so that no second count can diverge from the ledger. */
export async function chargesIn(
  connection: Connection,
  accountId: string,
  keyIds: readonly string[],
  rollups: readonly string[],
): Promise<Charge[]> {
  const rows = await connection
    .selectFrom('usage_totals')
    .select(['key_id', 'period'])
    .select(sql<WideSum['high']>`sum(cost_high)`.as('high'))
    .select(sql<WideSum['low']>`sum(cost_low)`.as('low'))
    .where('period', 'in', rollups)
    .where('account_id', '=', accountId)
    .where('key_id', 'in', keyIds)
    .groupBy(['key_id', 'period'])
    .execute()
  return rows.map((row) => ({ keyId: row.key_id, rollup: row.period, pico: joinSum(row) }))
}

export function sumOf(
  charges: readonly Charge[],
  rollups: readonly string[],
  keyIds: readonly string[],
): bigint {
  let sumPico = 0n
  for (const { keyId, rollup, pico } of charges)
    if (rollups.includes(rollup) && keyIds.includes(keyId)) sumPico += pico
  return sumPico
}

/** What each of an account's keys, with those it replaced, has spent in its limit's current period. */
export async function readSpend(
  connection: Connection,
  accountId: string,
  keys: readonly ApiKey[],
  nowMs: number,
): Promise<Map<string, bigint>> {
  const limited = keys.filter(({ spendLimitPeriod }) => spendLimitPeriod !== null)
  if (limited.length === 0) return new Map()
  const replaced = await connection
    .selectFrom('api_keys')
    .select(['id', 'replaced_by', 'created_at_ms'])
    .where(
      'replaced_by',
      'in',
      limited.map(({ id }) => id),
    )
    .execute()
  const lines = limited.map((key) => {
    const before = replaced.filter((row) => row.replaced_by === key.id)
    const madeAtMs = Math.min(key.createdAtMs, ...before.map((row) => Number(row.created_at_ms)))
    const rollups = rollupsOf(spendPeriodAt(key.spendLimitPeriod!, nowMs), madeAtMs, nowMs)
    return { id: key.id, keyIds: [key.id, ...before.map((row) => row.id)], rollups }
  })
  const charges = await chargesIn(
    connection,
    accountId,
    lines.flatMap(({ keyIds }) => keyIds),
    [...new Set(lines.flatMap(({ rollups }) => rollups))],
  )
  return new Map(lines.map(({ id, keyIds, rollups }) => [id, sumOf(charges, rollups, keyIds)]))
}
