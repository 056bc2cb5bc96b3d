import { formatUsd } from '@turnpike/billing'
import { highestReachedPercent, type EventData } from '@turnpike/notify'
import { spendLimitPeriods, spendPeriodAt, spendPeriodName, type SpendLimitPeriod } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Database } from '../database/database.ts'
import type { Connection, Schema } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { joinSum } from '../database/wide-sum.ts'
import { raise } from './raise.ts'

const budgetsAtOnce = 1_000
/** Charges from the end of a period are counted at most this long after it. */
const lateMs = 10 * 60 * 1000
/** How often all budgets are checked: another node may have died before it could check its own. */
const allEveryMs = 60_000
/** Alerts that this node remembers having raised, to avoid queries. The oldest are forgotten. */
const mostRemembered = 20_000

type BudgetRow = Selectable<Schema['budgets']> & { cost_high: bigint; cost_low: bigint }

/**
 * Raises an event for budgets that have reached one of their percentages: the highest, once per period and
 * limit, whichever node notices first. Budgets in which this node has counted something are checked every
 * time, all others now and then.
 */
export class BudgetAlerts {
  readonly #database: Database
  readonly #changed: ChangedIds
  #allAtMs = Number.NEGATIVE_INFINITY
  readonly #raised = new Set<string>()

  constructor(database: Database, changed: ChangedIds) {
    this.#database = database
    this.#changed = changed
  }

  async check(nowMs: number): Promise<void> {
    const changed = this.#changed.take()
    const isAll = changed === undefined || Math.abs(nowMs - this.#allAtMs) >= allEveryMs
    try {
      if (isAll) await this.#checkKinds(undefined, nowMs)
      else if (changed.length > 0) await this.#checkKinds(changed, nowMs)
    } catch (error) {
      if (changed === undefined) this.#allAtMs = Number.NEGATIVE_INFINITY
      else this.#changed.note(changed)
      throw error
    }
    if (isAll) this.#allAtMs = nowMs
  }

  /** @param among absent: all budgets */
  async #checkKinds(among: readonly string[] | undefined, nowMs: number): Promise<void> {
    for (const kind of spendLimitPeriods) {
      const times = [nowMs, nowMs - lateMs].map((timeMs) => spendPeriodAt(kind, timeMs))
      const periods = new Map(times.map((period) => [spendPeriodName(period), period.endsAtMs]))
      for (const [period, endsAtMs] of periods)
        await this.#checkPeriod({ kind, period, endsAtMs }, among, nowMs)
    }
  }

  async #checkPeriod(
    { kind, period, endsAtMs }: { kind: SpendLimitPeriod; period: string; endsAtMs: number },
    among: readonly string[] | undefined,
    nowMs: number,
  ): Promise<void> {
    const { read } = this.#database
    if (among !== undefined) {
      for (let start = 0; start < among.length; start += budgetsAtOnce) {
        const some = among.slice(start, start + budgetsAtOnce)
        const rows = await selectSpent(read, kind, period).where('budgets.id', 'in', some).execute()
        for (const row of rows) await this.#checkBudget(row, { period, endsAtMs }, nowMs)
      }
      return
    }
    for (let after = ''; ;) {
      const ordered = selectSpent(read, kind, period).where('budgets.id', '>', after).orderBy('budgets.id')
      const rows = await ordered.limit(budgetsAtOnce).execute()
      for (const row of rows) await this.#checkBudget(row, { period, endsAtMs }, nowMs)
      if (rows.length < budgetsAtOnce) return
      after = rows.at(-1)!.id
    }
  }

  async #checkBudget(
    row: BudgetRow,
    { period, endsAtMs }: { period: string; endsAtMs: number },
    nowMs: number,
  ): Promise<void> {
    const spentPico = joinSum({ high: row.cost_high, low: row.cost_low })
    const percent = highestReachedPercent(spentPico, row.limit_pico, JSON.parse(row.notify) as number[])
    if (percent !== undefined) await this.#raise(row, { period, endsAtMs, spentPico, percent }, nowMs)
  }

  /**
   * Raises the 100 % event when a hard budget has refused a request. What is left is less than requests need,
   * so the budget may never be spent completely, and this is what subscribers to 100 % want to know.
   */
  async raiseRefusal(budgetId: string, neededPico: bigint, nowMs: number): Promise<void> {
    const budget = await this.#database.read
      .selectFrom('budgets')
      .selectAll()
      .where('id', '=', budgetId)
      .where('is_hard', '=', 1n)
      .where('deleted_at_ms', 'is', null)
      .executeTakeFirst()
    if (budget === undefined || !(JSON.parse(budget.notify) as number[]).includes(100)) return
    const { endsAtMs, ...of } = spendPeriodAt(budget.period as SpendLimitPeriod, nowMs)
    const period = spendPeriodName({ endsAtMs, ...of })
    const totals = await this.#database.read
      .selectFrom('budget_totals')
      .select(['cost_high', 'cost_low'])
      .where('budget_id', '=', budgetId)
      .where('period', '=', period)
      .executeTakeFirst()
    const spentPico = totals === undefined ? 0n : joinSum({ high: totals.cost_high, low: totals.cost_low })
    await this.#raise(budget, { period, endsAtMs, spentPico, percent: 100, neededPico }, nowMs)
  }

  async #raise(row: Selectable<Schema['budgets']>, reached: Reached, nowMs: number): Promise<void> {
    const { period, percent } = reached
    const dedupeKey = `budget:${row.id}:${period}:${percent}:${row.limit_pico}`
    if (this.#raised.has(dedupeKey)) return
    const event = { type: 'budget.threshold' as const, accountId: row.account_id, occurredAtMs: nowMs }
    const data = dataOf(row, reached)
    await inTransaction(this.#database, (transaction) => raise(transaction, { ...event, dedupeKey, data }))
    this.#remember(dedupeKey)
  }

  #remember(dedupeKey: string): void {
    this.#raised.add(dedupeKey)
    if (this.#raised.size <= mostRemembered) return
    const [oldest] = this.#raised
    this.#raised.delete(oldest!)
  }
}

/** How much of a budget is used. */
interface Reached {
  /** The name of the period as stored. */
  period: string
  endsAtMs: number
  spentPico: bigint
  percent: number
  /** The possible cost of the request that was refused. */
  neededPico?: bigint
}

function dataOf(row: Selectable<Schema['budgets']>, reached: Reached): EventData {
  const { endsAtMs, spentPico, percent, neededPico } = reached
  return {
    object: 'budget_alert',
    budget_id: row.id,
    name: row.name,
    scope: row.scope,
    subject: row.scope === 'organization' ? null : row.subject,
    period: row.period,
    hard: row.is_hard === 1n,
    percent,
    spent_usd: formatUsd(spentPico),
    limit_usd: formatUsd(row.limit_pico),
    refused_usd: neededPico === undefined ? null : formatUsd(neededPico),
    resets_at: Number.isFinite(endsAtMs) ? endsAtMs / 1000 : null,
  }
}

/** Budgets of one kind of period with something spent in the given period. */
function selectSpent(connection: Connection, kind: SpendLimitPeriod, period: string) {
  return connection
    .selectFrom('budgets')
    .innerJoin('budget_totals', (join) =>
      join.onRef('budget_totals.budget_id', '=', 'budgets.id').on('budget_totals.period', '=', period),
    )
    .selectAll('budgets')
    .select(['cost_high', 'cost_low'])
    .where('budgets.period', '=', kind)
    .where('deleted_at_ms', 'is', null)
}
