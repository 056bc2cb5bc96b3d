import type { GatewayError, UpstreamReason } from '@turnpike/protocol'
import { freely, isFree, Latency, type BreakerState, type Entry, type FairBreaker } from '@turnpike/routing'
import { UpstreamFailure } from '../../upstream/client.ts'

/** Why the circuit breaker of an upstream, or of a key, is open. */
export type RestReason = UpstreamReason | 'failing'

/** Permission to call an upstream. Return it once: to `recordAnswer`, `recordFailure` or `release`. */
export interface Permit {
  readonly own: Entry<RestReason>
  readonly ofKey: Entry<RestReason>
}

/**
 * Timeouts are checked periodically, so calls that stalled together are reported in the same moment, without
 * an answer between them. Counted as consecutive failures, they would open the breaker of a vendor that
 * answers a thousand other calls.
 */
const oneMomentMs = 100

/** Nearly all requests share this one. */
const withoutProbe: Permit = { own: freely, ofKey: freely }

/** A call whose answer has begun. */
export interface AnsweredCall {
  nowMs: number
  tookMs: number
  streamed: boolean
  accountId: string
}

/** A call without a complete answer. `result` is the one in the attempt's row. */
export interface FailedCall {
  nowMs: number
  result: string
  accountId: string
}

/** What the candidates of one provider share if they use the same key. */
export interface KeyHealth {
  provider: string
  /** The key's position in the provider's list, from 1; null if it has none. */
  key: number | null
  /** Undefined if the key never goes into cooldown. */
  breaker: FairBreaker<RestReason> | undefined
  /** Called each time that the provider rejects the key. */
  onRefused?: () => void
}

/**
 * The health of an upstream with one of its provider's keys. Found by name, so it outlives catalogs and
 * prices. Times are in milliseconds on the monotonic clock.
 */
export class UpstreamHealth {
  /** The model's name at the provider, shared by all its dated versions. */
  readonly model: string
  /** Undefined without regions. Limits are per region: another one may accept what this one rejects. */
  readonly region: string | undefined
  readonly ofKey: KeyHealth
  readonly #breaker: FairBreaker<RestReason> | undefined
  /** When a timeout last counted as a failure. */
  #timedOutAtMs = -Infinity
  /** From the call to the first token of a stream, or to the end of a plain answer. */
  readonly latency = { stream: new Latency(), plain: new Latency() }
  answers = 0
  failures = 0
  /** Unix epoch milliseconds, and the result in the attempt's row. */
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

  /** Permission to call the upstream; undefined if it, or its key, is in cooldown for this account. */
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
   * Permission to call an upstream that is in cooldown because its key was rejected: it rejects again at
   * once, or works if the operator has fixed the key. Undefined if it is in cooldown for another reason, such
   * as an account out of credit, or if another request has just tried.
   */
  tryAcquireRefused(nowMs: number, accountId: string): Permit | undefined {
    const { breaker: ofKey } = this.ofKey
    const own = this.#breaker
    const ownRefused = own?.state(nowMs, accountId) === 'open' && own.reason(accountId) === 'not-permitted'
    const keyRests = ofKey?.state(nowMs, accountId) === 'open'
    if (keyRests ? ofKey.reason(accountId) !== 'key-refused' : !ownRefused) return undefined
    const ownPermit = ownRefused ? own.tryAcquireEarly(nowMs, accountId) : own?.tryAcquire(nowMs, accountId)
    if (own !== undefined && ownPermit === undefined) return undefined
    const keyPermit = ofKey === undefined ? freely : ofKey.tryAcquireEarly(nowMs, accountId)
    if (keyPermit !== undefined) return { own: ownPermit ?? freely, ofKey: keyPermit }
    if (ownPermit !== undefined) own?.release(ownPermit)
    return undefined
  }

