import { Breaker, type BreakerRules, type BreakerState, type Permission } from './breaker.ts'

/**
 * So many callers must find it failing before all are kept from it. What fewer find may be what they send:
 * a prompt that a vendor fails at, or a request that is more than its limits.
 */
const callersThatConvince = 3
/** The rests of so many callers are remembered; of more, the oldest is forgotten. */
const mostCallers = 1_000

/** The leave to try it: to be told back, once, to whichever of the other methods fits how it went. */
export interface Entry<Reason extends string = string> {
  /** Of the breaker of all. */
  readonly all: Permission
  /** Of the caller's own. */
  readonly own: Permission
  readonly of: Breaker<Reason> | undefined
}

/** Nearly all requests get this one. */
export const freely: Entry<never> = { all: 'free', own: 'free', of: undefined }

/**
 * Leaves something that fails in peace, and is fair to those who did not make it fail: a caller that alone
 * gives cause is kept from it alone, and everybody once several have found the same.
 */
export class FairBreaker<Reason extends string = string> {
  readonly #rules: BreakerRules
  readonly #random: () => number
  readonly #all: Breaker<Reason>
  /** By caller: those to whom it failed since it last answered them. Absent while there are none. */
  #own: Map<string, Breaker<Reason>> | undefined
  /** Since the last success of anybody. */
  #failures = 0
  #failedTo: Set<string> | undefined

  /** @param random from 0 up to 1 */
  constructor(rules: BreakerRules, random: () => number = Math.random) {
    this.#rules = rules
    this.#random = random
    this.#all = new Breaker(rules, random)
  }

  /** Undefined: it rests, for all or for this caller. */
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
   * Lets somebody in though it rests: a probe, whose success ends the rest as any other's does. Undefined
   * where one is under way, or somebody has insisted just now.
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

  /** It works: for this caller, and as far as is known for all. */
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

  /** It failed: it rests after several in a row, or after one probe. */
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
   * Opens at once: for so long, or for as long as it takes to recover.
   * @param forAll what was said cannot be one caller's doing
   */
  rest(
    entry: Entry<Reason>,
    nowMs: number,
    reason: Reason,
    caller: string,
    { askedMs, forAll }: { askedMs?: number | undefined; forAll?: boolean } = {},
  ): void {
    if (forAll === true) {
      entry.of?.release(entry.own)
      return this.#all.rest(entry.all, nowMs, reason, askedMs)
    }
    this.#ownOf(entry, caller).rest(entry.own, nowMs, reason, askedMs)
    const convinced = this.#all.state(nowMs) !== 'closed' || this.openCallers(nowMs) >= callersThatConvince
    if (convinced) this.#all.rest(entry.all, nowMs, reason, askedMs)
  }

  /** What it rests for, if it is this, was mended from outside: for all of its callers. */
  forgive(reason: Reason): void {
    this.#all.forgive(reason)
    for (const own of this.#own?.values() ?? []) own.forgive(reason)
  }

  /** Nothing was learnt: the caller left, or its request was refused for what it asks. */
  release({ all, own, of }: Entry<Reason>): void {
    this.#all.release(all)
    of?.release(own)
  }

  /** How long until it may be asked; 0: now. Without a caller: the longest of all of them. */
  waitMs(nowMs: number, caller?: string): number {
    return Math.max(this.#all.waitMs(nowMs), ...this.#ofCaller(caller).map((own) => own.waitMs(nowMs)))
  }

  /** Without a caller: what it is to somebody at least. */
  state(nowMs: number, caller?: string): BreakerState {
    const states = [this.#all, ...this.#ofCaller(caller)].map((one) => one.state(nowMs))
    if (states.includes('open')) return 'open'
    return states.includes('half-open') ? 'half-open' : 'closed'
  }

  /** Why it rested last; undefined while closed. */
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
