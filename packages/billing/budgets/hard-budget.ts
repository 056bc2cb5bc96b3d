import { spendPeriodAt, spendPeriodName, type SpendPeriod } from '@turnpike/protocol'
import type { Budget } from './budget.ts'

export type BudgetRule = Pick<Budget, 'id' | 'name' | 'scope' | 'subject' | 'period' | 'limitPico'>

const separator = '@'
const prefix = 'bud_'

/** A budget that bounds requests, as a node knows it. */
export class HardBudget {
  readonly rule: BudgetRule

  constructor(rule: BudgetRule) {
    this.rule = rule
  }

  /**
   * The lease that a request takes from: the period in which it began is part of its name, so that a new
   * period has a lease of its own, and one that runs over the turn stays with the one that it began with.
   */
  leaseId(startedAtMs: number): string {
    return budgetLeaseId(this.rule.id, this.periodAt(startedAtMs))
  }

  periodAt(timeMs: number): SpendPeriod {
    return spendPeriodAt(this.rule.period, timeMs)
  }
}

/** `bud_…@d2026-11-23` */
export function budgetLeaseId(budgetId: string, period: SpendPeriod): string {
  return `${budgetId}${separator}${spendPeriodName(period)}`
}

/** Whether a lease is a budget's, and not a key's. */
export function isBudgetLease(leaseId: string): boolean {
  return leaseId.startsWith(prefix)
}

export function budgetOfLease(leaseId: string): { budgetId: string; period: string } {
  const end = leaseId.indexOf(separator)
  return { budgetId: leaseId.slice(0, end), period: leaseId.slice(end + 1) }
}
