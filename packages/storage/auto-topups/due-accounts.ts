import type { PaymentProcessorName } from '@turnpike/billing'
import { sql, type SqlBool } from 'kysely'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Connection } from '../schema.ts'

const accountsAtOnce = 1_000
/** How often all accounts are checked: another node may have died before it could check its own. */
const allEveryMs = 60_000
/** The clocks of nodes differ by less than this. */
const skewMs = 10_000

/**
 * Finds accounts that may be due for a top-up, possibly with a few that are not: those from which this node
 * has taken credit since the last check; those whose retry time, cap or setting has become due since then;
 * and, now and then, all.
 */
export class DueAccounts {
  readonly #connection: Connection
  readonly #changed: ChangedIds
  #allAtMs = Number.NEGATIVE_INFINITY
  #lastMs = 0

  constructor(connection: Connection, changed: ChangedIds) {
    this.#connection = connection
    this.#changed = changed
  }

  /** Accounts beyond `limit`, and those of a failed check, are returned by the next one. */
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

  /** Makes the next check cover all accounts. */
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
      // The halves are summed, because the full sum may exceed 64 bits. Rounding down leaves no account out.
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
