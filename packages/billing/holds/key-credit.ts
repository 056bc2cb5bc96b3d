import { spendPeriodAt, type SpendPeriod } from '@turnpike/protocol'
import type { AccountState, LeaseState, LeaseTaken, SpendLimitState } from './lease-store.ts'

/** A lease is sized for this many requests like the current one, so that the database is rarely queried. */
const leaseForRequests = 32n
/** A rate of spending over a shorter time is a guess. */
const minMeasuredMs = 1_000
/** After credit was recalled from other nodes, each node takes only what it needs for this long. */
const scarceForMs = 5_000
/** Pause between two attempts to grow a lease before it is used up. */
const topUpPauseMs = 1_000
const fruitlessPauseMs = 5_000

/**
 * One node's part of a key's credit. The available amount is always the lease as last reported by the
 * database, minus holds, minus charges not yet taken off the lease, minus credit being returned.
 */
export class KeyCredit {
  readonly keyId: string
  #leasePico = 0n
  #version = -1n
  #availablePico = 0n
  /** Everything ever charged here, and the part that is in the database. */
  #chargedPico = 0n
  #flushedPico = 0n
  #returningPico = 0n
  /** The values last reported by the database. */
  freePico = 0n
  elsewherePico = 0n
  successor: string | undefined
  predecessors: readonly string[] = []
  /** Other keys that use the same credit. Set if too little of it was free. */
  sharers: LeaseTaken['sharers']
  /** The key whose credit it uses. Set if that had too little free. */
  payer: LeaseTaken['payer']
  /** The key's spend limit, if it has one. */
  limit: SpendLimitState | undefined
  /** The account's credit. Set if debts of its other keys leave less than this key has. */
  account: AccountState | undefined
  /** The limit's period that the lease is for: the latest of which this node has seen a request. */
  #period: SpendPeriod | undefined
  /**
   * The part of the lease that may still go to requests that began before that period. It shrinks with each
   * of their holds, so that they never get more than their own period had left. 0 while stale.
   */
  #closingPico = 0n
  #isStale = true
  /** The key was revoked or replaced: nobody can spend what its requests leave. */
  #isRetired = false
  /** The key or budget that the lease belongs to no longer exists. */
  isGone = false
  #timesStale = 0
  /** Until when it is known that there is no more than the database last reported. */
  #shortUntilMs = 0
  /** When the latest request began. */
  #latestMs = 0
  usedAtMs = Date.now()
  /** A running refill. Others that are short of credit wait for the same one. */
  refill: Promise<boolean> | undefined
  /** Number of operations that use this object and wait. */
  users = 0
  /** A running return. Returns run one after the other. */
  return: Promise<void> | undefined
  #scarceUntilMs = 0
  /** The charges at the last measurement of the spending rate, and its time. */
  #measuredPico = 0n
  #measuredAtMs = Date.now()
  #spentPerLeasePico = 0n
  #usualPico = 0n
  #lowPico = 0n
  #topUpAfterMs = 0

  constructor(keyId: string) {
    this.keyId = keyId
  }

  /** Below zero if charges exceeded their holds, or if the lease was taken from this node. */
  get availablePico(): bigint {
    return this.#availablePico
  }

  /** Credit held by running requests: neither available, nor charged, nor being returned. */
  get heldPico(): bigint {
    return this.#leasePico - this.#availablePico - this.unflushedPico - this.#returningPico
  }

  /** Charges that are not yet taken off the lease. */
  get unflushedPico(): bigint {
    return this.#chargedPico - this.#flushedPico
  }

