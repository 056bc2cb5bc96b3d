import { setImmediate as nextTurn } from 'node:timers/promises'
import { LeaseRecall, notAsked, outcomeOf, type RecallOutcome } from './lease-recall.ts'
import type { Hold, HoldResult } from './hold.ts'
import { KeyCredit } from './key-credit.ts'
import { holdRefusal } from './hold-refusal.ts'
import { defaultLeaseMs, type LeaseBookOptions } from './lease-book-options.ts'
import type { LeaseState, LeaseStore } from './lease-store.ts'
import { LeaseTerm } from './lease-term.ts'
import { totalsOf, type LeaseTotals } from './lease-totals.ts'

const defaultAskMs = 1_000

/**
 * The node's leases and the holds on them. `tryHold` is arithmetic in memory: the request path calls no
 * database, and nothing is overspent, because credit is in only one lease at a time.
 */
export class LeaseBook {
  readonly #store: LeaseStore
  readonly #nodeId: string
  readonly #leaseMs: number
  readonly #askMs: number
  readonly #usedUpMs: number
  readonly #term: LeaseTerm
  readonly #keys = new Map<string, KeyCredit>()
  /** Keys that `giveBackRecalled` checks. */
  readonly #recalled = new Set<string>()
  /** Running recalls by key. */
  readonly #asking = new Map<string, LeaseRecall>()
  /**
   * How often the database granted more credit, had too little, or failed; how often this node recalled
   * credit from others, and how often it answered a recall.
   */
  readonly tally = { granted: 0, short: 0, failed: 0, asked: 0, answered: 0 }

  constructor(store: LeaseStore, nodeId: string, options: LeaseBookOptions = {}) {
    this.#store = store
    this.#nodeId = nodeId
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs
    this.#askMs = options.askMs ?? defaultAskMs
    this.#usedUpMs = options.usedUpMs ?? 0
    this.#term = options.term ?? new LeaseTerm(store, nodeId, this.#leaseMs, options.clock)
    this.#term.whenExpired(() => this.#reload())
  }

