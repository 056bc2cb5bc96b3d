import type { GatewayError, UpstreamReason } from '@turnpike/protocol'
import { Breaker, Latency, type BreakerState, type Permission } from '@turnpike/routing'
import { UpstreamFailure } from '../client.ts'

/** Why an upstream, or a key, is left in peace. */
export type RestReason = UpstreamReason | 'failing'

/** The leave to ask an upstream: to be told to `answered`, `failed` or `left` once, however it goes. */
export interface Leave {
  readonly own: Permission
  readonly ofKey: Permission
}

/**
 * Time-outs are looked for now and then, so calls that went silent together are told of in one moment,
 * between two answers: as failures in a row they would put a vendor to rest that answers a thousand others.
 */
const oneMomentMs = 100

/** Nearly all requests get this one. */
const freely: Leave = { own: 'free', ofKey: 'free' }

/** What the candidates of a provider with one of its keys have in common. */
export interface KeyHealth {
  provider: string
  /** Place of the key in the provider's list, from 1; null where it has none. */
  key: number | null
  /** Undefined: it never rests. */
  breaker: Breaker<RestReason> | undefined
}

/**
 * How an upstream does with one of its provider's keys. It outlives catalogs and prices: what it is of, it is
 * by name. Times are of the monotonic clock, in milliseconds.
 */
export class UpstreamHealth {
  /** Model's name at the provider; all its dated versions are one. */
  readonly model: string
  readonly ofKey: KeyHealth
  readonly #breaker: Breaker<RestReason> | undefined
  /** When a time-out last counted. */
  #timedOutAtMs = -Infinity
  /** From the call to the first token of a stream, and to the whole of a plain answer. */
  readonly latency = { stream: new Latency(), plain: new Latency() }
  answers = 0
  failures = 0
  /** Unix epoch milliseconds, and the name that the row of the attempt has for it. */
  lastFailure: { atMs: number; result: string } | undefined

  constructor(model: string, ofKey: KeyHealth, breaker: Breaker<RestReason> | undefined) {
    this.model = model
    this.ofKey = ofKey
    this.#breaker = breaker
  }

  /** Leave to ask it; undefined where it, or its key, rests. */
  enter(nowMs: number): Leave | undefined {
    const ofKey = this.ofKey.breaker?.enter(nowMs) ?? 'free'
    if (ofKey === 'refused') return undefined
    const own = this.#breaker?.enter(nowMs) ?? 'free'
    if (own === 'refused') {
      this.ofKey.breaker?.giveBack(ofKey)
      return undefined
    }
    return own === 'free' && ofKey === 'free' ? freely : { own, ofKey }
  }

  /**
   * Leave to ask one that rests since its key was refused: it says so in a moment, and once the operator has
   * mended that, it works. Undefined where it rests for something else, as an account does that is empty.
   */
  enterThoughRefused(nowMs: number): Leave | undefined {
    const { breaker: ofKey } = this.ofKey
    const own = this.#breaker
    const ownRefused = own?.state(nowMs) === 'resting' && own.reason === 'not-permitted'
    const keyRests = ofKey?.state(nowMs) === 'resting'
    if (keyRests ? ofKey.reason !== 'key-refused' : !ownRefused) return undefined
    const ownLeave = (ownRefused ? own?.insist(nowMs) : own?.enter(nowMs)) ?? 'free'
    return ownLeave === 'refused' ? undefined : { own: ownLeave, ofKey: ofKey?.insist(nowMs) ?? 'free' }
  }

  /** The answer has begun. That it also ended well is told to `finished`. */
  answered({ own, ofKey }: Leave, nowMs: number, tookMs: number, streamed: boolean): void {
    this.answers++
    this.latency[streamed ? 'stream' : 'plain'].add(tookMs)
    this.ofKey.breaker?.succeeded(ofKey, nowMs)
    // The failures in a row of one that is closed end with an answer that is whole.
    if (own === 'probe') this.#breaker?.succeeded(own, nowMs)
  }

  finished(nowMs: number): void {
    this.#breaker?.succeeded('free', nowMs)
  }

  /** An answer that had begun broke off. */
  brokeOff(nowMs: number, result: string): void {
    this.#note(result)
    this.#failedInARow('free', nowMs, result)
  }

  /** It gave no answer. What the caller's request itself is to blame for is not held against it. */
  failed({ own, ofKey }: Leave, nowMs: number, error: GatewayError, result: string): void {
    const askedMs = error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1_000
    switch (error.reason) {
      case 'key-refused':
      case 'out-of-quota':
        this.#note(result)
        this.#breaker?.giveBack(own)
        this.ofKey.breaker?.rest(ofKey, nowMs, error.reason, askedMs)
        return
      case 'rate-limited':
      case 'overloaded':
      case 'not-permitted':
        this.#note(result)
        this.ofKey.breaker?.giveBack(ofKey)
        this.#breaker?.rest(own, nowMs, error.reason, askedMs)
        return
      default:
        if (!error.retryable) return this.left({ own, ofKey })
        this.#note(result)
        this.ofKey.breaker?.giveBack(ofKey)
        // Who says when it is back is left in peace until then (RFC 9110, section 10.2.3).
        if (askedMs !== undefined && !(error.cause instanceof UpstreamFailure))
          this.#breaker?.rest(own, nowMs, 'failing', askedMs)
        else this.#failedInARow(own, nowMs, result)
    }
  }

  /** The caller left, or its request was refused: nothing was learnt of the upstream. */
  left({ own, ofKey }: Leave): void {
    this.#breaker?.giveBack(own)
    this.ofKey.breaker?.giveBack(ofKey)
  }

  /** How long until it may be asked; 0: now. */
  waitMs(nowMs: number): number {
    return Math.max(this.#breaker?.waitMs(nowMs) ?? 0, this.ofKey.breaker?.waitMs(nowMs) ?? 0)
  }

  state(nowMs: number): BreakerState {
    const ofKey = this.ofKey.breaker?.state(nowMs) ?? 'closed'
    return ofKey === 'closed' ? (this.#breaker?.state(nowMs) ?? 'closed') : ofKey
  }

  /** Why it, or its key, rests or rested last; undefined where neither does. */
  get restReason(): RestReason | undefined {
    return this.ofKey.breaker?.reason ?? this.#breaker?.reason
  }

  get failuresInARow(): number {
    return this.#breaker?.failuresInARow ?? 0
  }

  /** Time-outs of one moment are one failure. A probe's always counts: there are few at once. */
  #failedInARow(own: Permission, nowMs: number, result: string): void {
    if (own === 'free' && result.endsWith('-timeout')) {
      if (nowMs - this.#timedOutAtMs < oneMomentMs) return
      this.#timedOutAtMs = nowMs
    }
    this.#breaker?.failed(own, nowMs, 'failing')
  }

  #note(result: string): void {
    this.failures++
    this.lastFailure = { atMs: Date.now(), result }
  }
}
