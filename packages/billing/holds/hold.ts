import type { HardBudget } from '../budgets/hard-budget.ts'
import type { HoldRefusal } from './hold-refusal.ts'

/** Credit set aside for one request; it ends by `settle`, whatever becomes of the request. */
export interface Hold {
  readonly keyId: string
  /** When its request began: a spend limit counts it to the period in which that lies. */
  readonly startedAtMs: number
  amountPico: bigint
  /** Its request has ended. */
  settled: boolean
  /** What is set aside of budgets, beside the credit. */
  limits: readonly BudgetHold[]
}

/** So much of a budget, set aside for a request: as much as of its key's credit. */
export interface BudgetHold {
  readonly budget: HardBudget
  /** Of the budget's lease. */
  readonly hold: Hold
}

export const noLimits: readonly BudgetHold[] = []

export type HoldResult = { hold: Hold } | { refused: HoldRefusal }