  /** Walks all keys of which the node has credit. For scrapers, not for the request path. */
  totals(): LeaseTotals {
    return totalsOf(this.#keys)
  }

  /**
   * Places a hold on the lease. Undefined if the lease has too little; then `hold` requests more.
   * @param startedAtMs when the request began, in Unix epoch milliseconds
   */
  tryHold(keyId: string, amountPico: bigint, startedAtMs: number): Hold | undefined {
    // A free request needs no credit.
    if (amountPico > 0n && this.#term.isOver()) return undefined
    return this.tryHoldInTerm(keyId, amountPico, startedAtMs)
  }

  /** Like `tryHold`, for a caller that has checked that the term is not over. */
  tryHoldInTerm(keyId: string, amountPico: bigint, startedAtMs: number): Hold | undefined {
    if (!this.tryTakeInTerm(keyId, amountPico, startedAtMs)) return undefined
    return { keyId, startedAtMs, amountPico, settled: false, budgets: undefined, budgetPico: undefined }
  }

  /** The same without a hold object. `release` ends it. */
  tryTakeInTerm(keyId: string, amountPico: bigint, startedAtMs: number): boolean {
    if (amountPico === 0n) return true
    const credit = this.#keys.get(keyId)
    if (credit === undefined || credit.spendablePico(startedAtMs) < amountPico) return false
    credit.hold(amountPico, startedAtMs)
    return true
  }

  /** Whether the lease has anything for a request. If not, the database may still have more. */
  hasAny(keyId: string, startedAtMs: number): boolean {
    const credit = this.#keys.get(keyId)
    return credit !== undefined && credit.spendablePico(startedAtMs) > 0n && !this.#term.isOver()
  }

  /** The leases known to this node. */
  get leaseIds(): string[] {
    return [...this.#keys.keys()]
  }

  /**
   * Places a hold, for which the lease grows if necessary and possible. Before it is refused, idle credit is
   * recalled from other nodes. Rejects if the database cannot be reached.
   */
  hold(keyId: string, amountPico: bigint, startedAtMs: number): Promise<HoldResult> {
    return this.#with(keyId, (credit) => this.#hold(credit, amountPico, startedAtMs))
  }

  async #hold(credit: KeyCredit, amountPico: bigint, startedAtMs: number): Promise<HoldResult> {
    let giveUpAtMs: number | undefined
    for (;;) {
      const hold = this.tryHold(credit.keyId, amountPico, startedAtMs)
      if (hold !== undefined) return { hold }
      if (this.#term.isOver()) {
        await this.#term.renew()
        continue
      }
      if (credit.refill !== undefined || credit.return !== undefined) {
        // Another request is already asking: its result may be enough for this one too.
        await (credit.refill ?? credit.return)?.catch(ignoreFailure)
        continue
      }
      if (credit.availablePico > 0n && !credit.isFor(startedAtMs)) {
        await this.giveBack(credit.keyId)
        continue
      }
      if (credit.isShortOf(amountPico, startedAtMs))
        return { refused: holdRefusal(credit, amountPico, undefined) }
      const wish = { neededPico: amountPico - credit.spendablePico(startedAtMs), startedAtMs }
      if (await this.#refill(credit, wish, credit.surplusFor(amountPico, this.#leaseMs))) continue
      if (credit.isGone) return { refused: holdRefusal(credit, amountPico, undefined) }
      if (credit.spendablePico(startedAtMs) >= amountPico) continue
      if (credit.isShortOf(amountPico, startedAtMs)) continue
      giveUpAtMs ??= performance.now() + this.#askMs
      const leftMs = giveUpAtMs - performance.now()
      const outcome = await this.#moreFrom(credit, wish.neededPico, leftMs)
      if (outcome === 'given') continue
      // Refills do not run concurrently. Credit that came back during the recall counts too.
      await credit.refillsEnd()
      const stillPico = amountPico - credit.spendablePico(startedAtMs)
      if (await this.#refill(credit, { neededPico: stillPico, startedAtMs }, 0n)) continue
      return { refused: holdRefusal(credit, amountPico, outcome.heldPico) }
    }
  }

  /** The key's free credit, as far as known here: in this node's lease, and beside all leases. */
  freePico(keyId: string): bigint {
    return this.#keys.get(keyId)?.idlePico ?? 0n
  }

  /** Extends a hold from the lease at once; false if the lease has too little. */
  tryExtend(hold: Hold, morePico: bigint): boolean {
    const more = hold.settled ? undefined : this.tryHold(hold.keyId, morePico, hold.startedAtMs)
    if (more === undefined) return false
    hold.amountPico += morePico
    return true
  }

  /** Extends a hold that its request outgrows; false if there is not enough credit. */
  async extend(hold: Hold, morePico: bigint): Promise<boolean> {
    if (this.tryExtend(hold, morePico)) return true
    const result = await this.hold(hold.keyId, morePico, hold.startedAtMs)
    if ('refused' in result) return false
    // The request may have ended meanwhile.
    if (hold.settled) this.settle(result.hold, 0n)
    else hold.amountPico += morePico
    return !hold.settled
  }

  /** Ends a hold: its credit returns, except for the charge. */
  settle(hold: Hold, chargePico: bigint, nowMs = Date.now()): void {
    hold.settled = true
    this.release(hold.keyId, hold.amountPico, chargePico, hold.startedAtMs, nowMs)
  }

  /** Ends what `tryTakeInTerm` has taken for a request that began then. */
  release(keyId: string, heldPico: bigint, chargePico: bigint, startedAtMs: number, nowMs: number): void {
    if (heldPico === 0n && chargePico === 0n) return
    const credit = this.#creditOf(keyId)
    credit.release(heldPico, chargePico, startedAtMs, nowMs)
    if (credit.isLow() && !this.#term.isOver()) this.#topUp(credit)
  }

  /**
   * Records that charges are now in the database, with the resulting leases. What a charge took beyond its
   * lease was paid by the key itself.
   */
  flushed(chargedPico: ReadonlyMap<string, bigint>, leases: ReadonlyMap<string, LeaseState>): void {
    for (const [keyId, pico] of chargedPico) this.#keys.get(keyId)?.flushed(pico)
    this.#apply(leases)
  }

  /** Begins a new term of the leases; rejects if the database cannot be reached. */
  renew(): Promise<void> {
    return this.#term.renew()
  }

  /**
   * Call this if the key's limits may have changed, it was revoked, or its account is overdrawn. Credit that
   * is not held is returned. Credit that running requests release is returned before it is spent again,
   * unless it is allowed by then.
   */
  async limitsChanged(keyId: string): Promise<void> {
    const credit = this.#keys.get(keyId)
    if (credit === undefined) return
    credit.becomeStale()
    this.#recalled.add(keyId)
    await this.giveBack(keyId)
  }

  /**
   * Returns what ended requests have left of keys that were revoked, replaced or overdrawn, since no further
   * request may come and find it. Rejects if the database cannot be reached.
   */
  async giveBackRecalled(): Promise<void> {
    for (const keyId of this.#recalled) {
      const credit = this.#keys.get(keyId)
      if (credit?.isRecalled !== true) this.#recalled.delete(keyId)
      else if (credit.availablePico > 0n) await this.giveBack(keyId)
    }
  }

  /** Returns what is not held of one key's lease, because the key was revoked or its credit is to move. */
  async giveBack(keyId: string): Promise<void> {
    if (this.#keys.has(keyId))
      await this.#with(keyId, (credit) => this.#return(credit, () => credit.availablePico))
  }

  /** Like `limitsChanged`, on all nodes. Resolves when they have answered, or after `askMs`. */
  async giveBackEverywhere(keyId: string): Promise<void> {
    await this.limitsChanged(keyId)
    await this.#ask(keyId, everything, this.#askMs)
  }

  /** Returns leases unused since `beforeMs`, so that their idle credit is free for other nodes. */
  async giveBackIdle(beforeMs: number): Promise<void> {
    for (const [keyId, credit] of this.#keys) {
      if (credit.isEmpty()) this.#keys.delete(keyId)
      else if (credit.heldPico === 0n && credit.usedAtMs < beforeMs) await this.giveBack(keyId)
    }
  }

  /** Another node is short of this key's credit: returns half of what is idle here, or what it needs. */
  answer(keyId: string, wantedPico: bigint): Promise<void> {
    this.tally.answered++
    return this.#with(keyId, (credit) => this.#answer(credit, wantedPico))
  }

  async #answer(credit: KeyCredit, wantedPico: bigint): Promise<void> {
    if (!credit.isKnown) this.#apply(await this.#store.current(this.#nodeId, [credit.keyId]))
    credit.becomeScarce()
    await this.#return(credit, () => credit.shareFor(wantedPico), 'answer')
  }

  /** Records another node's answer to a recall. */
  recordAnswer(keyId: string, nodeId: string, givenPico: bigint, heldPico: bigint): void {
    this.#asking.get(keyId)?.addAnswer(nodeId, givenPico, heldPico)
  }

  /** Keeps the object from being dropped while it is in use: a second one would count the same lease. */
  async #with<Result>(keyId: string, work: (credit: KeyCredit) => Promise<Result>): Promise<Result> {
    const credit = this.#creditOf(keyId)
    credit.users++
    try {
      return await work(credit)
    } finally {
      credit.users--
    }
  }

  #creditOf(keyId: string): KeyCredit {
    let credit = this.#keys.get(keyId)
    if (credit === undefined) {
      credit = new KeyCredit(keyId)
      this.#keys.set(keyId, credit)
    }
    return credit
  }

  #apply(leases: ReadonlyMap<string, LeaseState>): void {
    for (const [keyId, lease] of leases) this.#keys.get(keyId)?.leaseIs(lease)
  }

  /** True if the database granted at least what is needed. */
  #refill(credit: KeyCredit, wish: LeaseNeed, surplusPico: bigint): Promise<boolean> {
    const refill = this.#countTaking(this.#take(credit, wish, surplusPico)).finally(() => {
      credit.refill = undefined
    })
    credit.refill = refill
    return refill
  }

  async #countTaking(taking: Promise<boolean>): Promise<boolean> {
    try {
      const isGranted = await taking
      this.tally[isGranted ? 'granted' : 'short']++
      return isGranted
    } catch (error) {
      this.tally.failed++
      throw error
    }
  }

  async #take(credit: KeyCredit, wish: LeaseNeed, surplusPico: bigint): Promise<boolean> {
    const { neededPico, startedAtMs } = wish
    if (neededPico <= 0n) return true
    const { timesStale } = credit
    const wantedPico = neededPico + surplusPico
    const taken = await this.#store.take(this.#nodeId, credit.keyId, neededPico, wantedPico, startedAtMs)
    credit.took(taken, startedAtMs, timesStale)
    if (taken.takenPico === 0n) credit.rememberShort(this.#usedUpMs, timesStale)
    if (credit.isRecalled) this.#recalled.add(credit.keyId)
    return taken.takenPico > 0n
  }

  /** Refills in the background. If this fails, the next request that needs more reports it. */
  #topUp(credit: KeyCredit): void {
    const usualPico = credit.surplusFor(undefined, this.#leaseMs)
    if (usualPico <= credit.availablePico) return credit.pauseTopUp(0n)
    const wish = { neededPico: 1n, startedAtMs: credit.latestMs }
    this.#refill(credit, wish, usualPico - credit.availablePico).catch(ignoreFailure)
  }

  async #moreFrom(credit: KeyCredit, missingPico: bigint, leftMs: number): Promise<RecallOutcome> {
    // If a key was rotated while requests ran, the credit may be in leases of its replacement, or still in
    // those of the key that it replaced.
    for (const related of [credit.successor ?? [], credit.predecessors].flat())
      await this.giveBackEverywhere(related)
    // Keys that use the same credit may have it in leases, also on this node.
    const siblings = new Set([...(credit.sharers?.keyIds ?? []), ...(credit.account?.siblings ?? [])])
    await Promise.all([...siblings].map((sibling) => this.giveBackEverywhere(sibling)))
    if (credit.elsewherePico <= 0n || leftMs <= 0) return notAsked
    return this.#ask(credit.keyId, missingPico, leftMs)
  }

  async #ask(keyId: string, wantedPico: bigint, timeoutMs: number): Promise<RecallOutcome> {
    const underWay = this.#asking.get(keyId)
    if (underWay !== undefined) return underWay.done.then(() => outcomeOf(underWay))
    this.#creditOf(keyId).becomeScarce()
    const asking = new LeaseRecall(timeoutMs)
    this.tally.asked++
    this.#asking.set(keyId, asking)
    try {
      asking.setHolders(await this.#store.ask(this.#nodeId, keyId, wantedPico))
      await asking.done
    } finally {
      this.#asking.delete(keyId)
      asking.end()
    }
    return outcomeOf(asking)
  }

  /** Returns run one after the other, so that a caller gets its answer only when all idle credit is free. */
  async #return(credit: KeyCredit, amountPico: () => bigint, what?: 'answer'): Promise<void> {
    while (credit.refill !== undefined || credit.return !== undefined) {
      await credit.refill?.catch(ignoreFailure)
      await credit.return?.catch(ignoreFailure)
      // Requests that waited for the refill place their holds first.
      await nextTurn()
    }
    const idle = amountPico()
    if (idle <= 0n && what === undefined) return
    const answer = what === undefined ? undefined : { heldPico: credit.heldPico }
    credit.return = this.#giveBack(credit, idle > 0n ? idle : 0n, answer).finally(() => {
      credit.return = undefined
    })
    await credit.return
  }

  async #giveBack(
    credit: KeyCredit,
    idlePico: bigint,
    answer: { heldPico: bigint } | undefined,
  ): Promise<void> {
    credit.beginReturn(idlePico)
    try {
      credit.leaseIs(await this.#store.giveBack(this.#nodeId, credit.keyId, idlePico, answer))
    } finally {
      credit.endReturn(idlePico)
    }
  }

  /**
   * The leases were taken from this node, which was away for too long. Credit that its requests hold and have
   * spent still counts against it, and is covered before anything else.
   */
  async #reload(): Promise<void> {
    this.#apply(await this.#store.current(this.#nodeId, this.leaseIds))
    for (const credit of this.#keys.values()) {
      if (credit.availablePico >= 0n || credit.refill !== undefined) continue
      const wish = { neededPico: -credit.availablePico, startedAtMs: credit.latestMs }
      this.#refill(credit, wish, 0n).catch(ignoreFailure)
    }
  }
}

/** What is needed beyond the lease, and when the request that needs it began. */
interface LeaseNeed {
  neededPico: bigint
  startedAtMs: number
}

/** More than any key has. */
const everything = 2n ** 63n - 1n

/** The request that called reports the failure; those that waited for it call again themselves. */
function ignoreFailure(): boolean {
  return false
}
