import { drain, emptyBucket, waitMsFor, add, type Bucket } from './bucket.ts'
import type { Limit, ModelLimits } from './limits.ts'

/** A limit, its bucket, and the counter's name in Redis. */
export interface Counter {
  limit: Limit
  bucket: Bucket
  name: string
}

/** Why nothing was taken. */
export interface Shortage {
  limit: Limit
  /** How long this caller must wait, apart from other callers. */
  waitMs: number
}

/** The weight of a new answer's length in the moving average. */
const outputWeight = 1 / 8
/** The assumed output of an account without any answers yet. */
const firstOutputTokens = 500

/** What one account has used recently. */
export class AccountCounts {
  readonly #id: string
  readonly #buckets = new Map<string, Bucket>()
  /**
   * By model limits: requests of one tier and model share their counters, and changed limits get new ones.
   */
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

  /** The expected output of an answer: the average of the last ones, but at most its bound. */
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

/** The account is in braces, so that a Redis cluster keeps all of its counters in one slot. */
export function counterName(accountId: string, rest: string): string {
  return `turnpike:limits:{${accountId}}:${rest}`
}

/** Takes from all counters, or from none if one has too little. */
export function takeAll(
  counters: readonly Counter[],
  tokens: readonly number[],
  nowMs: number,
): Shortage | undefined {
  const shortage = shortageOf(counters, tokens, nowMs)
  if (shortage === undefined) addAll(counters, tokens)
  return shortage
}

/** The limit with the longest wait; undefined if all have enough. */
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

/** Takes the tokens, even if there are too few; negative numbers give back. */
export function addAll(counters: readonly Counter[], tokens: readonly number[]): void {
  for (let index = 0; index < counters.length; index++) add(counters[index]!.bucket, tokens[index]!)
}
