import type { HardBudget } from './hard-budget.ts'

/** The leases for requests that begin within these times. */
export interface BudgetLeases {
  readonly set: BudgetSet
  /** The lease of each budget, in the order of the set. */
  readonly ids: readonly string[]
  /** All of them separated by spaces, as stored in a request's record. */
  readonly text: string
  readonly startsAtMs: number
  readonly endsAtMs: number
}

/** The hard budgets that cover a request, each once. Requests covered by the same budgets share one set. */
export class BudgetSet {
  readonly budgets: readonly HardBudget[]
  /** Whether the model that answers decides which of them count a charge. */
  readonly dependsOnModel: boolean
  /** The leases of the last requested periods, so that most requests build no text. */
  #leases: BudgetLeases | undefined

  constructor(budgets: readonly HardBudget[]) {
    this.budgets = budgets
    this.dependsOnModel = budgets.some(({ rule }) => rule.scope === 'model')
  }

  /** The leases of a request that began then: one for each budget's period at that time. */
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

/** Whether the budget counts a charge of this model; null: no model answered. */
export function countsFor({ rule }: HardBudget, model: string | null): boolean {
  return rule.scope !== 'model' || rule.subject === model
}
