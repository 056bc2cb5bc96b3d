import { cacheSavings, compilePricing, maxPico, type PriceTable } from '@turnpike/billing'
import type { LineRecord } from '@turnpike/gateway/record-line'
import { usageBuckets, type Pricing, type Usage } from '@turnpike/protocol'
import type { RequestGroup } from '../requests/request-groups.ts'
import { canonicalTags } from '../usage/tag-sets.ts'
import { firstTokenTime, timeBucketOf, wholeTime } from './time-buckets.ts'

/** The sums of requests that have the same keys. */
export interface HealthAmounts {
  requests: number
  completed: number
  tokensIn: number
  cacheReadTokens: number
  cacheWriteTokens: number
  savedPico: bigint
  /** Completed answers with output: their output tokens and duration. */
  timedTokens: number
  timedMs: number
  /** Counts by bucket. Only a few buckets are used. */
  times: Map<number, number>
}

export interface HealthTally extends HealthAmounts {
  /** The number of the hour since 1970, UTC. */
  hour: number
  /** Account, facet, value, model, provider: the order of the table's key, without the period. */
  keys: readonly string[]
  /** Requests by error type. */
  errors: Map<string, number>
}

export function noHealth(): HealthAmounts {
  return {
    requests: 0,
    completed: 0,
    tokensIn: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    savedPico: 0n,
    timedTokens: 0,
    timedMs: 0,
    times: new Map(),
  }
}

export function addTo(sum: HealthAmounts, part: HealthAmounts): void {
  sum.requests += part.requests
  sum.completed += part.completed
  sum.tokensIn += part.tokensIn
  sum.cacheReadTokens += part.cacheReadTokens
  sum.cacheWriteTokens += part.cacheWriteTokens
  sum.savedPico += part.savedPico
  sum.timedTokens += part.timedTokens
  sum.timedMs += part.timedMs
  for (const [bucket, count] of part.times) sum.times.set(bucket, (sum.times.get(bucket) ?? 0) + count)
}

/** One entry per hour and distinct set of keys. */
export function healthTally(groups: readonly RequestGroup[]): HealthTally[] {
  const tallies = new Map<string, HealthTally>()
  const prices = new Map<string, PriceTable>()
  for (const { hour, sample, records } of groups) {
    const sum = noHealth()
    for (const record of records) addRecord(sum, record, prices)
    for (const keys of keysOf(sample)) {
      const name = `${hour}\n${keys.join('\n')}`
      let same = tallies.get(name)
      if (same === undefined) {
        same = { hour, keys, errors: new Map(), ...noHealth() }
        tallies.set(name, same)
      }
      addTo(same, sum)
      const { errorType } = sample
      if (errorType !== null) same.errors.set(errorType, (same.errors.get(errorType) ?? 0) + records.length)
    }
  }
  return [...tallies.values()]
}

/** The keys of each facet that contains the request. */
function keysOf(record: LineRecord): string[][] {
  const { accountId, keyId, modelServed, modelTried, provider, tags } = record
  // A failure with an own vendor key says nothing about the provider, whose health all accounts see.
  const isOwnFailure = record.isByok === true && record.outcome === 'failed'
  const by = [modelServed ?? modelTried ?? '', isOwnFailure ? '' : (provider ?? '')]
  return [
    [accountId, 'all', '', '', ''],
    [accountId, 'model', '', ...by],
    [accountId, 'key', keyId, ...by],
    ...canonicalTags(tags).map((tag) => [accountId, 'tag', tag, ...by]),
  ]
}

function addRecord(sum: HealthAmounts, record: LineRecord, prices: Map<string, PriceTable>): void {
  const { outcome, stream, durationMs, firstTokenMs, tokensIn, tokensOut } = record
  const { cacheReadTokens, cacheWriteTokens, savedPico } = cacheOf(record, prices)
  sum.requests++
  sum.tokensIn += tokensIn
  sum.cacheReadTokens += cacheReadTokens
  sum.cacheWriteTokens += cacheWriteTokens
  sum.savedPico += savedPico
  if (stream && firstTokenMs !== null) addTime(sum, firstTokenMs, firstTokenTime)
  if (outcome !== 'completed') return
  sum.completed++
  addTime(sum, durationMs, wholeTime)
  if (tokensOut > 0) {
    sum.timedTokens += tokensOut
    sum.timedMs += durationMs
  }
}

function addTime({ times }: HealthAmounts, ms: number, count: number): void {
  const bucket = timeBucketOf(ms)
  times.set(bucket, (times.get(bucket) ?? 0) + count)
}

type CacheAmounts = Pick<HealthAmounts, 'cacheReadTokens' | 'cacheWriteTokens' | 'savedPico'>

const noCache: CacheAmounts = { cacheReadTokens: 0, cacheWriteTokens: 0, savedPico: 0n }

/** In a usage's JSON: a number of tokens above 0 that were read from a cache, or written to one. */
const cachedTokens = /"cache(?:Read|ReadAudio|Write|Write1h)Tokens":[1-9]/

/**
 * Usage is stored as it came, and parsed only if it has cached tokens. Invalid counts, and counts above the
 * whole input, are ignored: they must not keep a batch out of the database.
 */
function cacheOf(record: LineRecord, prices: Map<string, PriceTable>): CacheAmounts {
  const { usageJson, tokensIn } = record
  if (usageJson === null || !cachedTokens.test(usageJson)) return noCache
  const usage = parseJson(usageJson)
  if (!isCounted(usage)) return noCache
  const {
    cacheReadTokens = 0,
    cacheReadAudioTokens = 0,
    cacheWriteTokens = 0,
    cacheWrite1hTokens = 0,
  } = usage
  const [read, written] = [cacheReadTokens + cacheReadAudioTokens, cacheWriteTokens + cacheWrite1hTokens]
  if (read + written === 0 || read + written > tokensIn) return noCache
  const savedPico = read === 0 ? 0n : savingsOf(record, usage, prices)
  return { cacheReadTokens: read, cacheWriteTokens: written, savedPico }
}

function savingsOf(
  { pricingJson, priceVersion, markup }: LineRecord,
  usage: Usage,
  prices: Map<string, PriceTable>,
): bigint {
  if (pricingJson === null) return 0n
  const version = `${priceVersion} ${markup}`
  try {
    const table = prices.get(version) ?? compilePricing(JSON.parse(pricingJson) as Pricing, markup)
    prices.set(version, table)
    const savedPico = cacheSavings(usage, table)
    return savedPico > maxPico ? maxPico : savedPico
  } catch (error) {
    // Without valid prices or a valid tier, no savings can be computed.
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return 0n
    throw error
  }
}

/** A record from the outbox may hold anything in fields that its charge does not need. */
function isCounted(usage: unknown): usage is Usage {
  if (typeof usage !== 'object' || usage === null) return false
  const counts = usage as Usage
  return usageBuckets.every((bucket) => {
    const count = counts[bucket] ?? 0
    return Number.isSafeInteger(count) && count >= 0
  })
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
