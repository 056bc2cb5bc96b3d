import type { SpendLimitPeriod } from '@turnpike/protocol'

/**
 * What a budget covers: everything of an account, or the part of one project, member, key, tag or model. A
 * request counts once in each budget that covers it.
 */
export const budgetScopes = ['organization', 'project', 'member', 'key', 'tag', 'model'] as const

export type BudgetScope = (typeof budgetScopes)[number]

/** A limit on the spending in each period, all UTC. */
export interface Budget {
  /** `bud_…` */
  id: string
  accountId: string
  /** The owner's label. */
  name: string
  scope: BudgetScope
  /** The project, member, tag or model. For `key`, the latest key of its rotations. '' for `organization`. */
  subject: string
  period: SpendLimitPeriod
  limitPico: bigint
  /** Whether requests beyond the limit are refused. Otherwise the budget only notifies. */
  isHard: boolean
  /** Percentages of the limit at which the owner is notified. */
  notifyPercents: number[]
  createdAtMs: number
  updatedAtMs: number
}

/** What a budget has spent in one of its periods, and what nodes hold of it. */
export interface BudgetSpent {
  spentPico: bigint
  /** In leases: held by running requests, or kept ready for the next ones. */
  reservedPico: bigint
}
