import type { HardBudget } from './hard-budget.ts'

/** The leases that requests take from which begin within these times. */
export interface BudgetLeases {
  readonly set: BudgetSet
  /** One of each budget, in the order of the set. */
  readonly ids: readonly string[]
  /** All of them with a space between them, as the record of a request has them. */
  readonly text: string
  readonly startsAtMs: number
  readonly endsAtMs: number
}

/** The hard budgets that a request falls under, each once. All requests that fall under these share it. */
export class BudgetSet {
  readonly budgets: readonly HardBudget[]
  /** Whether it depends on the model that answers which of them a charge counts in. */
  readonly dependsOnModel: boolean
  /** Of the periods that were asked for last: a request builds no text. */
  #leases: BudgetLeases | undefined

  constructor(budgets: readonly HardBudget[]) {
    this.budgets = budgets
    this.dependsOnModel = budgets.some(({ rule }) => rule.scope === 'model')
  }

  /** Those of a request that began then: each budget's period in which that lies. */
  leasesAt(startedAtMs: number): BudgetLeases {
    const known = this.#leases
    if (known !== undefined && startedAtMs >= known.startsAtMs && startedAtMs < known.endsAtMs) return known
    const ids = this.budgets.map((budget) => budget.leaseId(startedAtMs))
    const periods = this.budgets.map((budget) => budget.periodAt(startedAtMs))
    this.#leases = {
      set: this,
      ids,
      text: ids.join(' '),
      startsAtMs: Math.max(...periods.map(({ startsAtMs }) => startsAtMs)),
      endsAtMs: Math.min(...periods.map(({ endsAtMs }) => endsAtMs)),
    }
    return this.#leases
  }
}

export const noBudgets = new BudgetSet([])

/** Whether what a model answered counts in the budget; null: none did. */
export function countsFor({ rule }: HardBudget, model: string | null): boolean {
  return rule.scope !== 'model' || rule.subject === model
}
