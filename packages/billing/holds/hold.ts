import { countsFor, type BudgetLeases } from '../budgets/budget-set.ts'
import type { HoldRefusal } from './hold-refusal.ts'

/** Credit set aside for one request; it ends by `settle`, whatever becomes of the request. */
export interface Hold {
  readonly keyId: string
  /** When its request began: a spend limit counts it to the period in which that lies. */
  readonly startedAtMs: number
  amountPico: bigint
  /** Its request has ended. */
  settled: boolean
  /** Of which the same amount is set aside beside the credit; undefined: it falls under no budget. */
  budgets: BudgetLeases | undefined
  /**
   * What is set aside of each of them, in their order, where it is not the same amount: the hold grew for a
   * model that some do not count.
   */
  budgetPico: bigint[] | undefined
}

export type HoldResult = { hold: Hold } | { refused: HoldRefusal }

/** What is set aside of the budget at that place. */
export function heldOfBudget({ amountPico, budgetPico }: Hold, at: number): bigint {
  return budgetPico === undefined ? amountPico : budgetPico[at]!
}

/**
 * The leases of budgets that a charge for what this model answered takes from, with a space between them.
 * Undefined: there are none.
 */
export function findChargedLeases({ budgets }: Hold, model: string | null): string | undefined {
  if (budgets === undefined) return undefined
  const { set, ids, text } = budgets
  if (!set.dependsOnModel) return text
  const charged = ids.filter((_, at) => countsFor(set.budgets[at]!, model))
  return charged.length === 0 ? undefined : charged.join(' ')
}
