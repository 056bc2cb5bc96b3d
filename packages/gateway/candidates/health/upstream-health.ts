import type { GatewayError, UpstreamReason } from '@turnpike/protocol'
import { freely, isFree, Latency, type BreakerState, type Entry, type FairBreaker } from '@turnpike/routing'
import { UpstreamFailure } from '../../upstream/client.ts'

/** Why the circuit breaker of an upstream, or of a key, is open. */
export type RestReason = UpstreamReason | 'failing'

/** Permission to call an upstream. Give it back once: to `recordAnswer`, `recordFailure` or `release`. */
export interface Permit {
  readonly own: Entry<RestReason>
  readonly ofKey: Entry<RestReason>
}

/**
 * Time-outs are looked for now and then, so calls that went silent together are told of in one moment,
 * between two answers: as failures in a row they would put a vendor to rest that answers a thousand others.
 */
const oneMomentMs = 100

/** Nearly all requests get this one. */
const withoutProbe: Permit = { own: freely, ofKey: freely }

/** A call whose answer has begun. */
export interface AnsweredCall {
  nowMs: number
  tookMs: number
  streamed: boolean
  accountId: string
}

/** A call that got no answer, or none that is whole; `result` as in the row of the attempt. */
export interface FailedCall {
  nowMs: number
  result: string
  accountId: string
}

/** What the candidates of a provider with one of its keys have in common. */
export interface KeyHealth {
  provider: string
  /** Place of the key in the provider's list, from 1; null where it has none. */
  key: number | null
  /** Undefined: it never rests. */
  breaker: FairBreaker<RestReason> | undefined
  /** Told each time that the provider refuses it. */
  onRefused?: () => void
}

/**
 * How an upstream does with one of its provider's keys. It outlives catalogs and prices: what it is of, it is
 * by name. Times are of the monotonic clock, in milliseconds.
 */
export class UpstreamHealth {
  /** Model's name at the provider; all its dated versions are one. */
  readonly model: string
  /** Where; undefined: its provider has no regions. What one refuses for its limits, another one may take. */
  readonly region: string | undefined
  readonly ofKey: KeyHealth
  readonly #breaker: FairBreaker<RestReason> | undefined
  /** When a time-out last counted. */
  #timedOutAtMs = -Infinity
  /** From the call to the first token of a stream, and to the whole of a plain answer. */
  readonly latency = { stream: new Latency(), plain: new Latency() }
  answers = 0
  failures = 0
  /** Unix epoch milliseconds, and the name that the row of the attempt has for it. */
  lastFailure: { atMs: number; result: string } | undefined

  constructor(
    model: string,
    ofKey: KeyHealth,
    breaker: FairBreaker<RestReason> | undefined,
    region?: string,
  ) {
    this.model = model
    this.region = region
    this.ofKey = ofKey
    this.#breaker = breaker
  }

  /** Leave to ask it; undefined where it, or its key, rests for this account. */
  tryAcquire(nowMs: number, accountId: string): Permit | undefined {
    const { breaker } = this.ofKey
    const ofKey = breaker === undefined ? freely : breaker.tryAcquire(nowMs, accountId)
    if (ofKey === undefined) return undefined
    const own = this.#breaker === undefined ? freely : this.#breaker.tryAcquire(nowMs, accountId)
    if (own === undefined) {
      breaker?.release(ofKey)
      return undefined
    }
    return own === freely && ofKey === freely ? withoutProbe : { own, ofKey }
  }

  /**
   * Leave to ask one that rests since its key was refused: it says so in a moment, and once the operator has
   * mended that, it works. Undefined where it rests for something else, as an account does that is empty, and
   * where somebody has tried just now.
   */
  tryAcquireRefused(nowMs: number, accountId: string): Permit | undefined {
    const { breaker: ofKey } = this.ofKey
    const own = this.#breaker
    const ownRefused = own?.state(nowMs, accountId) === 'open' && own.reason(accountId) === 'not-permitted'
    const keyRests = ofKey?.state(nowMs, accountId) === 'open'
    if (keyRests ? ofKey.reason(accountId) !== 'key-refused' : !ownRefused) return undefined
    const ownLeave = ownRefused ? own.tryAcquireEarly(nowMs, accountId) : own?.tryAcquire(nowMs, accountId)
    if (own !== undefined && ownLeave === undefined) return undefined
    const keyLeave = ofKey === undefined ? freely : ofKey.tryAcquireEarly(nowMs, accountId)
    if (keyLeave !== undefined) return { own: ownLeave ?? freely, ofKey: keyLeave }
    if (ownLeave !== undefined) own?.release(ownLeave)
    return undefined
  }

  /** The answer has begun. `recordCompletion` says later that it also ended well. */
  recordAnswer({ own, ofKey }: Permit, call: AnsweredCall): void {
    const { nowMs, tookMs, streamed, accountId } = call
    this.answers++
    this.latency[streamed ? 'stream' : 'plain'].add(tookMs)
    this.ofKey.breaker?.recordSuccess(ofKey, nowMs, accountId)
    // The failures in a row of one that is closed end with an answer that is whole.
    if (!isFree(own)) this.#breaker?.recordSuccess(own, nowMs, accountId)
  }

