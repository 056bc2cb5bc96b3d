import { ledgerAccountId } from '@turnpike/billing'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { joinSum } from '../database/wide-sum.ts'

/** What all of an account's credit comes to: of its keys, and what is not assigned to any. */
export interface AccountCredit {
  /**
   * Less than any key's own where another one is below zero, and below zero where more is leased than is
   * left.
   */
  freePico: bigint
  leasedPico: bigint
}

/**
 * The account's row of unassigned credit stands for the account: who leases credit of any of its keys, and
 * who takes credit away, hold it until they commit. It is locked behind the rows of keys, as their
 * identifiers are in order.
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
 * Credit that waits for a key counts: what is below zero there is a debt of the account as any other. Revoked
 * keys count with what their leases hold, which is neither free nor owed.
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

/** Keys of the account that have leases, the largest first. */
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

/** Told in one transaction at most; those that are left are asked for by whoever is short of credit. */
const recalledAtOnce = 1_000

/**
 * Credit was taken from these accounts beyond what was leased of it. Where more is leased now than an account
 * has, all nodes are told to give back what none of their requests holds, whichever key's it is.
 * @returns the keys of which they are told
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
