import { CredentialFailure, type CredentialState } from './credential.ts'
import { timersOfNode, type MintTimers } from './mint-timers.ts'

/** What a source gave. */
export interface Minted<Value> {
  value: Value
  /** How long it is good from now on, in milliseconds; null: until somebody takes it back. */
  livesMs: number | null
  /** How it was come by, where the source knows only now: `the role of the instance`. */
  source?: string
}

export interface MintedSecretOptions<Value> {
  /** Where it comes from, for people: `AWS: profile prod`. */
  source: string
  /** Asks for a new one. It may hang, and heed the signal or not: it is given up after ten seconds. */
  mint: (signal: AbortSignal) => Promise<Minted<Value>>
  /** What of it no log may show; two values with the same secrets are the same. */
  secretsOf: (value: Value) => readonly string[]
  /** Told once a change: null where it is well again. It must not throw. */
  onTrouble?: (failure: CredentialFailure | null) => void
  timers?: MintTimers
  /** From 0 to 1. */
  random?: () => number
}

const mintMs = 10_000
/** So long before its end a new one is asked for, or a fifth of its life where that is more. */
const leadMs = 300_000
const longestRetryMs = 60_000
/** No more than one within so long because a request asks for it. */
const betweenForcedMs = 10_000
/** A timer of Node's takes no more than 24 days. */
const longestTimerMs = 12 * 3_600_000

interface Mint {
  controller: AbortController
  begunAtMs: number
  giveUp: () => void
}

interface Waiter {
  untilMs: number
  resolve(): void
  reject(failure: CredentialFailure): void
}

/**
 * A secret that others make, as an access token: renewed before it ends, off the path of requests, which only
 * ask for what is there. One that is good stays in use until its end, however often its renewal fails. Its
 * age goes by the monotonic clock: a wall clock that is set changes nothing.
 */
export class MintedSecret<Value> {
  readonly #options: MintedSecretOptions<Value>
  readonly #timers: MintTimers
  readonly #random: () => number
  #held: { value: Value; endsAtMs: number; source: string | undefined; isRefused: boolean } | undefined
  /** Of the one before: calls that were made with it may still be under way. */
  #secretsBefore: readonly string[] = []
  #mint: Mint | undefined
  #isOutdated = false
  #forcedAtMs = -Infinity
  #dueAtMs = Infinity
  #cancelDue: () => void = () => undefined
  #failures = 0
  #failure: CredentialFailure | undefined
  #isClosed = false
  readonly #waiting = new Set<Waiter>()
  readonly #listeners = new Set<() => void>()

  constructor(options: MintedSecretOptions<Value>) {
    this.#options = options
    this.#timers = options.timers ?? timersOfNode
    this.#random = options.random ?? Math.random
  }

