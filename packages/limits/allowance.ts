import type { AccountCounts, Counter } from './account-counts.ts'
import type { LimitKind } from './limits.ts'

/** The estimated tokens of a request when it arrives. */
export interface TokenEstimate {
  inputTokens: number
  /** The longest possible answer. */
  mostOutputTokens: number
}

/** The tokens that a request really used. */
export interface TokensUsed {
  inputTokens: number
  outputTokens: number
}

/** An admitted request, and what it has taken until its real usage is known. */
export interface Allowance {
  account: AccountCounts
  tier: string
  estimate: TokenEstimate
  counters: readonly Counter[]
  /** For each counter. */
  taken: readonly number[]
  /** Whether the counters of all nodes include it, or only this node's. */
  shared: boolean
}

/**
 * What to take from each counter for a request: at most its capacity, so that no estimate makes a request
 * impossible. What the request really uses beyond that is taken afterwards, and later requests wait for it.
 */
export function tokensToTake(
  counters: readonly Counter[],
  account: AccountCounts,
  estimate: TokenEstimate,
): number[] {
  return counters.map(({ limit }) => Math.min(limit.capacity, needOf(limit.kind, account, estimate)))
}

export function needOf(kind: LimitKind, account: AccountCounts, estimate: TokenEstimate): number {
  if (kind === 'input-tokens') return estimate.inputTokens
  if (kind === 'output-tokens') return account.expectedOutputTokens(estimate.mostOutputTokens)
  return 1
}

/**
 * The changes to the counters by real usage. The request itself remains counted, however it ended.
 * @param used undefined if no model was used
 */
export function corrections({ counters, taken }: Allowance, used: TokensUsed | undefined): number[] {
  return counters.map(({ limit }, index) => {
    if (limit.kind === 'input-tokens') return (used?.inputTokens ?? 0) - taken[index]!
    if (limit.kind === 'output-tokens') return (used?.outputTokens ?? 0) - taken[index]!
    return 0
  })
}
