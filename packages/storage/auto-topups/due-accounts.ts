import type { PaymentProcessorName } from '@turnpike/billing'
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Schema } from '../schema.ts'

const accountsAtOnce = 1_000
/** So often all accounts are looked at: another node may have died with what it knew of. */
const allEveryMs = 60_000
/** The clocks of nodes differ by less. */
const skewMs = 10_000

/**
 * Finds accounts that may be due for a top-up, a few more than are: those of which this node has taken credit
 * since the last look, those whose rest, cap or setting makes them due since then and, now and then, all.
 */
export class DueAccounts {
  readonly #connection: Kysely<Schema>
  readonly #changed: ChangedIds
  #allAtMs = Number.NEGATIVE_INFINITY
  #lastMs = 0

  constructor(connection: Kysely<Schema>, changed: ChangedIds) {
    this.#connection = connection
    this.#changed = changed
  }

  /** What is beyond `limit`, and what failed, is looked at the next time. */
  async find(processor: PaymentProcessorName, limit: number, nowMs: number): Promise<string[]> {
    const changed = this.#changed.take()
    const isAll = changed === undefined || Math.abs(nowMs - this.#allAtMs) >= allEveryMs
    try {
      const found = isAll
        ? await this.#below(processor, limit, nowMs, sql`1 = 1`)
        : await this.#belowSince(changed, processor, limit, nowMs)
      if (found.length >= limit) this.#again()
      else if (isAll) this.#allAtMs = nowMs
      this.#lastMs = nowMs
      return found
    } catch (error) {
      this.#again()
      throw error
    }
  }

  /** The next look is one at all accounts. */
  #again(): void {
    this.#allAtMs = Number.NEGATIVE_INFINITY
  }

  async #belowSince(
    changed: readonly string[],
    processor: PaymentProcessorName,
    limit: number,
    nowMs: number,
  ): Promise<string[]> {
    const since = BigInt(this.#lastMs - skewMs)
    const found = new Set(await this.#below(processor, limit, nowMs, sql`auto_topups.next_at_ms > ${since}`))
    for (let start = 0; start < changed.length && found.size < limit; start += accountsAtOnce) {
      const some = changed.slice(start, start + accountsAtOnce)
      const are = sql<SqlBool>`auto_topups.account_id in (${sql.join(some)})`
      for (const id of await this.#below(processor, limit, nowMs, are)) found.add(id)
    }
    return [...found].slice(0, limit)
  }

  async #below(
    processor: PaymentProcessorName,
    limit: number,
    nowMs: number,
    are: ReturnType<typeof sql<SqlBool>>,
  ): Promise<string[]> {
    const rows = await this.#connection
      .selectFrom('auto_topups')
      .innerJoin('accounts', 'accounts.id', 'auto_topups.account_id')
      .innerJoin('payment_methods', 'payment_methods.id', 'auto_topups.payment_method_id')
      .select('auto_topups.account_id')
      .where('auto_topups.enabled', '=', 1n)
      .where('auto_topups.state', 'in', ['idle', 'waiting'])
      .where('auto_topups.next_at_ms', '<=', BigInt(nowMs))
      .where('accounts.status', '=', 'active')
      .where('payment_methods.status', '=', 'active')
      .where('payment_methods.processor', '=', processor)
      .where(are)
      // Halves are summed: all of it may be more than 64 bits hold. Rounded down, it leaves nobody out.
      .where(
        sql<boolean>`(SELECT sum(credit.balance_pico >> 32) FROM ledger_accounts AS credit
          LEFT JOIN api_keys ON api_keys.id = credit.key_id
          WHERE credit.account_id = auto_topups.account_id
          AND (credit.key_id IS NULL OR api_keys.status = 'active')) <= (auto_topups.threshold_pico >> 32)`,
      )
      .orderBy('auto_topups.next_at_ms')
      .limit(limit)
      .execute()
    return rows.map((row) => row.account_id)
  }
}
