import type { SpendLimitPeriod } from '@turnpike/protocol'

/**
 * What a budget is on: all of an account, or what of it goes by one project, member, key, tag or model. A
 * request falls under each budget that it meets, and counts once in each.
 */
export const budgetScopes = ['organization', 'project', 'member', 'key', 'tag', 'model'] as const

export type BudgetScope = (typeof budgetScopes)[number]

/** A bound on what may be spent in each period, all UTC. */
export interface Budget {
  /** `bud_…` */
  id: string
  accountId: string
  /** A label of its owner's. */
  name: string
  scope: BudgetScope
  /**
   * The project, member, tag or model; of `key`, the key that stands at the end of its line of rotations; ''
   * of `organization`.
   */
  subject: string
  period: SpendLimitPeriod
  limitPico: bigint
  /** Refuses what goes beyond it; else it only tells. */
  isHard: boolean
  /** At which percentages of the limit its owner wants to hear of it. */
  notifyPercents: number[]
  createdAtMs: number
  updatedAtMs: number
}

/** What a budget has spent in one of its periods, and what nodes hold of it. */
export interface BudgetSpent {
  spentPico: bigint
  /** In leases: held by requests that run, and what nodes have ready for the next ones. */
  reservedPico: bigint
}
