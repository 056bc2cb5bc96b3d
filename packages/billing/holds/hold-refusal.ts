import type { SpendPeriod } from '@turnpike/protocol'
import type { BudgetRule } from '../budgets/hard-budget.ts'
import type { KeyCredit } from './key-credit.ts'
import type { PayerState } from './lease-store.ts'

/** Why a hold was refused, and what a caller may be told of it. */
export interface HoldRefusal {
  /** True where requests in flight hold what is missing, so that waiting helps. */
  waitingHelps: boolean
  /** The key's credit, held and leased included. */
  creditPico: bigint
  /** What of it may be held at once. */
  freePico: bigint
  /** Whose credit it is, where that is what is missing. */
  payer?: PayerState
  /** Where debt of its other keys leaves the account less than the key has: what the account has in all. */
  accountPico?: bigint
  /** Where the key's spend limit leaves less than its credit. */
  limit?: {
    limitPico: bigint
    /** What of the limit is not spent; may be held. */
    leftPico: bigint
    period: SpendPeriod
  }
  /** Where it is a budget that does not cover it, and not the credit: `creditPico` is what is left of it. */
  budget?: { rule: BudgetRule; period: SpendPeriod }
  /** The budget that was asked is no more. */
  isGone?: boolean
}

/** What the request might be granted at most, if it waited: the least of what bounds it. */
export function coverablePico({ limit, accountPico, creditPico }: HoldRefusal): bigint {
  return limit?.leftPico ?? accountPico ?? creditPico
}

/** @param heldElsewherePico what other nodes' requests hold; undefined where nobody was asked */
export function holdRefusal(
  credit: KeyCredit,
  amountPico: bigint,
  heldElsewherePico: bigint | undefined,
): HoldRefusal {
  const leasedPico = credit.availablePico + credit.heldPico + (heldElsewherePico ?? credit.elsewherePico)
  const creditPico = credit.freePico + leasedPico + (credit.sharers?.leasedPico ?? 0n)
  const { account, limit, payer, idlePico: freePico } = credit
  const leftPico = limit === undefined ? undefined : limit.roomPico + leasedPico + limit.predecessorsPico
  const accountPico =
    account === undefined ? undefined : account.freePico + account.leasedPico - credit.unflushedPico
  const leastPico = least(creditPico, leftPico, accountPico)
  const waitingHelps = leastPico >= amountPico
  const refusal: HoldRefusal = {
    waitingHelps,
    creditPico,
    freePico,
    ...(payer !== undefined && { payer }),
    ...(credit.isGone && { isGone: true }),
  }
  if (leastPico === creditPico) return refusal
  if (limit === undefined || leftPico === undefined || leftPico > leastPico)
    return { ...refusal, accountPico: leastPico }
  return { ...refusal, limit: { limitPico: limit.limitPico, leftPico, period: limit.period } }
}

function least(first: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((low, one) => (one !== undefined && one < low ? one : low), first)
}
