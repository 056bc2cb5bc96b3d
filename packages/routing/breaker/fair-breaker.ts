import { Breaker, type BreakerRules, type BreakerState, type Permission } from './breaker.ts'

/**
 * How many callers must see failures before the breaker opens for all. With fewer, their own requests may be
 * the cause: a prompt that makes a vendor fail, or a request beyond its limits.
 */
const callersThatConvince = 3
/** How many callers' breakers are kept; beyond that, the oldest is forgotten. */
const mostCallers = 1_000

/** Permission for one call. Return it once, to the method that fits the outcome. */
export interface Entry<Reason extends string = string> {
  /** From the breaker for all callers. */
  readonly all: Permission
  /** From the caller's own breaker. */
  readonly own: Permission
  readonly of: Breaker<Reason> | undefined
}

/** Nearly all requests share this one. */
export const freely: Entry<never> = { all: 'free', own: 'free', of: undefined }

/**
 * A circuit breaker that is fair to callers who do not cause failures: failures of one caller open it for
 * that caller only, and once several callers see failures it opens for all.
 */
export class FairBreaker<Reason extends string = string> {
  readonly #rules: BreakerRules
  readonly #random: () => number
  readonly #all: Breaker<Reason>
  /** The breakers of callers whose calls failed since their last success. Absent while there are none. */
  #own: Map<string, Breaker<Reason>> | undefined
  /** Since the last success of any caller. */
  #failures = 0
  #failedTo: Set<string> | undefined

  /** @param random from 0 up to 1 */
  constructor(rules: BreakerRules, random: () => number = Math.random) {
    this.#rules = rules
    this.#random = random
    this.#all = new Breaker(rules, random)
  }

  /** Undefined if it is open, for all or for this caller. */
  tryAcquire(nowMs: number, caller: string): Entry<Reason> | undefined {
    const of = this.#own?.get(caller)
    const own = of?.tryAcquire(nowMs) ?? 'free'
    if (own === 'refused') return undefined
    const all = this.#all.tryAcquire(nowMs)
    if (all === 'refused') {
      of?.release(own)
      return undefined
    }
    return own === 'free' && all === 'free' ? freely : { all, own, of }
  }

  /**
   * Admits one probe during a cooldown; its success closes the breaker like any other probe's. Undefined if
   * one is in progress, or there was one just now.
   */
  tryAcquireEarly(nowMs: number, caller: string): Entry<Reason> | undefined {
    const of = this.#own?.get(caller)
    const all = this.#all.tryAcquireEarly(nowMs)
    if (all === 'refused') return undefined
    const own = of?.tryAcquireEarly(nowMs) ?? 'free'
    if (own !== 'refused') return { all, own, of }
    this.#all.release(all)
    return undefined
  }

  /** The call succeeded, for this caller and presumably for all. */
  recordSuccess({ all, own, of }: Entry<Reason>, nowMs: number, caller: string): void {
    this.#all.recordSuccess(all, nowMs)
    this.#failures = 0
    this.#failedTo = undefined
    const known = of ?? this.#own?.get(caller)
    known?.recordSuccess(own, nowMs)
    if (known?.state(nowMs) !== 'closed' || this.#own?.get(caller) !== known) return
    this.#own.delete(caller)
    if (this.#own.size === 0) this.#own = undefined
  }

  /** The call failed. Opens after several consecutive failures, or after one failed probe. */
  recordFailure(entry: Entry<Reason>, nowMs: number, reason: Reason, caller: string): void {
    const own = this.#ownOf(entry, caller)
    const first = own.state(nowMs) === 'closed'
    own.recordFailure(entry.own, nowMs, reason)
    if (entry.all === 'probe') return this.#all.recordFailure('probe', nowMs, reason)
    if (!first || this.#all.state(nowMs) !== 'closed') return
    this.#failures++
    this.#failedTo = (this.#failedTo ?? new Set<string>()).add(caller)
    const convinced = this.#failures >= this.#rules.failures && this.#failedTo.size >= callersThatConvince
    if (convinced) this.#all.rest('free', nowMs, reason)
  }

  /**
   * Opens at once, for the time that the failure named or otherwise for a backoff.
   * @param forAll the failure cannot be one caller's fault
   */
  rest(
    entry: Entry<Reason>,
    nowMs: number,
    reason: Reason,
    caller: string,
    { retryAfterMs, forAll }: { retryAfterMs?: number | undefined; forAll?: boolean } = {},
  ): void {
    if (forAll === true) {
      entry.of?.release(entry.own)
      return this.#all.rest(entry.all, nowMs, reason, retryAfterMs)
    }
    this.#ownOf(entry, caller).rest(entry.own, nowMs, reason, retryAfterMs)
    const convinced = this.#all.state(nowMs) !== 'closed' || this.openCallers(nowMs) >= callersThatConvince
    if (convinced) this.#all.rest(entry.all, nowMs, reason, retryAfterMs)
  }

  /** Closes the breakers of all callers that are open for this reason, since the cause was fixed. */
  forgive(reason: Reason): void {
    this.#all.forgive(reason)
    for (const own of this.#own?.values() ?? []) own.forgive(reason)
  }

  /** The call revealed nothing: the client left, or the request itself was rejected. */
  release({ all, own, of }: Entry<Reason>): void {
    this.#all.release(all)
    of?.release(own)
  }

  /** Milliseconds until it admits a request; 0 for now. Without a caller: the longest wait of any caller. */
  waitMs(nowMs: number, caller?: string): number {
    return Math.max(this.#all.waitMs(nowMs), ...this.#ofCaller(caller).map((own) => own.waitMs(nowMs)))
  }

  /** Without a caller: the worst state that any caller sees. */
  state(nowMs: number, caller?: string): BreakerState {
    const states = [this.#all, ...this.#ofCaller(caller)].map((one) => one.state(nowMs))
    if (states.includes('open')) return 'open'
    return states.includes('half-open') ? 'half-open' : 'closed'
  }

  /** Why it last opened; undefined while closed. */
  reason(caller?: string): Reason | undefined {
    return this.#all.reason ?? this.#ofCaller(caller).find(({ reason }) => reason !== undefined)?.reason
  }

  get failuresInARow(): number {
    return this.#failures
  }

  /** How many callers have an open breaker of their own. */
  openCallers(nowMs: number): number {
    let open = 0
    for (const own of this.#own?.values() ?? []) if (own.state(nowMs) === 'open') open++
    return open
  }

  #ofCaller(caller: string | undefined): Breaker<Reason>[] {
    if (this.#own === undefined) return []
    if (caller === undefined) return [...this.#own.values()]
    const own = this.#own.get(caller)
    return own === undefined ? [] : [own]
  }

  #ownOf({ of }: Entry<Reason>, caller: string): Breaker<Reason> {
    this.#own ??= new Map()
    const known = of ?? this.#own.get(caller)
    if (known !== undefined) return known
    if (this.#own.size >= mostCallers) this.#own.delete(this.#own.keys().next().value!)
    const made = new Breaker<Reason>(this.#rules, this.#random)
    this.#own.set(caller, made)
    return made
  }
}

/** Whether all breakers were closed when it was given. */
export function isFree({ all, own }: Entry): boolean {
  return all === 'free' && own === 'free'
}
