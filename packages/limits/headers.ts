import type { Counter } from './account-counts.ts'
import { drain, fullInMs, remaining } from './bucket.ts'

/** The format of the headers that report what is left of the caller's limits. */
export type RateLimitStyle = 'openai' | 'anthropic'

/** @param headers what the headers are added to */
export function rateLimitHeaders(
  counters: readonly Counter[],
  nowMs: number,
  style: RateLimitStyle,
  headers: Record<string, string> = {},
): Record<string, string> {
  if (style === 'openai') addOpenaiHeaders(headers, counters, nowMs)
  else addAnthropicHeaders(headers, counters, nowMs)
  return headers
}

/**
 * OpenAI's headers, with the caller's own limits
 * (https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers). Input and output have
 * separate limits: `tokens` reports the one with less left, as Anthropic's headers do. A missing limit has no
 * headers.
 */
function addOpenaiHeaders(
  headers: Record<string, string>,
  counters: readonly Counter[],
  nowMs: number,
): void {
  let tokens: Counter | undefined
  for (const counter of counters) {
    const { bucket, limit } = counter
    drain(bucket, limit, nowMs)
    if (limit.kind === 'requests') {
      headers['x-ratelimit-limit-requests'] = String(limit.capacity)
      headers['x-ratelimit-remaining-requests'] = String(remaining(bucket, limit))
      headers['x-ratelimit-reset-requests'] = duration(fullInMs(bucket, limit))
    } else if (tokens === undefined || shareLeft(counter) < shareLeft(tokens)) tokens = counter
  }
  if (tokens === undefined) return
  const { bucket, limit } = tokens
  headers['x-ratelimit-limit-tokens'] = String(limit.capacity)
  headers['x-ratelimit-remaining-tokens'] = String(remaining(bucket, limit))
  headers['x-ratelimit-reset-tokens'] = duration(fullInMs(bucket, limit))
}

/** Anthropic's (https://platform.claude.com/docs/en/api/rate-limits#response-headers), times in RFC 3339. */
function addAnthropicHeaders(
  headers: Record<string, string>,
  counters: readonly Counter[],
  nowMs: number,
): void {
  let tokens: Counter | undefined
  for (const counter of counters) {
    drain(counter.bucket, counter.limit, nowMs)
    const { kind } = counter.limit
    if (kind === 'burst') continue
    tellAsAnthropic(headers, kind, counter)
    if (kind === 'requests') continue
    if (tokens === undefined || shareLeft(counter) < shareLeft(tokens)) tokens = counter
  }
  if (tokens !== undefined) tellAsAnthropic(headers, 'tokens', tokens)
}

function tellAsAnthropic(headers: Record<string, string>, what: string, { bucket, limit }: Counter): void {
  headers[`anthropic-ratelimit-${what}-limit`] = String(limit.capacity)
  headers[`anthropic-ratelimit-${what}-remaining`] = String(remaining(bucket, limit))
  const reset = new Date(Date.now() + fullInMs(bucket, limit))
  headers[`anthropic-ratelimit-${what}-reset`] = `${reset.toISOString().slice(0, 19)}Z`
}

function shareLeft({ bucket, limit }: Counter): number {
  return remaining(bucket, limit) / limit.capacity
}

/** A duration in OpenAI's format, which is Go's: `120ms`, `1.5s`, `6m0s`, `1h0m3s`. */
export function duration(ms: number): string {
  if (ms === 0) return '0s'
  if (ms < 1_000) return `${ms}ms`
  const minutes = Math.floor(ms / 60_000)
  const seconds = `${(ms % 60_000) / 1_000}s`
  if (minutes === 0) return seconds
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes}m${seconds}` : `${hours}h${minutes % 60}m${seconds}`
}
