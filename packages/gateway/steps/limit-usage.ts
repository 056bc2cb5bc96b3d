import type { Allowance } from '@turnpike/limits'
import type { Gateway } from '../context/gateway.ts'
import type { Limited, Routed } from '../context/stages.ts'

/**
 * Checks the account's requests and tokens per minute for the requested model; a fallback that answers counts
 * as that model. Returns no promise if the node counts in memory.
 * @throws {GatewayError} 429 naming the limit
 */
export function limitUsage(request: Routed, { limiter }: Gateway): Limited | Promise<Limited> {
  const { key, call, operation, body, candidates } = request
  const { model } = candidates[0]!
  const { inputTokens, outputTokens, choices } = operation.estimate(call.request, body.length, candidates)
  const mostOutputTokens = Math.min(outputTokens, model.maxOutputTokens) * choices
  const allowance = limiter.admit(key, model, { inputTokens, mostOutputTokens })
  if (allowance instanceof Promise) return limitLater(request, allowance)
  return withAllowance(request, allowance)
}

async function limitLater(request: Routed, allowance: Promise<Allowance>): Promise<Limited> {
  return withAllowance(request, await allowance)
}

function withAllowance(request: Routed, allowance: Allowance): Limited {
  const known = request as Limited
  known.allowance = allowance
  return known
}
