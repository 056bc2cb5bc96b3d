import type { Budget, BudgetSpent } from './budget.ts'

export type NewBudget = Omit<Budget, 'id' | 'createdAtMs' | 'updatedAtMs'>

export type BudgetChanges = Partial<Pick<Budget, 'name' | 'limitPico' | 'isHard' | 'notifyPercents'>>

/**
 * Why a budget is not made: the account has another one of the same scope, subject, period and kind, or as
 * many as it may have; the key, member or project is none of its own; or nodes of an older version run, which
 * would not count for it.
 */
export type BudgetRefusal =
  | { refused: 'exists'; budgetId: string }
  | { refused: 'too-many'; most: number }
  | { refused: 'unknown-subject' }
  | { refused: 'older-nodes' }

/** Budgets with what they have spent. Scope, subject and period of one never change. */
export interface BudgetStore {
  /** Counts what was spent before it was made, in the same moment as it is made. */
  create(budget: NewBudget, nowMs: number): Promise<{ budget: Budget } | BudgetRefusal>
  /**
   * Undefined: there is none of this account.
   * @param memberId who may see only what is on them, or on a key of theirs; absent: all
   */
  find(accountId: string, budgetId: string, memberId?: string): Promise<Budget | undefined>
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    memberId?: string,
  ): Promise<{ rows: Budget[]; nextCursor: string | null }>
  /** Undefined where there is none; refused where another one is what it would become. */
  update(
    accountId: string,
    budgetId: string,
    changes: BudgetChanges,
    nowMs: number,
  ): Promise<{ budget: Budget } | BudgetRefusal | undefined>
  /** What it was; undefined where there is none. */
  remove(accountId: string, budgetId: string, nowMs: number): Promise<Budget | undefined>
  /** By budget: what was spent in the period in which that time lies, and is in leases of it. */
  findSpent(budgets: readonly Budget[], atMs: number): Promise<Map<string, BudgetSpent>>
  /** What a budget's days came to, oldest first, and what the usage figures say of the same requests. */
  days(budget: Budget, fromMs: number, toMs: number): Promise<{ days: BudgetDay[]; usagePico: bigint }>
}

export interface BudgetDay {
  /** `2026-11-23`, UTC. */
  day: string
  requests: number
  spentPico: bigint
}
