import type { Usage } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { markUnpriced, tierNamed } from '../../answers/paid-services.ts'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'

const counts = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'] as const

/**
 * Splits Converse's counts into disjoint buckets. Cache reads and writes are not included in `inputTokens`;
 * reasoning is included in `outputTokens`, without a count of its own.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 * @param answer the members beside the usage, such as the service tier
 * @returns undefined if there is no count at all, so that a missing one is not read as zero
 */
export function parseUsage(raw: unknown, answer: Record<string, unknown> = {}): Usage | undefined {
  if (!isObject(raw)) return undefined
  if (counts.some((name) => isMiscount(raw[name]))) return { raw, disbelieved: 'implausible' }
  const usage: Usage = {}
  setBucket(usage, 'inputTokens', raw['inputTokens'])
  setBucket(usage, 'cacheReadTokens', raw['cacheReadInputTokens'])
  setWrites(usage, raw)
  setBucket(usage, 'outputTokens', raw['outputTokens'])
  if (Object.keys(usage).length === 0) return undefined
  const tools = raw['serverToolUsage']
  if (isObject(tools) && Object.keys(tools).length > 0) markUnpriced(usage, 'tools')
  const tier = isObject(answer['serviceTier']) ? tierNamed(answer['serviceTier']['type']) : undefined
  if (tier !== undefined) usage.serviceTier = tier
  const { latency } = isObject(answer['performanceConfig']) ? answer['performanceConfig'] : {}
  if (latency === 'optimized') markUnpriced(usage, 'performanceConfig')
  usage.raw = raw
  return usage
}

/** The split by lifetime is only sent if something was written; the rest of the total lives five minutes. */
function setWrites(usage: Usage, raw: Record<string, unknown>): void {
  const details = Array.isArray(raw['cacheDetails']) ? (raw['cacheDetails'] as unknown[]) : []
  let hour = 0
  let short = 0
  for (const detail of details) {
    if (!isObject(detail)) continue
    const count = tokenCount(detail['inputTokens']) ?? 0
    if (detail['ttl'] === '1h') hour += count
    else short += count
  }
  const written = tokenCount(raw['cacheWriteInputTokens']) ?? (details.length > 0 ? hour + short : undefined)
  if (written === undefined) return
  const long = Math.min(hour, written)
  usage.cacheWriteTokens = written - long
  if (long > 0) usage.cacheWrite1hTokens = long
}

type Bucket = 'inputTokens' | 'cacheReadTokens' | 'outputTokens'

function setBucket(usage: Usage, bucket: Bucket, value: unknown): void {
  const count = tokenCount(value)
  if (count !== undefined) usage[bucket] = count
}
