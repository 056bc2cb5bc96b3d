import type { LeaseState } from './lease-store.ts'

/** A lease is taken for so many requests like the one that needs it: the database is asked rarely. */
const leaseForRequests = 32n
/** Shorter than this, a rate of spending is a guess. */
const minMeasuredMs = 1_000
/** After credit was asked back from other nodes, each takes only what it needs for so long. */
const scarceForMs = 5_000
/** Between two attempts to let a lease grow before it is used up. */
const topUpPauseMs = 1_000
const fruitlessPauseMs = 5_000

/**
 * One node's part of a key's credit. What is available is always the lease, as the database last told it,
 * less what is held, less what was charged and is not yet taken off the lease, less what is being given back.
 */
export class KeyCredit {
  #leasePico = 0n
  #version = -1n
  /** Below zero where charges exceeded their holds, or where the lease was taken from this node. */
  availablePico = 0n
  heldPico = 0n
  unflushedPico = 0n
  returningPico = 0n
  /** What the database said last. */
  freePico = 0n
  elsewherePico = 0n
  successor: string | undefined
  usedAtMs = Date.now()
  /** A refill under way; others that are short of credit wait for the same one. */
  refill: Promise<boolean> | undefined
  /** Leases are given back one after the other. */
  return: Promise<void> | undefined
  #scarceUntilMs = 0
  #spentPico = 0n
  #spentSinceMs = Date.now()
  #spentPerLeasePico = 0n
  #usualPico = 0n
  #lowPico = 0n
  #topUpAfterMs = 0

  /** What the database says of the lease, unless it has said something later already. */
  leaseIs({ pico, version }: LeaseState): void {
    if (version <= this.#version) return
    this.#version = version
    this.availablePico += pico - this.#leasePico
    this.#leasePico = pico
  }

  hold(pico: bigint): void {
    this.availablePico -= pico
    this.heldPico += pico
  }

  release(heldPico: bigint, chargePico: bigint): void {
    this.heldPico -= heldPico
    this.availablePico += heldPico - chargePico
    this.unflushedPico += chargePico
    this.#spentPico += chargePico
    this.usedAtMs = Date.now()
  }

  /** A charge is in the database: from now on it is part of what that says of the lease. */
  flushed(chargePico: bigint): void {
    this.unflushedPico -= chargePico
    this.availablePico += chargePico
  }

  beginReturn(pico: bigint): void {
    this.availablePico -= pico
    this.returningPico += pico
  }

  endReturn(pico: bigint): void {
    this.returningPico -= pico
    this.availablePico += pico
  }

  /** Whether the database has said anything of the lease. */
  get isKnown(): boolean {
    return this.#version >= 0n
  }

  /** Nothing would be lost with it. */
  isEmpty(): boolean {
    return (
      this.#leasePico === 0n &&
      this.heldPico === 0n &&
      this.unflushedPico === 0n &&
      this.returningPico === 0n &&
      this.refill === undefined &&
      this.return === undefined
    )
  }

  get isScarce(): boolean {
    return Date.now() < this.#scarceUntilMs
  }

  becomeScarce(): void {
    this.#scarceUntilMs = Date.now() + scarceForMs
  }

  /** Whether the lease should grow behind the requests' backs, so that an outage does not find it used up. */
  isLow(): boolean {
    if (this.availablePico >= this.#lowPico || this.refill !== undefined) return false
    const nowMs = Date.now()
    return nowMs >= this.#topUpAfterMs && nowMs >= this.#scarceUntilMs
  }

  /**
   * How much a lease should have beyond the request that needs it: enough for `leaseMs` at the rate at which
   * the key was charged of late, and for some requests like this one (absent: like the last one).
   */
  surplusFor(amountPico: bigint | undefined, leaseMs: number): bigint {
    if (this.isScarce) return 0n
    const nowMs = Date.now()
    const measuredMs = Math.max(nowMs - this.#spentSinceMs, minMeasuredMs)
    const spentPico = (this.#spentPico * BigInt(leaseMs)) / BigInt(measuredMs)
    // Half of what was measured before: a lease is often taken a moment after another.
    const beforePico = this.#spentPerLeasePico / 2n
    this.#spentPerLeasePico = spentPico > beforePico ? spentPico : beforePico
    this.#spentPico = 0n
    this.#spentSinceMs = nowMs
    if (amountPico !== undefined) this.#usualPico = amountPico * leaseForRequests
    return this.#usualPico > this.#spentPerLeasePico ? this.#usualPico : this.#spentPerLeasePico
  }

  /** After a lease was taken, or could not be. */
  tookLease(takenPico: bigint): void {
    this.#lowPico = this.availablePico / 2n
    this.#topUpAfterMs = Date.now() + (takenPico > 0n ? topUpPauseMs : fruitlessPauseMs)
  }
}
