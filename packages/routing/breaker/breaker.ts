export interface BreakerRules {
  /** Failures in a row after which it rests. */
  failures: number
  /** The first rest of which nobody says how long; each further one for the same is twice as long. */
  restMs: number
  /** No such rest is longer, but for its jitter. */
  longestBackoffMs: number
  /** No rest is longer, whatever was asked for. */
  longestRestMs: number
  /** How many requests may try at a time whether it works again. */
  probes: number
}

/** What `tryAcquire` answers. Give it back once: to `recordSuccess`, `recordFailure`, `rest` or `release`. */
export type Permission = 'free' | 'probe' | 'refused'

export type BreakerState = 'closed' | 'open' | 'half-open'

/** Between two tries of those who insist there is no longer pause. */
const longestInsistMs = 30_000

/** How soon somebody should ask again where all probes are under way. */
const probeWaitMs = 1_000

/**
 * Leaves something that fails in peace for a while, and then lets a few real requests find out whether it
 * works again. It has no clock and no timer: times are of the caller's monotonic clock, in milliseconds.
 */
export class Breaker<Reason extends string = string> {
  readonly #rules: BreakerRules
  readonly #random: () => number
  /** In a row, while closed. */
  #failures = 0
  /** Rests since it last worked, all for the same, of which nobody said how long. */
  #backoffs = 0
  /** 0 while closed. */
  #restsUntilMs = 0
  #probing = 0
  /** From when on a rest may be cut short, and how often one was since it last worked. */
  #insistFromMs = 0
  #insisted = 0
  #reason: Reason | undefined

  /** @param random from 0 up to 1 */
  constructor(rules: BreakerRules, random: () => number = Math.random) {
    this.#rules = rules
    this.#random = random
  }

  tryAcquire(nowMs: number): Permission {
    if (this.#restsUntilMs === 0) return 'free'
    if (nowMs < this.#restsUntilMs || this.#probing >= this.#rules.probes) return 'refused'
    this.#probing++
    return 'probe'
  }

  /**
   * Lets somebody in though it rests: a probe, whose success ends the rest as any other's does. One at a
   * time, and more and more seldom after as many as fail in a row before it rests: who asks without end is
   * not to be what it has no rest from.
   */
  tryAcquireEarly(nowMs: number): Permission {
    if (this.#restsUntilMs === 0) return 'free'
    if (this.#probing >= this.#rules.probes) return 'refused'
    if (nowMs < this.#restsUntilMs) {
      if (this.#probing > 0 || nowMs < this.#insistFromMs) return 'refused'
      const { failures, restMs } = this.#rules
      const pauses = ++this.#insisted - failures
      if (pauses > 0)
        this.#insistFromMs = nowMs + Math.min(restMs * 2 ** Math.min(pauses - 1, 30), longestInsistMs)
      this.#restsUntilMs = nowMs
      // One that is cut short makes the next one no longer.
      this.#backoffs = Math.max(0, this.#backoffs - 1)
    }
    this.#probing++
    return 'probe'
  }

  /** It works. What was asked before it began to rest says nothing of now. */
  recordSuccess(permission: Permission, nowMs: number): void {
    if (this.#restsUntilMs === 0) {
      this.#failures = 0
    } else if (permission === 'probe' && nowMs >= this.#restsUntilMs) {
      this.#close()
    }
    this.release(permission)
  }

  /** What it rests for, if it is this, was mended from outside: nothing is held against it any more. */
  forgive(reason: Reason): void {
    if (this.#restsUntilMs > 0 && this.#reason === reason) this.#close()
  }

  /** It failed: it rests after several in a row, or after one probe. */
  recordFailure(permission: Permission, nowMs: number, reason: Reason): void {
    this.release(permission)
    if (this.#restsUntilMs === 0) {
      if (++this.#failures >= this.#rules.failures) this.#rest(nowMs, this.#backoffMs(reason), reason)
    } else if (permission === 'probe' && nowMs >= this.#restsUntilMs) {
      this.#rest(nowMs, this.#backoffMs(reason), reason)
    }
  }

  /** Opens at once: for so long, or for as long as it takes to recover. */
  rest(permission: Permission, nowMs: number, reason: Reason, askedMs?: number): void {
    this.release(permission)
    if (nowMs < this.#restsUntilMs) {
      // One of many that were under way: only what it was told itself makes the rest longer.
      if (askedMs !== undefined && nowMs + askedMs > this.#restsUntilMs) this.#rest(nowMs, askedMs, reason)
    } else {
      this.#rest(nowMs, askedMs ?? this.#backoffMs(reason), reason)
    }
  }

  /** Nothing was learnt: the caller left, or its request was refused for what it asks. */
  release(permission: Permission): void {
    if (permission === 'probe') this.#probing--
  }

  /** How long until it may be asked; 0: now. */
  waitMs(nowMs: number): number {
    if (nowMs < this.#restsUntilMs) return this.#restsUntilMs - nowMs
    return this.#restsUntilMs > 0 && this.#probing >= this.#rules.probes ? probeWaitMs : 0
  }

  state(nowMs: number): BreakerState {
    if (this.#restsUntilMs === 0) return 'closed'
    return nowMs < this.#restsUntilMs ? 'open' : 'half-open'
  }

  /** Why it rested last; undefined while closed. */
  get reason(): Reason | undefined {
    return this.#reason
  }

  get failuresInARow(): number {
    return this.#failures
  }

  #close(): void {
    this.#restsUntilMs = 0
    this.#failures = 0
    this.#backoffs = 0
    this.#insistFromMs = 0
    this.#insisted = 0
    this.#reason = undefined
  }

  #rest(nowMs: number, forMs: number, reason: Reason): void {
    this.#restsUntilMs = nowMs + Math.min(forMs, this.#rules.longestRestMs)
    this.#reason = reason
  }

  /** Doubles from rest to rest; with jitter, so that many gateways do not come back at once. */
  #backoffMs(reason: Reason): number {
    const { restMs, longestBackoffMs } = this.#rules
    if (reason !== this.#reason) this.#backoffs = 0
    const wholeMs = Math.min(restMs * 2 ** Math.min(this.#backoffs++, 30), longestBackoffMs)
    return wholeMs * (0.75 + 0.5 * this.#random())
  }
}