  /** Asks for the first one, so that it is there when a request comes. */
  start(): void {
    if (this.#mint === undefined && this.#dueAtMs === Infinity && this.#held === undefined) this.#begin()
  }

  /**
   * Undefined: none is good now. One that was refused is held back while another one is asked for.
   */
  current(): Value | undefined {
    const held = this.#held
    if (held === undefined || this.#timers.nowMs() >= held.endsAtMs) return undefined
    return held.isRefused && this.#mint !== undefined ? undefined : held.value
  }

  /**
   * Resolves once there is one that was not refused.
   * @throws {CredentialFailure} there will be none within the time
   */
  ready(timeoutMs: number): Promise<void> {
    if (this.#isWell()) return Promise.resolve()
    const nowMs = this.#timers.nowMs()
    const untilMs = nowMs + timeoutMs
    this.start()
    this.#force()
    if (this.#isClosed || (this.#mint === undefined && this.#dueAtMs > untilMs))
      return Promise.reject(this.#missingReason())
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(timeoutMs, () => settle(() => reject(this.#missingReason())))
      const settle = (how: () => void): void => {
        cancel()
        this.#waiting.delete(waiter)
        how()
      }
      const waiter: Waiter = {
        untilMs,
        resolve: () => settle(resolve),
        reject: (failure) => settle(() => reject(failure)),
      }
      this.#waiting.add(waiter)
    })
  }

  #isWell(): boolean {
    return this.#held?.isRefused === false && this.#timers.nowMs() < this.#held.endsAtMs
  }

  /** What was given last is no good, though it should be: another one is asked for. */
  markRefused(): void {
    if (this.#held !== undefined) this.#held.isRefused = true
    this.#force()
  }

  /** What it is made of has changed, as a file: another one is asked for at once. */
  renew(): void {
    if (this.#mint === undefined) this.#begin()
    else this.#isOutdated = true
  }

  /** Told of each one that differs from the one before. */
  onRenewed(listener: () => void): void {
    this.#listeners.add(listener)
  }

  secrets(): readonly string[] {
    const held = this.#held === undefined ? [] : this.#options.secretsOf(this.#held.value)
    return [...held, ...this.#secretsBefore]
  }

  state(): Omit<CredentialState, 'kind'> {
    const held = this.#held
    const leftMs = held === undefined ? 0 : held.endsAtMs - this.#timers.nowMs()
    const isGood = leftMs > 0
    const isFailing = this.#failure !== undefined
    const without = isFailing || this.#mint === undefined ? 'absent' : 'minting'
    return {
      source: held?.source ?? this.#options.source,
      state: isGood ? (isFailing ? 'failing' : 'ready') : without,
      expiresInSeconds: isGood && leftMs !== Infinity ? Math.floor(leftMs / 1_000) : null,
      failure: this.#failure?.message ?? null,
      hint: this.#failure?.hint || null,
    }
  }

  /** Nothing of it goes on. */
  close(): void {
    this.#isClosed = true
    this.#cancelDue()
    this.#mint?.giveUp()
    this.#mint?.controller.abort()
    this.#mint = undefined
    for (const waiter of this.#waiting) waiter.reject(this.#missingReason())
  }

  #missingReason(): CredentialFailure {
    if (this.#isClosed) return new CredentialFailure('the gateway is stopping', '')
    return this.#failure ?? new CredentialFailure('there is no answer yet', '')
  }

  #force(): void {
    const nowMs = this.#timers.nowMs()
    if (this.#mint !== undefined || nowMs - this.#forcedAtMs < betweenForcedMs) return
    this.#forcedAtMs = nowMs
    this.#begin()
  }

  #begin(): void {
    if (this.#isClosed) return
    this.#cancelDue()
    this.#dueAtMs = Infinity
    this.#isOutdated = false
    const begunAtMs = this.#timers.nowMs()
    const controller = new AbortController()
    const giveUp = this.#timers.after(mintMs, () => {
      controller.abort()
      this.#onMintFailure(mint, new CredentialFailure(`no answer within ${mintMs / 1_000} s`, slowHint))
    })
    const mint: Mint = { controller, begunAtMs, giveUp }
    this.#mint = mint
    void this.#outcomeOf(mint)
  }

  async #outcomeOf(mint: Mint): Promise<void> {
    let minted: Minted<Value>
    try {
      minted = await this.#options.mint(mint.controller.signal)
    } catch (error) {
      this.#onMintFailure(mint, failureOf(error))
      return
    }
    const endsAtMs = minted.livesMs === null ? Infinity : mint.begunAtMs + minted.livesMs
    if (endsAtMs > this.#timers.nowMs()) this.#onMinted(mint, minted, endsAtMs)
    else
      this.#onMintFailure(
        mint,
        new CredentialFailure('the credential that was issued has already expired', endedHint),
      )
  }

  /** What comes once the mint was given up is of no use any more. */
  #end(mint: Mint): boolean {
    if (this.#mint !== mint) return false
    mint.giveUp()
    this.#mint = undefined
    return true
  }

  #onMinted(mint: Mint, { value, livesMs, source }: Minted<Value>, endsAtMs: number): void {
    if (!this.#end(mint)) return
    const { secretsOf, onTrouble } = this.#options
    const before = this.#held
    const secretsBefore = before === undefined ? [] : secretsOf(before.value)
    const isSame = before !== undefined && isEqual(secretsOf(value), secretsBefore)
    this.#held = { value, endsAtMs, source, isRefused: isSame && before.isRefused }
    if (!isSame) this.#secretsBefore = secretsBefore
    const wasFailing = this.#failures > 0
    this.#failures = 0
    this.#failure = undefined
    if (this.#isOutdated) this.#begin()
    else if (livesMs !== null) this.#beginIn(renewalMs(livesMs, this.#random()))
    if (wasFailing) onTrouble?.(null)
    if (this.#isWell()) for (const waiter of this.#waiting) waiter.resolve()
    if (!isSame) for (const listener of this.#listeners) listener()
  }

  #onMintFailure(mint: Mint, failure: CredentialFailure): void {
    if (!this.#end(mint)) return
    const isNews = this.#failure?.message !== failure.message
    this.#failure = failure
    this.#failures++
    if (this.#isOutdated) this.#begin()
    else this.#beginIn(retryMs(this.#failures, this.#random()))
    if (isNews) this.#options.onTrouble?.(failure)
    for (const waiter of this.#waiting) if (this.#dueAtMs > waiter.untilMs) waiter.reject(failure)
  }

  #beginIn(ms: number): void {
    const waitMs = Math.min(ms, longestTimerMs)
    this.#dueAtMs = this.#timers.nowMs() + waitMs
    this.#cancelDue = this.#timers.after(waitMs, () => this.#begin())
  }
}

const slowHint = 'check that this machine can reach the issuer: network, proxy, firewall'
const endedHint = "check this machine's clock against the issuer's (turnpike-gateway doctor)"

/** Many nodes that started at once do not ask at once. */
function renewalMs(livesMs: number, random: number): number {
  const ownLeadMs = Math.max(leadMs, livesMs / 5) * addJitter(random)
  return Math.max(1_000, livesMs / 2, livesMs - ownLeadMs)
}

function retryMs(failures: number, random: number): number {
  return Math.min(longestRetryMs, 1_000 * 2 ** (failures - 1)) * addJitter(random)
}

/** Ten percent more or less. */
function addJitter(random: number): number {
  return 0.9 + 0.2 * random
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
}

function failureOf(error: unknown): CredentialFailure {
  if (error instanceof CredentialFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new CredentialFailure(message, '', { cause: error })
}
