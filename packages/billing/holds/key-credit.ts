import { spendPeriodAt, type SpendPeriod } from '@turnpike/protocol'
import type { AccountState, LeaseState, LeaseTaken, SpendLimitState } from './lease-store.ts'

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
  readonly keyId: string
  #leasePico = 0n
  #version = -1n
  #availablePico = 0n
  /** All that was ever charged to it here, and what of that the database has. */
  #chargedPico = 0n
  #flushedPico = 0n
  #returningPico = 0n
  /** What the database said last. */
  freePico = 0n
  elsewherePico = 0n
  successor: string | undefined
  predecessors: readonly string[] = []
  /** Other keys that use the same credit, where too little of it was free. */
  sharers: LeaseTaken['sharers']
  /** Whose credit it uses, where that had too little free. */
  payer: LeaseTaken['payer']
  /** The key's spend limit, where it has one. */
  limit: SpendLimitState | undefined
  /** The account's credit, where debt of its other keys leaves less than this one has. */
  account: AccountState | undefined
  /** The limit's period that the lease is for: the latest of which this node has seen a request. */
  #period: SpendPeriod | undefined
  /**
   * What of the lease may still go to requests that began before that period. It falls by each of their
   * holds, whatever was leased since: they never get more than their own period had left. 0 while stale.
   */
  #closingPico = 0n
  #isStale = true
  /** It was revoked or replaced: nobody will spend what its requests leave. */
  #isRetired = false
  /** There is nothing any more that the lease could be of. */
  isGone = false
  #timesStale = 0
  /** For how long it is known that there is no more than the database said last. */
  #shortUntilMs = 0
  /** When the latest request began. */
  #latestMs = 0
  usedAtMs = Date.now()
  /** A refill under way; others that are short of credit wait for the same one. */
  refill: Promise<boolean> | undefined
  /** How many wait for something that is to be done with it. */
  users = 0
  /** Leases are given back one after the other. */
  return: Promise<void> | undefined
  #scarceUntilMs = 0
  /** What was charged until the rate of spending was last measured, and when that was. */
  #measuredPico = 0n
  #measuredAtMs = Date.now()
  #spentPerLeasePico = 0n
  #usualPico = 0n
  #lowPico = 0n
  #topUpAfterMs = 0

  constructor(keyId: string) {
    this.keyId = keyId
  }

  /** Below zero where charges exceeded their holds, or where the lease was taken from this node. */
  get availablePico(): bigint {
    return this.#availablePico
  }

  /** Of requests that run: what the lease has and is neither available, nor charged, nor on its way back. */
  get heldPico(): bigint {
    return this.#leasePico - this.#availablePico - this.unflushedPico - this.#returningPico
  }

  /** What was charged and is not yet taken off the lease. */
  get unflushedPico(): bigint {
    return this.#chargedPico - this.#flushedPico
  }

  /**
   * What is available here, and what the key had free beside its leases when the database told of it last.
   */
  get idlePico(): bigint {
    let { freePico } = this
    for (const boundPico of [this.limit?.roomPico, this.account?.freePico])
      if (boundPico !== undefined && boundPico < freePico) freePico = boundPico
    return notBelowZero(this.#availablePico + freePico)
  }

  /**
   * What a request that began then may take of what is available. A spend limit's period turns with the first
   * request of a new one: earlier requests share what was left until then, and nothing that is leased later
   * (decision 8).
   */
  spendablePico(startedAtMs: number): bigint {
    if (startedAtMs > this.#latestMs) this.#latestMs = startedAtMs
    const period = this.#period
    if (period !== undefined && startedAtMs >= period.endsAtMs) {
      this.#period = spendPeriodAt(period.kind, startedAtMs)
      this.#closingPico = this.#isStale ? 0n : notBelowZero(this.#availablePico)
    }
    if (this.#isStale) return this.#availablePico < 0n ? this.#availablePico : 0n
    return this.#isEarlier(startedAtMs) ? this.#closingPico : this.#availablePico
  }

  #isEarlier(startedAtMs: number): boolean {
    return this.#period !== undefined && startedAtMs < this.#period.startsAtMs
  }

  /** When the latest request began that this node has seen. */
  get latestMs(): number {
    return this.#latestMs
  }

  /** The key's limits may have changed: nothing is spent until the database has told of them. */
  becomeStale(): void {
    this.#isStale = true
    this.#closingPico = 0n
    this.#timesStale++
    this.#shortUntilMs = 0
  }

  /** Whether a request that began then takes of all that is available: else that goes back before it asks. */
  isFor(startedAtMs: number): boolean {
    return !this.#isStale && !this.#isEarlier(startedAtMs)
  }

  /** Whether what no request holds is to go back at once. */
  get isRecalled(): boolean {
    return this.#isStale || this.#isRetired
  }

  get timesStale(): number {
    return this.#timesStale
  }

  /**
   * What the database answered to a wish for more.
   * @param startedAtMs when the request began that needed it
   * @param timesStale as it was when the database was asked
   */
  took(taken: LeaseTaken, startedAtMs: number, timesStale: number): void {
    this.leaseIs(taken.lease)
    this.freePico = taken.freePico
    this.elsewherePico = taken.elsewherePico
    this.#shortUntilMs = 0
    this.successor = taken.successor
    this.predecessors = taken.predecessors ?? []
    this.sharers = taken.sharers
    this.payer = taken.payer
    this.limit = taken.limit
    this.account = taken.account
    this.#isRetired = taken.isRetired === true
    this.isGone = taken.isGone === true
    this.#limitIs(taken.limit, startedAtMs, taken.takenPico)
    // With more leased than the limit or the account leaves, what ends goes back before it is spent again.
    const isExceeded =
      taken.isExceeded === true || (taken.limit?.roomPico ?? 0n) < 0n || (taken.account?.freePico ?? 0n) < 0n
    if (timesStale === this.#timesStale) this.#isStale = isExceeded
    if (this.#isStale) this.#closingPico = 0n
    this.pauseTopUp(taken.takenPico)
  }

  #limitIs(limit: SpendLimitState | undefined, startedAtMs: number, takenPico: bigint): void {
    if (limit?.period.kind !== this.#period?.kind) {
      this.#period = limit?.period
      this.#closingPico = 0n
    } else if (this.#isEarlier(startedAtMs)) {
      this.#closingPico += takenPico
      this.#limitClosing()
    }
  }

  /**
   * The database had less than was needed, and no other node has any: so there is no more of it either, until
   * limits change or this node gives something back.
   * @param timesStale as it was when the database was asked
   */
  rememberShort(forMs: number, timesStale: number): void {
    if (this.elsewherePico > 0n || timesStale !== this.#timesStale) return
    this.#shortUntilMs = performance.now() + forMs
  }

  /** Whether it is known, without asking, that a request cannot be granted so much. */
  isShortOf(amountPico: bigint, startedAtMs: number): boolean {
    if (performance.now() >= this.#shortUntilMs) return false
    return this.spendablePico(startedAtMs) + this.freePico < amountPico
  }

  /** What the database says of the lease, unless it has said something later already. */
  leaseIs({ pico, version }: LeaseState): void {
    if (version <= this.#version) return
    this.#version = version
    this.#add(pico - this.#leasePico)
    this.#leasePico = pico
  }

  /** @param startedAtMs when the request began that it is for */
  hold(pico: bigint, startedAtMs: number): void {
    if (this.#isEarlier(startedAtMs)) this.#closingPico -= pico
    this.#add(-pico)
  }

  /**
   * What is not charged is the latest period's: earlier requests may have it when the database has told that
   * their own leaves room for it.
   */
  release(heldPico: bigint, chargePico: bigint, startedAtMs: number, nowMs: number): void {
    if (chargePico > heldPico && this.#isEarlier(startedAtMs))
      this.#closingPico = notBelowZero(this.#closingPico - (chargePico - heldPico))
    this.#add(heldPico - chargePico)
    this.#chargedPico += chargePico
    this.usedAtMs = nowMs
  }

  /** A charge is in the database: from now on it is part of what that says of the lease. */
  flushed(chargePico: bigint): void {
    this.#flushedPico += chargePico
    this.#add(chargePico)
  }

  beginReturn(pico: bigint): void {
    this.#add(-pico)
    this.#returningPico += pico
  }

  endReturn(pico: bigint): void {
    this.#shortUntilMs = 0
    this.#returningPico -= pico
    this.#add(pico)
  }

  /** What goes back where another node needs so much: half of what is available, or that. */
  shareFor(neededPico: bigint): bigint {
    const half = this.#availablePico / 2n
    const sharePico = half > neededPico ? half : neededPico
    return sharePico < this.#availablePico ? sharePico : this.#availablePico
  }

  /** Whether the database has said anything of the lease. */
  get isKnown(): boolean {
    return this.#version >= 0n
  }

  /** Resolves once no refill is under way, whatever came of them. */
  async refillsEnd(): Promise<void> {
    while (this.refill !== undefined) await this.refill.catch(() => false)
  }

  /** Nothing would be lost with it. */
  isEmpty(): boolean {
    return (
      this.users === 0 &&
      this.#leasePico === 0n &&
      this.heldPico === 0n &&
      this.unflushedPico === 0n &&
      this.#returningPico === 0n &&
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
    if (this.#availablePico >= this.#lowPico || this.refill !== undefined) return false
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
    const measuredMs = Math.max(nowMs - this.#measuredAtMs, minMeasuredMs)
    const spentPico = ((this.#chargedPico - this.#measuredPico) * BigInt(leaseMs)) / BigInt(measuredMs)
    // Half of what was measured before: a lease is often taken a moment after another.
    const beforePico = this.#spentPerLeasePico / 2n
    this.#spentPerLeasePico = spentPico > beforePico ? spentPico : beforePico
    this.#measuredPico = this.#chargedPico
    this.#measuredAtMs = nowMs
    if (amountPico !== undefined) this.#usualPico = amountPico * leaseForRequests
    return this.#usualPico > this.#spentPerLeasePico ? this.#usualPico : this.#spentPerLeasePico
  }

  /** The lease is large enough, or could not grow. */
  pauseTopUp(tookPico: bigint): void {
    this.#lowPico = this.#availablePico / 2n
    this.#topUpAfterMs = Date.now() + (tookPico > 0n ? topUpPauseMs : fruitlessPauseMs)
  }

  #add(pico: bigint): void {
    this.#availablePico += pico
    this.#limitClosing()
  }

  /** What earlier requests may have is never more than there is. */
  #limitClosing(): void {
    if (this.#closingPico > this.#availablePico) this.#closingPico = notBelowZero(this.#availablePico)
  }
}

function notBelowZero(pico: bigint): bigint {
  return pico > 0n ? pico : 0n
}