  /** The answer has begun. `recordCompletion` reports later that it also ended well. */
  recordAnswer({ own, ofKey }: Permit, call: AnsweredCall): void {
    const { nowMs, tookMs, streamed, accountId } = call
    this.answers++
    this.latency[streamed ? 'stream' : 'plain'].add(tookMs)
    this.ofKey.breaker?.recordSuccess(ofKey, nowMs, accountId)
    // While the breaker is closed, only a complete answer resets the count of consecutive failures.
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

  /** The call got no answer. Failures that the caller's request itself caused do not count. */
  recordFailure({ own, ofKey }: Permit, error: GatewayError, call: FailedCall): void {
    const { nowMs, result, accountId } = call
    const retryAfterMs = error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1_000
    switch (error.reason) {
      case 'key-refused':
      case 'out-of-quota':
        this.#noteFailure(result)
        if (error.reason === 'key-refused') this.ofKey.onRefused?.()
        this.#breaker?.release(own)
        this.ofKey.breaker?.rest(ofKey, nowMs, error.reason, accountId, {
          retryAfterMs,
          forAll: isForEveryAccount(error),
        })
        return
      case 'rate-limited':
      case 'overloaded':
      case 'not-permitted':
        this.#noteFailure(result)
        this.ofKey.breaker?.release(ofKey)
        this.#breaker?.rest(own, nowMs, error.reason, accountId, {
          retryAfterMs,
          forAll: isForEveryAccount(error),
        })
        return
      case 'request-too-large':
        return this.release({ own, ofKey })
      default:
        if (!error.retryable) return this.#recordRefusal({ own, ofKey }, call)
        this.#noteFailure(result)
        this.ofKey.breaker?.release(ofKey)
        // An upstream that says when it will be back is not called earlier (RFC 9110, section 10.2.3).
        if (retryAfterMs !== undefined && !(error.cause instanceof UpstreamFailure))
          this.#breaker?.rest(own, nowMs, 'failing', accountId, { retryAfterMs })
        else this.#countFailure(own, call)
    }
  }

  /** The client left, or its request was rejected: that says nothing about the upstream. */
  release({ own, ofKey }: Permit): void {
    this.#breaker?.release(own)
    this.ofKey.breaker?.release(ofKey)
  }

  /** Milliseconds until it may be called; 0 for now. Without an account: the longest wait of any account. */
  waitMs(nowMs: number, accountId?: string): number {
    const own = this.#breaker?.waitMs(nowMs, accountId) ?? 0
    return Math.max(own, this.ofKey.breaker?.waitMs(nowMs, accountId) ?? 0)
  }

  /** Without an account: the state that at least one account sees. */
  state(nowMs: number, accountId?: string): BreakerState {
    const ofKey = this.ofKey.breaker?.state(nowMs, accountId) ?? 'closed'
    return ofKey === 'closed' ? (this.#breaker?.state(nowMs, accountId) ?? 'closed') : ofKey
  }

  /** Why it, or its key, is or last was in cooldown; undefined if neither was. */
  restReason(accountId?: string): RestReason | undefined {
    return this.ofKey.breaker?.reason(accountId) ?? this.#breaker?.reason(accountId)
  }

  get failuresInARow(): number {
    return this.#breaker?.failuresInARow ?? 0
  }

  /** How many accounts caused a cooldown for themselves alone; other accounts may still call it. */
  restingAccounts(nowMs: number): number {
    const ofKey = this.ofKey.breaker?.openCallers(nowMs) ?? 0
    return Math.max(ofKey, this.#breaker?.openCallers(nowMs) ?? 0)
  }

  /** The vendor rejected the request's content. That only says that the key is valid. */
  #recordRefusal({ own, ofKey }: Permit, { nowMs, result, accountId }: FailedCall): void {
    if (!result.startsWith('status-')) return this.release({ own, ofKey })
    this.#breaker?.release(own)
    this.ofKey.breaker?.recordSuccess(ofKey, nowMs, accountId)
  }

  /** Timeouts of one moment count as one failure. A probe's timeout always counts: few probes run at once. */
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

/** A single request cannot make a key invalid, or cause a limit on the number of requests. */
function isForEveryAccount({ reason, mayBeOwn }: GatewayError): boolean {
  return reason === 'key-refused' || (reason === 'rate-limited' && !mayBeOwn)
}
