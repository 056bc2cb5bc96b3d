import { AccountBudgets, type BudgetScope } from '@turnpike/billing'
import type { SpendLimitPeriod } from '@turnpike/protocol'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** Accounts whose budgets are remembered; those that have none take no room. */
const maxRemembered = 10_000

interface Versioned {
  account_id: string
  budget_version: bigint
}

/**
 * Accounts' hard budgets, for the keys that are read: one set of them for all keys of an account, read again
 * where the account has another version. The version is read first, with the key: budgets that are newer than
 * it are read once more with the next key, and older ones cannot be.
 */
export class KnownBudgets {
  readonly #known = new Map<string, { version: bigint; budgets: AccountBudgets }>()

  async of(
    connection: Kysely<Schema>,
    rows: readonly Versioned[],
  ): Promise<ReadonlyMap<string, AccountBudgets>> {
    const found = new Map<string, AccountBudgets>()
    const missing = new Map<string, bigint>()
    for (const { account_id: accountId, budget_version: version } of rows) {
      if (version === 0n) continue
      const known = this.#known.get(accountId)
      if (known?.version === version) found.set(accountId, known.budgets)
      else missing.set(accountId, version)
    }
    if (missing.size > 0) await this.#read(connection, missing, found)
    return found
  }

  async #read(
    connection: Kysely<Schema>,
    missing: ReadonlyMap<string, bigint>,
    found: Map<string, AccountBudgets>,
  ): Promise<void> {
    const rows = await connection
      .selectFrom('budgets')
      .select(['id', 'account_id', 'name', 'scope', 'subject', 'period', 'limit_pico'])
      .where('account_id', 'in', [...missing.keys()])
      .where('is_hard', '=', 1n)
      .where('deleted_at_ms', 'is', null)
      .orderBy('id')
      .execute()
    for (const [accountId, version] of missing) {
      const rules = rows.filter((row) => row.account_id === accountId)
      const budgets = new AccountBudgets(
        rules.map(({ id, name, scope, subject, period, limit_pico: limitPico }) => ({
          id,
          name,
          scope: scope as BudgetScope,
          subject,
          period: period as SpendLimitPeriod,
          limitPico,
        })),
      )
      found.set(accountId, budgets)
      if (this.#known.size >= maxRemembered) this.#known.clear()
      this.#known.set(accountId, { version, budgets })
    }
  }
}
