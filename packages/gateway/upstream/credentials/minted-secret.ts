import { CredentialFailure, type CredentialState } from './credential.ts'
import { timersOfNode, type MintTimers } from './mint-timers.ts'

/** What a source has minted. */
export interface Minted<Value> {
  value: Value
  /** How long it is valid from now on, in milliseconds; null: until it is revoked. */
  livesMs: number | null
  /** Where it came from, if the source only knows that now: `the role of the instance`. */
  source?: string
}

export interface MintedSecretOptions<Value> {
  /** Where it comes from, for people: `AWS: profile prod`. */
  source: string
  /** Requests a new one. It may hang, and may ignore the signal: it is abandoned after ten seconds. */
  mint: (signal: AbortSignal) => Promise<Minted<Value>>
  /** The parts that no log may show; two values with the same secrets are equal. */
  secretsOf: (value: Value) => readonly string[]
  /** Called once per change: null if it has recovered. Must not throw. */
  onTrouble?: (failure: CredentialFailure | null) => void
  timers?: MintTimers
  /** From 0 to 1. */
  random?: () => number
}

const mintMs = 10_000
/** How long before its expiry a new one is requested, or a fifth of its lifetime if that is more. */
const leadMs = 300_000
const longestRetryMs = 60_000
/** The shortest time between two that requests force. */
const betweenForcedMs = 10_000
/** A Node timer takes at most 24 days. */
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
 * A secret that is issued elsewhere, such as an access token. It is renewed before it expires, outside the
 * request path; requests only use the current one. A valid one stays in use until it expires, however often
 * its renewal fails. Its age is on the monotonic clock, so that setting the wall clock changes nothing.
 */
export class MintedSecret<Value> {
  readonly #options: MintedSecretOptions<Value>
  readonly #timers: MintTimers
  readonly #random: () => number
  #held: { value: Value; endsAtMs: number; source: string | undefined; isRefused: boolean } | undefined
  /** The previous secrets: calls that use them may still be in progress. */
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

  /** Requests the first one, so that it is there when a request arrives. */
  start(): void {
    if (this.#mint === undefined && this.#dueAtMs === Infinity && this.#held === undefined) this.#begin()
  }

  /** Undefined if none is valid now. A rejected one is held back while another is being minted. */
  current(): Value | undefined {
    const held = this.#held
    if (held === undefined || this.#timers.nowMs() >= held.endsAtMs) return undefined
    return held.isRefused && this.#mint !== undefined ? undefined : held.value
  }

  /**
   * Resolves once there is one that was not rejected.
   * @throws {CredentialFailure} if there will be none in time
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

  /** The current one was rejected although it should be valid: requests another. */
  markRefused(): void {
    if (this.#held !== undefined) this.#held.isRefused = true
    this.#force()
  }

  /** Its source has changed, for example a file: requests another at once. */
  renew(): void {
    if (this.#mint === undefined) this.#begin()
    else this.#isOutdated = true
  }

  /** Registers a listener that is called for each new value. */
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

  /** Stops all timers and waits. */
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

  /** Ignores a result that arrives after its mint was abandoned. */
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

/** Spreads the renewals of nodes that started together. */
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
