import type { AccountCounts, Counter } from './account-counts.ts'
import type { LimitKind } from './limits.ts'

/** What a request is thought to need when it comes. */
export interface TokenEstimate {
  inputTokens: number
  /** The most that its answer may come to. */
  mostOutputTokens: number
}

/** What it needed. */
export interface TokensUsed {
  inputTokens: number
  outputTokens: number
}

/** A request that was let in, and what it has taken until its real usage is known. */
export interface Allowance {
  account: AccountCounts
  tier: string
  estimate: TokenEstimate
  counters: readonly Counter[]
  /** Of each counter. */
  taken: readonly number[]
  /** Whether all nodes know of it, or this one alone. */
  shared: boolean
}

/**
 * What a request is to take of each counter: never more than there can be, so that none is refused for ever
 * because of an estimate. What it really uses beyond that is taken afterwards, and then waited for.
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
 * What real usage changes: nothing of the request's own count, which stands whatever became of it.
 * @param used undefined where no model was used
 */
export function corrections({ counters, taken }: Allowance, used: TokensUsed | undefined): number[] {
  return counters.map(({ limit }, index) => {
    if (limit.kind === 'input-tokens') return (used?.inputTokens ?? 0) - taken[index]!
    if (limit.kind === 'output-tokens') return (used?.outputTokens ?? 0) - taken[index]!
    return 0
  })
}
