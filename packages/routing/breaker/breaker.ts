export interface BreakerRules {
  /** Consecutive failures that open it. */
  failures: number
  /**
   * The first cooldown, if the failure names no time; each further one for the same reason is twice as long.
   */
  restMs: number
  /** The longest such cooldown, without jitter. */
  longestBackoffMs: number
  /** The longest cooldown, whatever time a failure names. */
  longestRestMs: number
  /** How many requests at a time may probe whether it works again. */
  probes: number
}

/** The result of `tryAcquire`. Return it once: to `recordSuccess`, `recordFailure`, `rest` or `release`. */
export type Permission = 'free' | 'probe' | 'refused'

export type BreakerState = 'closed' | 'open' | 'half-open'

/** The longest pause between two early probes. */
const longestInsistMs = 30_000

/** How soon to ask again while all probes are in progress. */
const probeWaitMs = 1_000

/**
 * A circuit breaker: opens for a cooldown after failures, then lets a few real requests probe whether the
 * upstream works again. It has no clock and no timer: times are in milliseconds on the caller's monotonic
 * clock.
 */
export class Breaker<Reason extends string = string> {
  readonly #rules: BreakerRules
  readonly #random: () => number
  /** Consecutive ones, while closed. */
  #failures = 0
  /** Consecutive cooldowns for the same reason, without a time that the failure named. */
  #backoffs = 0
  /** 0 while closed. */
  #restsUntilMs = 0
  #probing = 0
  /** The next time for an early probe, and how many there were since the last success. */
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
   * Admits one probe during a cooldown; its success closes the breaker like any other probe's. One at a time,
   * and after the number of failures that open the breaker, less and less often: a caller that retries
   * endlessly must not defeat the cooldown.
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
      // Cutting a cooldown short does not make the next one longer.
      this.#backoffs = Math.max(0, this.#backoffs - 1)
    }
    this.#probing++
    return 'probe'
  }

  /** The call succeeded. If it began before the breaker opened, that says nothing about now. */
  recordSuccess(permission: Permission, nowMs: number): void {
    if (this.#restsUntilMs === 0) {
      this.#failures = 0
    } else if (permission === 'probe' && nowMs >= this.#restsUntilMs) {
      this.#close()
    }
    this.release(permission)
  }

  /** Closes the breaker if this is its reason, since the cause was fixed. */
  forgive(reason: Reason): void {
    if (this.#restsUntilMs > 0 && this.#reason === reason) this.#close()
  }

  /** The call failed. Opens after several consecutive failures, or after one failed probe. */
  recordFailure(permission: Permission, nowMs: number, reason: Reason): void {
    this.release(permission)
    if (this.#restsUntilMs === 0) {
      if (++this.#failures >= this.#rules.failures) this.#rest(nowMs, this.#backoffMs(reason), reason)
    } else if (permission === 'probe' && nowMs >= this.#restsUntilMs) {
      this.#rest(nowMs, this.#backoffMs(reason), reason)
    }
  }

  /** Opens at once, for the time that the failure named or otherwise for a backoff. */
  rest(permission: Permission, nowMs: number, reason: Reason, retryAfterMs?: number): void {
    this.release(permission)
    if (nowMs < this.#restsUntilMs) {
      // One of several calls that failed together: only a time that it names itself can extend the cooldown.
      if (retryAfterMs !== undefined && nowMs + retryAfterMs > this.#restsUntilMs)
        this.#rest(nowMs, retryAfterMs, reason)
    } else {
      this.#rest(nowMs, retryAfterMs ?? this.#backoffMs(reason), reason)
    }
  }

  /** The call revealed nothing: the client left, or the request itself was rejected. */
  release(permission: Permission): void {
    if (permission === 'probe') this.#probing--
  }

  /** Milliseconds until it admits a request; 0 for now. */
  waitMs(nowMs: number): number {
    if (nowMs < this.#restsUntilMs) return this.#restsUntilMs - nowMs
    return this.#restsUntilMs > 0 && this.#probing >= this.#rules.probes ? probeWaitMs : 0
  }

  state(nowMs: number): BreakerState {
    if (this.#restsUntilMs === 0) return 'closed'
    return nowMs < this.#restsUntilMs ? 'open' : 'half-open'
  }

  /** Why it last opened; undefined while closed. */
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

  /** Doubles from cooldown to cooldown, with jitter, so that many gateways do not return at the same time. */
  #backoffMs(reason: Reason): number {
    const { restMs, longestBackoffMs } = this.#rules
    if (reason !== this.#reason) this.#backoffs = 0
    const wholeMs = Math.min(restMs * 2 ** Math.min(this.#backoffs++, 30), longestBackoffMs)
    return wholeMs * (0.75 + 0.5 * this.#random())
  }
}
