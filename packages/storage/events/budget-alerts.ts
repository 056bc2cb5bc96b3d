import { formatUsd } from '@turnpike/billing'
import { reachedPercent } from '@turnpike/notify'
import { spendLimitPeriods, spendPeriodAt, spendPeriodName, type SpendLimitPeriod } from '@turnpike/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../transaction.ts'
import { joinSum } from '../wide-sum.ts'
import { raise } from './raise.ts'

const budgetsAtOnce = 1_000
/** What was spent at the end of a period is counted within this behind it. */
const lateMs = 10 * 60 * 1000
/** Of what this node has told, so that it does not ask of each again; the oldest are forgotten. */
const mostRemembered = 20_000

type BudgetRow = Selectable<Schema['budgets']> & { cost_high: bigint; cost_low: bigint }

/**
 * Tells of budgets that have reached one of their percentages: the highest, once for each period and limit,
 * whichever node sees it first.
 */
export class BudgetAlerts {
  readonly #database: Database
  readonly #told = new Set<string>()

  constructor(database: Database) {
    this.#database = database
  }

  async check(nowMs: number): Promise<void> {
    for (const kind of spendLimitPeriods) {
      const times = [nowMs, nowMs - lateMs].map((timeMs) => spendPeriodAt(kind, timeMs))
      const periods = new Map(times.map((period) => [spendPeriodName(period), period.endsAtMs]))
      for (const [period, endsAtMs] of periods) await this.#checkPeriod({ kind, period, endsAtMs }, nowMs)
    }
  }

  async #checkPeriod(
    { kind, period, endsAtMs }: { kind: SpendLimitPeriod; period: string; endsAtMs: number },
    nowMs: number,
  ): Promise<void> {
    let after = ''
    for (;;) {
      const rows = await spentBudgets(this.#database.read, kind, period, after)
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
    const percent = reachedPercent(spentPico, row.limit_pico, JSON.parse(row.notify) as number[])
    if (percent === undefined) return
    const dedupeKey = `budget:${row.id}:${period}:${percent}:${row.limit_pico}`
    if (this.#told.has(dedupeKey)) return
    const data = {
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
      resets_at: Number.isFinite(endsAtMs) ? endsAtMs / 1000 : null,
    }
    const event = { type: 'budget.threshold' as const, accountId: row.account_id, occurredAtMs: nowMs }
    const { engine } = this.#database
    await inTransaction(this.#database, (transaction) =>
      raise(engine, transaction, { ...event, dedupeKey, data }),
    )
    this.#remember(dedupeKey)
  }

  #remember(dedupeKey: string): void {
    this.#told.add(dedupeKey)
    if (this.#told.size <= mostRemembered) return
    const [oldest] = this.#told
    this.#told.delete(oldest!)
  }
}

/** Of one kind of period, those of which something was spent in that one. */
async function spentBudgets(
  connection: Kysely<Schema>,
  kind: SpendLimitPeriod,
  period: string,
  after: string,
): Promise<BudgetRow[]> {
  return connection
    .selectFrom('budgets')
    .innerJoin('budget_totals', (join) =>
      join.onRef('budget_totals.budget_id', '=', 'budgets.id').on('budget_totals.period', '=', period),
    )
    .selectAll('budgets')
    .select(['cost_high', 'cost_low'])
    .where('budgets.period', '=', kind)
    .where('deleted_at_ms', 'is', null)
    .where('budgets.id', '>', after)
    .orderBy('budgets.id')
    .limit(budgetsAtOnce)
    .execute()
}