  recordCompletion(nowMs: number, accountId: string): void {
    this.#breaker?.recordSuccess(freely, nowMs, accountId)
  }

  /** An answer that had begun broke off. */
  recordBreakOff(nowMs: number, result: string, accountId: string): void {
    this.#noteFailure(result)
    this.#countFailure(freely, { nowMs, result, accountId })
  }

  /** It gave no answer. What the caller's request itself is to blame for is not held against it. */
  recordFailure({ own, ofKey }: Permit, error: GatewayError, call: FailedCall): void {
    const { nowMs, result, accountId } = call
    const askedMs = error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1_000
    switch (error.reason) {
      case 'key-refused':
      case 'out-of-quota':
        this.#noteFailure(result)
        if (error.reason === 'key-refused') this.ofKey.onRefused?.()
        this.#breaker?.release(own)
        this.ofKey.breaker?.rest(ofKey, nowMs, error.reason, accountId, {
          askedMs,
          forAll: isForEveryAccount(error),
        })
        return
      case 'rate-limited':
      case 'overloaded':
      case 'not-permitted':
        this.#noteFailure(result)
        this.ofKey.breaker?.release(ofKey)
        this.#breaker?.rest(own, nowMs, error.reason, accountId, {
          askedMs,
          forAll: isForEveryAccount(error),
        })
        return
      case 'request-too-large':
        return this.release({ own, ofKey })
      default:
        if (!error.retryable) return this.#recordRefusal({ own, ofKey }, call)
        this.#noteFailure(result)
        this.ofKey.breaker?.release(ofKey)
        // An upstream that says when it is back is not asked before (RFC 9110, section 10.2.3).
        if (askedMs !== undefined && !(error.cause instanceof UpstreamFailure))
          this.#breaker?.rest(own, nowMs, 'failing', accountId, { askedMs })
        else this.#countFailure(own, call)
    }
  }

  /** The caller left, or its request was refused: nothing was learnt of the upstream. */
  release({ own, ofKey }: Permit): void {
    this.#breaker?.release(own)
    this.ofKey.breaker?.release(ofKey)
  }

  /** How long until it may be asked; 0: now. Without an account: the longest of all of them. */
  waitMs(nowMs: number, accountId?: string): number {
    const own = this.#breaker?.waitMs(nowMs, accountId) ?? 0
    return Math.max(own, this.ofKey.breaker?.waitMs(nowMs, accountId) ?? 0)
  }

  /** Without an account: what it is to somebody at least. */
  state(nowMs: number, accountId?: string): BreakerState {
    const ofKey = this.ofKey.breaker?.state(nowMs, accountId) ?? 'closed'
    return ofKey === 'closed' ? (this.#breaker?.state(nowMs, accountId) ?? 'closed') : ofKey
  }

  /** Why it, or its key, rests or rested last; undefined where neither does. */
  restReason(accountId?: string): RestReason | undefined {
    return this.ofKey.breaker?.reason(accountId) ?? this.#breaker?.reason(accountId)
  }

  get failuresInARow(): number {
    return this.#breaker?.failuresInARow ?? 0
  }

  /** How many accounts it rests for that gave cause themselves: the others may ask it. */
  restingAccounts(nowMs: number): number {
    const ofKey = this.ofKey.breaker?.openCallers(nowMs) ?? 0
    return Math.max(ofKey, this.#breaker?.openCallers(nowMs) ?? 0)
  }

  /**
   * The vendor refused what the request asks, and not its key: nothing was learnt of the upstream, but that
   * the key is a good one.
   */
  #recordRefusal({ own, ofKey }: Permit, { nowMs, result, accountId }: FailedCall): void {
    if (!result.startsWith('status-')) return this.release({ own, ofKey })
    this.#breaker?.release(own)
    this.ofKey.breaker?.recordSuccess(ofKey, nowMs, accountId)
  }

  /** Time-outs of one moment are one failure. A probe's always counts: there are few at once. */
  #countFailure(own: Entry<RestReason>, { nowMs, result, accountId }: FailedCall): void {
    if (isFree(own) && result.endsWith('-timeout')) {
      if (nowMs - this.#timedOutAtMs < oneMomentMs) return
      this.#timedOutAtMs = nowMs
    }
    this.#breaker?.recordFailure(own, nowMs, 'failing', accountId)
  }

  #noteFailure(result: string): void {
    this.failures++
    this.lastFailure = { atMs: Date.now(), result }
  }
}

/** No request makes a key a wrong one, or a limit of requests. */
function isForEveryAccount({ reason, mayBeOwn }: GatewayError): boolean {
  return reason === 'key-refused' || (reason === 'rate-limited' && !mayBeOwn)
}
