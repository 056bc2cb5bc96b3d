import type { GatewayError } from '@turnpike/protocol'
import { AccountCounts, addAll, counterName, shortageOf, takeAll } from './account-counts.ts'
import type { Counter, Shortage } from './account-counts.ts'
import { corrections, needOf, tokensToTake } from './allowance.ts'
import type { Allowance, TokenEstimate, TokensUsed } from './allowance.ts'
import { drain, emptyBucket } from './bucket.ts'
import { rateLimitHeaders, type RateLimitStyle } from './headers.ts'
import { burstLimit, type Caller, type Limit, type LimitedModel, type LimitKind } from './limits.ts'
import { RecentMap } from './recent-map.ts'
import { refusal } from './refusal.ts'
import type { SharedCounts, SharedReply } from './shared-counts.ts'
import type { TierTable } from './tier-table.ts'
import { nextTurnMs, noTurns, type Turns } from './turns.ts'

/** Longer than any request takes, so that the counts still exist when its usage is known. */
const keptMs = 20 * 60_000
const maxEntries = 100_000

const one = [1] as const
/** How many token counts are admitted for each request. */
const countsPerRequest = 10

export interface LimiterOptions {
  tiers: TierTable
  burstPerKeyPerSecond: number
  /** How many bytes of a body count as one more request in the burst. */
  burstBodyBytes: number
  /** Absent if this node counts in memory. */
  shared?: SharedCounts | undefined
  /** Milliseconds on a monotonic clock. */
  clock?: () => number
}

/** What one key has done recently. */
interface KeyCounts {
  burst: readonly [Counter]
  /** For the burst. */
  turns: Turns
  /** Limits how many rejections get a row. */
  refusals: readonly [Counter]
  /** Requests to count tokens. */
  tokenCounts: readonly [Counter]
  countTurns: Turns
  /** Its last request, which predicts the needs of the next one. */
  last: Allowance | undefined
}

export interface KeyRefusal {
  error: GatewayError
  /** False if there are so many rejections that this one is only counted. */
  recorded: boolean
}

/**
 * The rate limits of keys and accounts. Counts in this process, or in counters that all nodes share. The
 * shared counters' last replies are remembered here, and apply while those are unavailable.
 */
export class Limiter {
  readonly tiers: TierTable
  readonly #burst: Limit
  readonly #countBurst: Limit
  readonly #burstBodyBytes: number
  readonly #shared: SharedCounts | undefined
  readonly #clock: () => number
  readonly #keys = new RecentMap<KeyCounts>(keptMs, maxEntries)
  readonly #accounts = new RecentMap<AccountCounts>(keptMs, maxEntries)
  /** Rejected requests, by the limit that was reached. */
  readonly refused: Record<LimitKind, number> = {
    burst: 0,
    requests: 0,
    'input-tokens': 0,
    'output-tokens': 0,
  }

  constructor({ tiers, burstPerKeyPerSecond, burstBodyBytes, shared, clock }: LimiterOptions) {
    this.tiers = tiers
    this.#burstBodyBytes = burstBodyBytes
    this.#burst = burstLimit(burstPerKeyPerSecond)
    this.#countBurst = burstLimit(burstPerKeyPerSecond * countsPerRequest)
    this.#shared = shared
    this.#clock = clock ?? (() => performance.now())
  }

  /** Checks the key's burst before anything else of the request is read. */
  refusalOfKey(caller: Caller): KeyRefusal | undefined {
    const nowMs = this.#nowMs()
    const { burst, turns, refusals, last } = this.#keyCounts(caller, nowMs)
    const shortage = takeAll(burst, one, nowMs)
    if (shortage === undefined) return undefined
    this.refused.burst++
    // If another limit is exhausted too, the caller gets the longer wait at once.
    const later = last === undefined ? undefined : shortageOfAnother(last, nowMs)
    const turnMs = nextTurnMs(turns, shortage.limit, shortage.waitMs, nowMs)
    const waitMs = Math.max(turnMs, later?.waitMs ?? 0)
    const recorded = takeAll(refusals, one, nowMs) === undefined
    return { error: refusal({ limit: shortage.limit, waitMs }, 1, caller.tier), recorded }
  }

  /** The same for requests to count tokens, which are free and have a burst of their own. */
  refusalOfCount(caller: Caller): GatewayError | undefined {
    const nowMs = this.#nowMs()
    const { tokenCounts, countTurns } = this.#keyCounts(caller, nowMs)
    const shortage = takeAll(tokenCounts, one, nowMs)
    if (shortage === undefined) return undefined
    this.refused.burst++
    const waitMs = nextTurnMs(countTurns, shortage.limit, shortage.waitMs, nowMs)
    return refusal({ limit: shortage.limit, waitMs }, 1, caller.tier)
  }

