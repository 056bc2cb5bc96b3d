import { ledgerAccountId } from '@turnpike/billing'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { joinSum } from '../database/wide-sum.ts'

/** The total credit of an account: of its keys, and unassigned. */
export interface AccountCredit {
  /** Less than a key's own if another one is below zero. Below zero if more is leased than is left. */
  freePico: bigint
  leasedPico: bigint
}

/**
 * Locks accounts by their rows of unassigned credit: leasing credit of an account's keys, and taking credit
 * away, hold this lock until they commit. It comes after the rows of keys, in the order of ids.
 */
export async function lockAccounts(transaction: Connection, accountIds: readonly string[]): Promise<void> {
  if (engineOf(transaction) === 'sqlite' || accountIds.length === 0) return
  await transaction
    .selectFrom('ledger_accounts')
    .select('id')
    .where('id', 'in', accountIds.map(ledgerAccountId.unassigned))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Includes unassigned credit; an unassigned debt is a debt of the account. Revoked keys count with what their
 * leases hold, which is neither free nor owed.
 */
export async function creditOfAccounts(
  transaction: Connection,
  accountIds: readonly string[],
): Promise<Map<string, AccountCredit>> {
  const free = sql`(balance_pico - leased_pico)`
  const rows = await transaction
    .selectFrom('ledger_accounts')
    .select(sql<string>`account_id`.as('account_id'))
    .select([
      sql<bigint>`sum(${free} >> 32)`.as('free_high'),
      sql<bigint>`sum(${free} & 4294967295)`.as('free_low'),
      sql<bigint>`sum(leased_pico >> 32)`.as('leased_high'),
      sql<bigint>`sum(leased_pico & 4294967295)`.as('leased_low'),
    ])
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.account_id,
      {
        freePico: joinSum({ high: row.free_high, low: row.free_low }),
        leasedPico: joinSum({ high: row.leased_high, low: row.leased_low }),
      },
    ]),
  )
}

/** Keys of the accounts that have leases, largest first. */
export async function listLeasedKeys(
  transaction: Connection,
  accountIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('leases')
    .innerJoin('api_keys', 'api_keys.id', 'leases.key_id')
    .select('key_id')
    .where('account_id', 'in', accountIds)
    .where('amount_pico', '>', 0n)
    .groupBy('key_id')
    .orderBy((expression) => expression.fn.max('amount_pico'), 'desc')
    .orderBy('key_id')
    .limit(limit)
    .execute()
  return rows.map(({ key_id: keyId }) => keyId)
}

/** Limits the notices of one transaction. Whoever is short of credit asks for the rest. */
const recalledAtOnce = 1_000

/**
 * Recalls leases after credit was taken from these accounts. If an account now has less than it has leased,
 * all nodes are notified to return what none of their requests holds, for all of its keys.
 * @returns the keys that nodes were notified of
 */
export async function recallOverdrawn(
  transaction: Connection,
  accountIds: readonly string[],
): Promise<string[]> {
  if (accountIds.length === 0) return []
  await lockAccounts(transaction, accountIds)
  const credit = await creditOfAccounts(transaction, accountIds)
  const overdrawn = accountIds.filter((id) => (credit.get(id)?.freePico ?? 0n) < 0n)
  if (overdrawn.length === 0) return []
  const keyIds = await listLeasedKeys(transaction, overdrawn, recalledAtOnce)
  for (const keyId of keyIds) await publish(transaction, { about: 'overdrawn', keyId })
  return keyIds
}
