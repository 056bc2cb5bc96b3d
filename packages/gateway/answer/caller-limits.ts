import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'

/** Headers of what is left of the caller's own limits, never of the upstream's (docs/contract.md, 5.4). */
export function callerLimits(request: Partial<Held>, { limiter }: Gateway): Record<string, string> {
  const { key, allowance, candidates, format } = request
  return key === undefined
    ? {}
    : limiter.headers(key, allowance, candidates?.[0]?.model, format?.rateLimitStyle)
}