  /**
   * Adds the weight of a body to the key's burst, besides the request itself. If the burst has less left,
   * this request proceeds and the key's next ones wait. Counted by each node separately: over Redis the
   * request would be rejected because of its own weight.
   */
  weigh(caller: Caller, bytes: number): void {
    const requests = Math.floor(bytes / this.#burstBodyBytes)
    if (requests === 0) return
    const { burst } = this.#keyCounts(caller, this.#nowMs())
    addAll(burst, [requests])
  }

  /**
   * Takes what a request needs from its account's limits for a model. Returns no promise if the node counts
   * in memory.
   * @throws {GatewayError} 429 naming the limit
   */
  admit(caller: Caller, model: LimitedModel, estimate: TokenEstimate): Allowance | Promise<Allowance> {
    const nowMs = this.#nowMs()
    const limits = this.tiers.limitsOf(caller, model)
    const account = this.#accountCounts(caller.accountId, nowMs)
    const counters = account.countersOf(limits, nowMs)
    const taken = tokensToTake(counters, account, estimate)
    const allowance = { account, tier: limits.tier, estimate, counters, taken, shared: false }
    const key = this.#keyCounts(caller, nowMs)
    key.last = allowance
    if (this.#shared?.isUp === true) return this.#admitShared(this.#shared, key, allowance)
    return this.#admitHere(allowance, nowMs)
  }

  /** Takes more for an admitted request with more input than estimated; the account's next ones wait. */
  takeMore(allowance: Allowance, inputTokens: number): void {
    const { counters, estimate, taken } = allowance
    const tokens = counters.map(({ limit }) => (limit.kind === 'input-tokens' ? inputTokens : 0))
    allowance.estimate = { ...estimate, inputTokens: estimate.inputTokens + inputTokens }
    allowance.taken = taken.map((before, index) => before + tokens[index]!)
    addAll(counters, tokens)
    if (allowance.shared) this.#shared?.add(counters, tokens)
  }

  /**
   * Replaces a request's estimate by its real usage. Does not wait for shared counters.
   * @param used undefined if no model was used
   */
  settle(allowance: Allowance, used: TokensUsed | undefined): void {
    const { account, counters, shared } = allowance
    if (used !== undefined) account.noteOutput(used.outputTokens)
    const tokens = corrections(allowance, used)
    if (tokens.every((change) => change === 0)) return
    addAll(counters, tokens)
    if (shared) this.#shared?.add(counters, tokens)
  }

  /**
   * Headers with what is left: of the counters that the request took from, otherwise of the limits for its
   * model, or for all models together if no model is known yet.
   * @param headers what they are added to
   */
  headers(
    caller: Caller,
    allowance: Allowance | undefined,
    model?: LimitedModel,
    style: RateLimitStyle = 'openai',
    headers: Record<string, string> = {},
  ): Record<string, string> {
    const nowMs = this.#nowMs()
    if (allowance !== undefined) return rateLimitHeaders(allowance.counters, nowMs, style, headers)
    const account = this.#accountCounts(caller.accountId, nowMs)
    const counters = account.countersOf(this.tiers.limitsOf(caller, model), nowMs)
    return rateLimitHeaders(counters, nowMs, style, headers)
  }

  #admitHere(allowance: Allowance, nowMs: number): Allowance {
    const shortage = takeAll(allowance.counters, allowance.taken, nowMs)
    if (shortage !== undefined) throw this.#refusal(shortage, allowance)
    return allowance
  }

  async #admitShared(shared: SharedCounts, key: KeyCounts, allowance: Allowance): Promise<Allowance> {
    const counters = [key.burst[0], ...allowance.counters]
    const reply = await shared.take(counters, [1, ...allowance.taken])
    const nowMs = this.#nowMs()
    if (reply === undefined) return this.#admitHere(allowance, nowMs)
    remember(allowance.counters, reply, nowMs)
    const short = counters[reply.short]
    if (short !== undefined) {
      const { limit } = short
      const isBurst = limit.kind === 'burst'
      const waitMs = isBurst ? nextTurnMs(key.turns, limit, reply.waitMs, nowMs) : reply.waitMs
      throw this.#refusal({ limit, waitMs }, allowance)
    }
    allowance.shared = true
    return allowance
  }

  #refusal(shortage: Shortage, { account, tier, estimate }: Allowance): GatewayError {
    const { kind } = shortage.limit
    this.refused[kind]++
    return refusal(shortage, needOf(kind, account, estimate), tier)
  }

  #keyCounts({ id, accountId }: Caller, nowMs: number): KeyCounts {
    const known = this.#keys.get(id, nowMs)
    if (known !== undefined) return known
    const name = counterName(accountId, `burst:${id}`)
    const counter = (limit: Limit): Counter => ({ limit, bucket: emptyBucket(nowMs), name })
    const counts: KeyCounts = {
      burst: [counter(this.#burst)],
      turns: noTurns(),
      refusals: [counter(this.#burst)],
      tokenCounts: [counter(this.#countBurst)],
      countTurns: noTurns(),
      last: undefined,
    }
    this.#keys.set(id, counts, nowMs)
    return counts
  }

  #accountCounts(id: string, nowMs: number): AccountCounts {
    const known = this.#accounts.get(id, nowMs)
    if (known !== undefined) return known
    const counts = new AccountCounts(id)
    this.#accounts.set(id, counts, nowMs)
    return counts
  }

  #nowMs(): number {
    return Math.floor(this.#clock())
  }
}

/** The shortage that another request like this one would meet. */
function shortageOfAnother({ counters, account, estimate }: Allowance, nowMs: number): Shortage | undefined {
  return shortageOf(counters, tokensToTake(counters, account, estimate), nowMs)
}

/** Copies all nodes' usage, for when the shared counters fail. The burst is counted here anyway. */
function remember(counters: readonly Counter[], { owedUnits }: SharedReply, nowMs: number): void {
  for (let index = 0; index < counters.length; index++) {
    const { bucket, limit } = counters[index]!
    drain(bucket, limit, nowMs)
    bucket.owedUnits = owedUnits[index + 1]!
  }
}
