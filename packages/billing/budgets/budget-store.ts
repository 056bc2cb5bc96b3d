import type { Budget, BudgetSpent } from './budget.ts'

export type NewBudget = Omit<Budget, 'id' | 'createdAtMs' | 'updatedAtMs'>

export type BudgetChanges = Partial<Pick<Budget, 'name' | 'limitPico' | 'isHard' | 'notifyPercents'>>

/**
 * Why a budget is refused: the account has another one with the same scope, subject, period and kind, or as
 * many as it may have; the key, member or project does not belong to it; or nodes of an older version run,
 * which would not count for it.
 */
export type BudgetRefusal =
  | { refused: 'exists'; budgetId: string }
  | { refused: 'too-many'; most: number }
  | { refused: 'unknown-subject' }
  | { refused: 'older-nodes' }

/** Budgets and their spending. Scope, subject and period of a budget never change. */
export interface BudgetStore {
  /** Counts what was spent earlier in the same transaction. */
  create(budget: NewBudget, nowMs: number): Promise<{ budget: Budget } | BudgetRefusal>
  /**
   * Undefined if the account has no such budget.
   * @param memberId only budgets on this member or on one of the member's keys; absent: all
   */
  find(accountId: string, budgetId: string, memberId?: string): Promise<Budget | undefined>
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    memberId?: string,
  ): Promise<{ rows: Budget[]; nextCursor: string | null }>
  /** Undefined if there is none. Refused if the result would equal another budget. */
  update(
    accountId: string,
    budgetId: string,
    changes: BudgetChanges,
    nowMs: number,
  ): Promise<{ budget: Budget } | BudgetRefusal | undefined>
  /** Returns the removed budget; undefined if there was none. */
  remove(accountId: string, budgetId: string, nowMs: number): Promise<Budget | undefined>
  /** By budget: what was spent in the period that contains this time, and what is in leases of it. */
  findSpent(budgets: readonly Budget[], atMs: number): Promise<Map<string, BudgetSpent>>
  /** A budget's days, oldest first, and the usage figures for the same requests. */
  days(budget: Budget, fromMs: number, toMs: number): Promise<{ days: BudgetDay[]; usagePico: bigint }>
}

export interface BudgetDay {
  /** `2026-11-23`, UTC. */
  day: string
  requests: number
  spentPico: bigint
}
