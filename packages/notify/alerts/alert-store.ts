import type { AlertKind, AlertRule } from './rules.ts'

export interface AlertStore {
  /** Those that the account has set. */
  list(accountId: string): Promise<AlertRule[]>
  /** Looked at anew: what holds already is told again. */
  set(accountId: string, rule: Omit<AlertRule, 'isRaised'>, nowMs: number): Promise<void>
  /**
   * Looks at rules that are due, each on one node, and raises what they say.
   * @returns how many rules were looked at
   */
  checkDue(limit: number, nowMs: number): Promise<number>
  /**
   * Raises that a hard budget has refused a request, which may have cost so much, unless it is told of 100 %
   * in this period already.
   */
  budgetRefused(budgetId: string, neededPico: bigint, nowMs: number): Promise<void>
  /** Raises what budgets have reached in the periods of that time. */
  checkBudgets(nowMs: number): Promise<void>
}

/** What a rule is where an account says nothing else. */
export const usualRules: Record<AlertKind, Omit<AlertRule, 'kind'>> = {
  balance: { enabled: false, thresholdPico: 5_000_000_000_000n, days: null, isRaised: false },
  runway: { enabled: false, thresholdPico: null, days: 3, isRaised: false },
  unusual_spend: { enabled: false, thresholdPico: null, days: null, isRaised: false },
  key_expiry: { enabled: false, thresholdPico: null, days: 7, isRaised: false },
}
