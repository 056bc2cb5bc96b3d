import { totalInputTokens, usageBuckets, type Usage } from '@turnpike/protocol'
import {
  markUnpriced,
  markUnpricedCount,
  memberOf as member,
  setSearches,
  tierNamed,
} from '../../answers/paid-services.ts'
import { isMiscount, tokenCount as count } from '../../answers/token-count.ts'

/** A message's `usage`: https://platform.claude.com/docs/en/api/messages#usage. */
export type RawUsage = Record<string, unknown>

const counts = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
] as const

/**
 * Splits Anthropic's counts, in which cached input is not part of `input_tokens`, into disjoint buckets.
 * Undefined if there is no count at all, so that a missing one is not read as zero.
 */
export function parseUsage(raw: RawUsage): Usage | undefined {
  const iterations = iterationsOf(raw)
  if (isMiscounted(raw) || iterations.some(isMiscounted)) return { raw, disbelieved: 'implausible' }
  const usage = bucketsOf(raw)
  if (usage === undefined) return undefined
  if (iterations.length > 0) addIterations(usage, iterations)
  parseServices(usage, raw)
  return { ...usage, raw }
}

function isMiscounted(raw: RawUsage): boolean {
  return counts.some((name) => isMiscount(raw[name]))
}

function bucketsOf(raw: RawUsage): Usage | undefined {
  const usage: Usage = {}
  setBucket(usage, 'inputTokens', count(raw['input_tokens']))
  setBucket(usage, 'cacheReadTokens', count(raw['cache_read_input_tokens']))
  const written = cacheWrites(raw)
  setBucket(usage, 'cacheWriteTokens', written.fiveMinutes)
  setBucket(usage, 'cacheWrite1hTokens', written.oneHour)
  const output = count(raw['output_tokens'])
  const thinking = count(member(raw['output_tokens_details'], 'thinking_tokens'))
  if (output !== undefined && thinking !== undefined) {
    usage.reasoningTokens = Math.min(thinking, output)
    usage.outputTokens = output - usage.reasoningTokens
  } else {
    setBucket(usage, 'outputTokens', output)
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}

const noIterations: readonly RawUsage[] = []

function iterationsOf({ iterations }: RawUsage): readonly RawUsage[] {
  if (!Array.isArray(iterations)) return noIterations
  return (iterations as unknown[]).filter((one): one is RawUsage => typeof one === 'object' && one !== null)
}

/**
 * The totals are the sum of the `message` iterations. Shortening the conversation beforehand is billed in
 * addition. The `advisor` and a fallback are other models, whose prices are not known here.
 * https://platform.claude.com/docs/en/build-with-claude/compaction
 */
function addIterations(usage: Usage, iterations: readonly RawUsage[]): void {
  let longest = 0
  for (const iteration of iterations) {
    const { type } = iteration
    const buckets = type === 'compaction' || type === 'message' ? bucketsOf(iteration) : undefined
    if (buckets === undefined) markUnpriced(usage, 'iterations')
    else {
      longest = Math.max(longest, totalInputTokens(buckets))
      if (type === 'compaction') addBuckets(usage, buckets)
    }
  }
  if (iterations.length > 1 && longest > 0) usage.longestPromptTokens = longest
}

function addBuckets(usage: Usage, more: Usage): void {
  for (const bucket of usageBuckets) {
    const count = more[bucket]
    if (count !== undefined) usage[bucket] = (usage[bucket] ?? 0) + count
  }
}

/**
 * Searches and code execution by its own tools, fast mode, and inference in one country
 * (https://platform.claude.com/docs/en/about-claude/pricing).
 */
function parseServices(usage: Usage, raw: RawUsage): void {
  const tier = tierNamed(raw['service_tier'])
  if (tier !== undefined) usage.serviceTier = tier
  const tools = raw['server_tool_use']
  setSearches(usage, member(tools, 'web_search_requests'))
  markUnpricedCount(usage, 'code_execution', member(tools, 'code_execution_requests'))
  if (raw['speed'] === 'fast') markUnpriced(usage, 'speed')
  if (raw['inference_geo'] === 'us') markUnpriced(usage, 'inference_geo')
}

/**
 * The counts of a stream are cumulative, so the last one holds. A null has no information, and neither does a
 * zero, which other vendors of this format send if they counted at the start.
 */
export function mergeUsage(earlier: RawUsage, later: RawUsage): RawUsage {
  const merged = { ...earlier }
  for (const [name, value] of Object.entries(later)) {
    const nothingNew = value === null || value === undefined || value === 0
    merged[name] = nothingNew ? (earlier[name] ?? value) : value
  }
  return merged
}

/**
 * The total grows while the vendor's tools run, but its split by lifetime is only sent at the start. Later
 * writes get the same lifetime as the rest.
 */
function cacheWrites(raw: RawUsage): { fiveMinutes: number | undefined; oneHour: number | undefined } {
  const total = count(raw['cache_creation_input_tokens'])
  const fiveMinutes = count(member(raw['cache_creation'], 'ephemeral_5m_input_tokens'))
  const oneHour = count(member(raw['cache_creation'], 'ephemeral_1h_input_tokens'))
  if (total === undefined) return { fiveMinutes, oneHour }
  if (oneHour === undefined) return { fiveMinutes: total, oneHour }
  if (fiveMinutes === 0 && oneHour > 0) return { fiveMinutes, oneHour: total }
  const longer = Math.min(oneHour, total)
  return { fiveMinutes: total - longer, oneHour: longer }
}

type Bucket = 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'cacheWrite1hTokens' | 'outputTokens'

function setBucket(usage: Usage, bucket: Bucket, value: number | undefined): void {
  if (value !== undefined) usage[bucket] = value
}
