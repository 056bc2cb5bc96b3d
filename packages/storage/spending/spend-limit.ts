import type { SpendLimitState } from '@turnpike/billing'
import { spendPeriodAt, type SpendLimitPeriod } from '@turnpike/protocol'
import { lockLedger } from '../ledger/key-credit.ts'
import type { Connection } from '../schema.ts'
import { rollupsOf } from '../usage/period.ts'
import { chargesIn, sumOf } from './spent.ts'

/** A key's limit and what counts towards it. */
interface KeyLimit {
  /** The key that has the limit: for a replaced key, its latest replacement. */
  headId: string
  accountId: string
  limitPico: bigint
  kind: SpendLimitPeriod
}

/**
 * What a key's spend limit leaves for leases; undefined without a limit. The caller has locked the key's
 * ledger account. A replaced key uses its replacement's limit: that key's account is locked too, and thereby
 * every charge and lease under that limit.
 * @param startedAtMs the start of a request: counts what was spent in that period, or in a later one
 */
export async function lockSpendLimit(
  transaction: Connection,
  keyId: string,
  startedAtMs: number,
): Promise<SpendLimitState | undefined> {
  const limited = await limitOf(transaction, keyId)
  if (limited === undefined) return undefined
  const { headId, accountId, limitPico, kind } = limited
  if (headId !== keyId) await lockLedger(transaction, { keyIds: [keyId, headId] })
  const family = await familyOf(transaction, headId)
  const keyIds = family.map(({ id }) => id)
  const madeAtMs = Math.min(...family.map((key) => Number(key.created_at_ms)))
  const period = spendPeriodAt(kind, startedAtMs)
  const now = rollupsOf(period, madeAtMs, startedAtMs)
  // Another node's clock, or a request that began a moment later, may be in the next period already.
  const next =
    kind === 'total' ? [] : rollupsOf(spendPeriodAt(kind, period.endsAtMs), madeAtMs, period.endsAtMs)
  const charges = await chargesIn(transaction, accountId, keyIds, [...now, ...next])
  const [nowPico, nextPico] = [sumOf(charges, now, keyIds), sumOf(charges, next, keyIds)]
  const spentPico = nowPico > nextPico ? nowPico : nextPico
  let roomPico = limitPico - spentPico
  let predecessorsPico = 0n
  for (const { key_id: leasedTo, amount_pico: leasedPico } of await leasesOf(transaction, keyIds)) {
    roomPico -= leasedPico
    if (leasedTo !== keyId) predecessorsPico += leasedPico
  }
  return { limitPico, period, roomPico, predecessorsPico }
}

async function limitOf(transaction: Connection, keyId: string): Promise<KeyLimit | undefined> {
  const row = await transaction
    .selectFrom('api_keys')
    .innerJoin('api_keys as head', (join) =>
      join.on((expression) =>
        expression('head.id', '=', expression.fn.coalesce('api_keys.replaced_by', 'api_keys.id')),
      ),
    )
    .select(['head.id', 'head.account_id', 'head.spend_limit_pico', 'head.spend_limit_period'])
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst()
  if (row === undefined || row.spend_limit_pico === null || row.spend_limit_period === null) return undefined
  return {
    headId: row.id,
    accountId: row.account_id,
    limitPico: row.spend_limit_pico,
    kind: row.spend_limit_period as SpendLimitPeriod,
  }
}

/** The key and those that it replaced. */
function familyOf(transaction: Connection, headId: string) {
  return transaction
    .selectFrom('api_keys')
    .select(['id', 'created_at_ms'])
    .where((expression) =>
      expression.or([expression('id', '=', headId), expression('replaced_by', '=', headId)]),
    )
    .execute()
}

/** Leases of the keys themselves, whoever's credit they hold. */
function leasesOf(transaction: Connection, keyIds: readonly string[]) {
  return transaction
    .selectFrom('leases')
    .select(['key_id', 'amount_pico'])
    .where('key_id', 'in', keyIds)
    .execute()
}
