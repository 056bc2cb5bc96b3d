import { GatewayError } from '@turnpike/protocol'
import type { Shortage } from './account-counts.ts'
import type { Limit, LimitKind } from './limits.ts'

const nouns: Record<LimitKind, string> = {
  burst: 'requests',
  requests: 'requests',
  'input-tokens': 'input tokens',
  'output-tokens': 'output tokens',
}

/**
 * The 429 that names the limit, its value and what the request needs.
 * @param needed what the request would have taken
 */
export function refusal({ limit, waitMs }: Shortage, needed: number, tier: string): GatewayError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const need =
    limit.kind === 'burst' || limit.kind === 'requests' ? '' : ` This request needs about ${needed}.`
  const message =
    `Rate limit reached: ${describeLimit(limit, tier)}.${need} Retry in ${retryAfterSeconds} ` +
    `second${retryAfterSeconds === 1 ? '' : 's'}.`
  const retryAfterMs = Math.max(1, Math.ceil(waitMs))
  return new GatewayError('rate_limit_error', message, { retryAfterSeconds, retryAfterMs })
}

function describeLimit({ kind, capacity, perMinute, model }: Limit, tier: string): string {
  if (kind === 'burst') return `an API key may send ${capacity} requests per second`
  const which = model === undefined ? '' : ` for the model "${model}"`
  return `an account of tier "${tier}" may use ${perMinute} ${nouns[kind]} per minute${which}`
}
