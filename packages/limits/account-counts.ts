import { drain, emptyBucket, waitMsFor, add, type Bucket } from './bucket.ts'
import type { Limit, ModelLimits } from './limits.ts'

/** A limit, what is counted against it, and what that is called over Redis. */
export interface Counter {
  limit: Limit
  bucket: Bucket
  name: string
}

/** Why nothing was taken. */
export interface Shortage {
  limit: Limit
  /** Waiting for so long is enough, as far as this caller alone is concerned. */
  waitMs: number
}

/** How much of a new estimate a request's output is. */
const outputWeight = 1 / 8
/** Before anything is known of an account. */
const firstOutputTokens = 500

/** What one account has used lately. */
export class AccountCounts {
  readonly #id: string
  readonly #buckets = new Map<string, Bucket>()
  /** Requests of one tier and model share theirs; limits that changed are other ones. */
  readonly #counters = new WeakMap<ModelLimits, readonly Counter[]>()
  #outputTokens = firstOutputTokens

  constructor(id: string) {
    this.#id = id
  }

  countersOf(limits: ModelLimits, nowMs: number): readonly Counter[] {
    let counters = this.#counters.get(limits)
    if (counters === undefined) {
      counters = limits.limits.map((limit) => this.#counterOf(limit, nowMs))
      this.#counters.set(limits, counters)
    }
    return counters
  }

  /** What an answer is likely to come to: as long as the last ones on average, within its bound. */
  expectedOutputTokens(bound: number): number {
    return Math.min(bound, Math.round(this.#outputTokens))
  }

  noteOutput(tokens: number): void {
    this.#outputTokens += (tokens - this.#outputTokens) * outputWeight
  }

  #counterOf(limit: Limit, nowMs: number): Counter {
    const name = counterName(
      this.#id,
      limit.model === undefined ? limit.kind : `${limit.kind}:${limit.model}`,
    )
    let bucket = this.#buckets.get(name)
    if (bucket === undefined) {
      bucket = emptyBucket(nowMs)
      this.#buckets.set(name, bucket)
    }
    return { limit, bucket, name }
  }
}

/** The account stands in braces, so that a Redis cluster keeps all of its counters in one place. */
export function counterName(accountId: string, rest: string): string {
  return `turnpike:limits:{${accountId}}:${rest}`
}

/** Takes from all counters or, where one has too little, from none. */
export function takeAll(
  counters: readonly Counter[],
  tokens: readonly number[],
  nowMs: number,
): Shortage | undefined {
  const shortage = shortageOf(counters, tokens, nowMs)
  if (shortage === undefined) addAll(counters, tokens)
  return shortage
}

/** The limit that takes longest; undefined where all have enough. */
export function shortageOf(
  counters: readonly Counter[],
  tokens: readonly number[],
  nowMs: number,
): Shortage | undefined {
  let shortage: Shortage | undefined
  for (let index = 0; index < counters.length; index++) {
    const { limit, bucket } = counters[index]!
    drain(bucket, limit, nowMs)
    const waitMs = waitMsFor(bucket, limit, tokens[index]!)
    if (waitMs > (shortage?.waitMs ?? 0)) shortage = { limit, waitMs }
  }
  return shortage
}

/** Takes, or gives back what is below 0, whatever there is. */
export function addAll(counters: readonly Counter[], tokens: readonly number[]): void {
  for (let index = 0; index < counters.length; index++) add(counters[index]!.bucket, tokens[index]!)
}
