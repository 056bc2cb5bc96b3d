import { spendPeriodAt, spendPeriodName, type SpendPeriod } from '@turnpike/protocol'
import type { Budget } from './budget.ts'

export type BudgetRule = Pick<Budget, 'id' | 'name' | 'scope' | 'subject' | 'period' | 'limitPico'>

const separator = '@'
const prefix = 'bud_'

/** A budget that limits requests, as known to a node. */
export class HardBudget {
  readonly rule: BudgetRule

  constructor(rule: BudgetRule) {
    this.rule = rule
  }

  /**
   * The lease for a request. Its name contains the period in which the request began. So a new period has a
   * new lease, and a request that runs past the end of a period stays with the old one.
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

/** Whether a lease belongs to a budget, and not to a key. */
export function isBudgetLease(leaseId: string): boolean {
  return leaseId.startsWith(prefix)
}

export function budgetOfLease(leaseId: string): { budgetId: string; period: string } {
  const end = leaseId.indexOf(separator)
  return { budgetId: leaseId.slice(0, end), period: leaseId.slice(end + 1) }
}
