import { countsFor, type BudgetLeases } from '../budgets/budget-set.ts'
import type { HoldRefusal } from './hold-refusal.ts'

/** Credit reserved for one request. It ends with `settle`, whatever happens to the request. */
export interface Hold {
  readonly keyId: string
  /** When the request began: a spend limit counts it in the period of that time. */
  readonly startedAtMs: number
  amountPico: bigint
  /** Whether the request has ended. */
  settled: boolean
  /** Budgets of which the same amount is reserved as well; undefined: no budget covers the request. */
  budgets: BudgetLeases | undefined
  /**
   * What is reserved of each budget, in their order, if the amounts differ because the hold grew for a model
   * that some budgets do not count.
   */
  budgetPico: bigint[] | undefined
}

export type HoldResult = { hold: Hold } | { refused: HoldRefusal }

/** What is reserved of the budget at this index. */
export function heldOfBudget({ amountPico, budgetPico }: Hold, at: number): bigint {
  return budgetPico === undefined ? amountPico : budgetPico[at]!
}

/** The budget leases that a charge for this model takes from, joined by spaces. Undefined: none. */
export function findChargedLeases({ budgets }: Hold, model: string | null): string | undefined {
  if (budgets === undefined) return undefined
  const { set, ids, text } = budgets
  if (!set.dependsOnModel) return text
  const charged = ids.filter((_, at) => countsFor(set.budgets[at]!, model))
  return charged.length === 0 ? undefined : charged.join(' ')
}
