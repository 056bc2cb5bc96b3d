import type { SpendPeriod } from '@turnpike/protocol'
import type { KeyCredit } from './key-credit.ts'

/** Why a hold was refused, and what a caller may be told of it. */
export interface HoldRefusal {
  /** True where requests in flight hold what is missing, so that waiting helps. */
  waitingHelps: boolean
  /** The key's credit, held and leased included. */
  creditPico: bigint
  /** What of it may be held at once. */
  freePico: bigint
  /** Where the key's spend limit leaves less than its credit. */
  limit?: {
    limitPico: bigint
    /** What of the limit is not spent; may be held. */
    leftPico: bigint
    period: SpendPeriod
  }
}

/** @param heldElsewherePico what other nodes' requests hold; undefined where nobody was asked */
export function holdRefusal(
  credit: KeyCredit,
  amountPico: bigint,
  heldElsewherePico: bigint | undefined,
): HoldRefusal {
  const leasedPico = credit.availablePico + credit.heldPico + (heldElsewherePico ?? credit.elsewherePico)
  const creditPico = credit.freePico + leasedPico
  const { idlePico: freePico } = credit
  if (credit.limit === undefined) return { waitingHelps: creditPico >= amountPico, creditPico, freePico }
  const { limitPico, roomPico, predecessorsPico, period } = credit.limit
  const leftPico = roomPico + leasedPico + predecessorsPico
  if (leftPico >= creditPico) return { waitingHelps: creditPico >= amountPico, creditPico, freePico }
  return {
    waitingHelps: leftPico >= amountPico,
    creditPico,
    freePico,
    limit: { limitPico, leftPico, period },
  }
}
