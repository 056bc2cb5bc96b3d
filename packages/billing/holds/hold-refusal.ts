import type { SpendPeriod } from '@turnpike/protocol'
import type { BudgetRule } from '../budgets/hard-budget.ts'
import type { KeyCredit } from './key-credit.ts'
import type { PayerState } from './lease-store.ts'

/** Why a hold was refused, with the figures that a caller may see. */
export interface HoldRefusal {
  /** True if running requests hold the missing credit, so that waiting helps. */
  waitingHelps: boolean
  /** The key's credit, including held and leased credit. */
  creditPico: bigint
  /** The part that can be held now. */
  freePico: bigint
  /** The key that pays, if its credit is too low. */
  payer?: PayerState
  /** The account's total credit, if debts of its other keys leave less than the key has. */
  accountPico?: bigint
  /** The key's spend limit, if it leaves less than the credit. */
  limit?: {
    limitPico: bigint
    /** What is not spent yet. Part of it may be held. */
    leftPico: bigint
    period: SpendPeriod
  }
  /** The budget that is too low, if it is not the credit: `creditPico` is what is left of the budget. */
  budget?: { rule: BudgetRule; period: SpendPeriod }
  /** Whether the requested budget no longer exists. */
  isGone?: boolean
}

/** The most that the request could get by waiting: the lowest of its limits. */
export function coverablePico({ limit, accountPico, creditPico }: HoldRefusal): bigint {
  return limit?.leftPico ?? accountPico ?? creditPico
}

/** @param heldElsewherePico what other nodes' requests hold; undefined if no node was asked */
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
