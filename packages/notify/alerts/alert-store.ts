import type { AlertKind, AlertRule } from './rules.ts'

export interface AlertStore {
  /** The rules that the account has set. */
  list(accountId: string): Promise<AlertRule[]>
  /** Sets a rule and evaluates it afresh: a condition that already holds raises an alert again. */
  set(accountId: string, rule: Omit<AlertRule, 'isRaised'>, nowMs: number): Promise<void>
  /**
   * Evaluates the rules that are due, each on one node only, and raises the alerts that result.
   * @returns how many rules were evaluated
   */
  checkDue(limit: number, nowMs: number): Promise<number>
  /**
   * Raises an event that a hard budget refused a request that might have cost `neededPico`, unless 100 % was
   * already reported in this period.
   */
  budgetRefused(budgetId: string, neededPico: bigint, nowMs: number): Promise<void>
  /** Raises an event for each threshold that a budget has reached in its period at `nowMs`. */
  checkBudgets(nowMs: number): Promise<void>
}

/** The rule of each kind for accounts that have not set one. */
export const usualRules: Record<AlertKind, Omit<AlertRule, 'kind'>> = {
  balance: { enabled: false, thresholdPico: 5_000_000_000_000n, days: null, isRaised: false },
  runway: { enabled: false, thresholdPico: null, days: 3, isRaised: false },
  unusual_spend: { enabled: false, thresholdPico: null, days: null, isRaised: false },
  key_expiry: { enabled: false, thresholdPico: null, days: 7, isRaised: false },
}