  /** What is available here, plus what was free beside the key's leases at the last report. */
  get idlePico(): bigint {
    let { freePico } = this
    for (const boundPico of [this.limit?.roomPico, this.account?.freePico])
      if (boundPico !== undefined && boundPico < freePico) freePico = boundPico
    return notBelowZero(this.#availablePico + freePico)
  }

  /**
   * What a request that began then may use of the available credit. The first request of a new period turns a
   * spend limit's period: earlier requests share what was left until then, and nothing leased later (decision
   * 8).
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

  /** When the latest request seen by this node began. */
  get latestMs(): number {
    return this.#latestMs
  }

  /** The key's limits may have changed: nothing is spent until the database has reported them. */
  becomeStale(): void {
    this.#isStale = true
    this.#closingPico = 0n
    this.#timesStale++
    this.#shortUntilMs = 0
  }

  /** Whether a request that began then may use all available credit. If not, that is returned first. */
  isFor(startedAtMs: number): boolean {
    return !this.#isStale && !this.#isEarlier(startedAtMs)
  }

  /** Whether credit that no request holds must be returned at once. */
  get isRecalled(): boolean {
    return this.#isStale || this.#isRetired
  }

  get timesStale(): number {
    return this.#timesStale
  }

  /**
   * Applies the database's response to a request for more credit.
   * @param startedAtMs when the request began that needed it
   * @param timesStale its value when the database was called
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
    // With more leased than the limit or the account leaves, released credit is returned before it is spent.
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
   * Records that the database had too little and no other node has any. Then there is no more, until limits
   * change or this node returns something.
   * @param timesStale its value when the database was called
   */
  rememberShort(forMs: number, timesStale: number): void {
    if (this.elsewherePico > 0n || timesStale !== this.#timesStale) return
    this.#shortUntilMs = performance.now() + forMs
  }

  /** Whether it is known, without a query, that a request cannot get this much. */
  isShortOf(amountPico: bigint, startedAtMs: number): boolean {
    if (performance.now() >= this.#shortUntilMs) return false
    return this.spendablePico(startedAtMs) + this.freePico < amountPico
  }

  /** Applies a state of the lease, unless a later one was applied already. */
  leaseIs({ pico, version }: LeaseState): void {
    if (version <= this.#version) return
    this.#version = version
    this.#add(pico - this.#leasePico)
    this.#leasePico = pico
  }

  /** @param startedAtMs when the request that gets the hold began */
  hold(pico: bigint, startedAtMs: number): void {
    if (this.#isEarlier(startedAtMs)) this.#closingPico -= pico
    this.#add(-pico)
  }

  /**
   * Credit that was not charged goes to the latest period. Earlier requests may get it once the database has
   * confirmed that their own period has room for it.
   */
  release(heldPico: bigint, chargePico: bigint, startedAtMs: number, nowMs: number): void {
    if (chargePico > heldPico && this.#isEarlier(startedAtMs))
      this.#closingPico = notBelowZero(this.#closingPico - (chargePico - heldPico))
    this.#add(heldPico - chargePico)
    this.#chargedPico += chargePico
    this.usedAtMs = nowMs
  }

  /** A charge is in the database: from now on the reported lease includes it. */
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

  /** What to return if another node needs this much: half of what is available, or what it needs. */
  shareFor(neededPico: bigint): bigint {
    const half = this.#availablePico / 2n
    const sharePico = half > neededPico ? half : neededPico
    return sharePico < this.#availablePico ? sharePico : this.#availablePico
  }

  /** Whether the database has reported the lease. */
  get isKnown(): boolean {
    return this.#version >= 0n
  }

  /** Resolves once no refill is running, whatever their result. */
  async refillsEnd(): Promise<void> {
    while (this.refill !== undefined) await this.refill.catch(() => false)
  }

  /** Whether it can be dropped without losing anything. */
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

  /** Whether the lease should grow in the background, so that it is not used up when an outage begins. */
  isLow(): boolean {
    if (this.#availablePico >= this.#lowPico || this.refill !== undefined) return false
    const nowMs = Date.now()
    return nowMs >= this.#topUpAfterMs && nowMs >= this.#scarceUntilMs
  }

  /**
   * How much a lease should have beyond the request that needs it: enough for `leaseMs` at the key's recent
   * rate of charges, and for some requests like this one (absent: like the last one).
   */
  surplusFor(amountPico: bigint | undefined, leaseMs: number): bigint {
    if (this.isScarce) return 0n
    const nowMs = Date.now()
    const measuredMs = Math.max(nowMs - this.#measuredAtMs, minMeasuredMs)
    const spentPico = ((this.#chargedPico - this.#measuredPico) * BigInt(leaseMs)) / BigInt(measuredMs)
    // Not less than half of the last measurement, because a lease is often taken right after another.
    const beforePico = this.#spentPerLeasePico / 2n
    this.#spentPerLeasePico = spentPico > beforePico ? spentPico : beforePico
    this.#measuredPico = this.#chargedPico
    this.#measuredAtMs = nowMs
    if (amountPico !== undefined) this.#usualPico = amountPico * leaseForRequests
    return this.#usualPico > this.#spentPerLeasePico ? this.#usualPico : this.#spentPerLeasePico
  }

  /** Pauses growth, because the lease is large enough or could not grow. */
  pauseTopUp(tookPico: bigint): void {
    this.#lowPico = this.#availablePico / 2n
    this.#topUpAfterMs = Date.now() + (tookPico > 0n ? topUpPauseMs : fruitlessPauseMs)
  }

  #add(pico: bigint): void {
    this.#availablePico += pico
    this.#limitClosing()
  }

  /** Earlier requests never get more than is available. */
  #limitClosing(): void {
    if (this.#closingPico > this.#availablePico) this.#closingPico = notBelowZero(this.#availablePico)
  }
}

function notBelowZero(pico: bigint): bigint {
  return pico > 0n ? pico : 0n
}
