import type { Allowance } from '@turnpike/limits'
import type { Gateway } from '../context/gateway.ts'
import type { Limited, Routed } from '../context/stages.ts'
import { mostOfUnknownMedia } from '../metering/unknown-media.ts'
import { estimateInputTokens, outputBound } from '../operations/generate/estimate.ts'

/**
 * The account's requests and tokens a minute, for the model that was asked: a fallback that answers in its
 * place counts for it. Without a promise where this node counts for itself.
 * @throws {GatewayError} 429 naming the limit
 */
export function limitUsage(request: Routed, { limiter }: Gateway): Limited | Promise<Limited> {
  const { key, model, call, body, candidates } = request
  const inputTokens = Math.max(
    estimateInputTokens(call.request, body.length),
    mostOfUnknownMedia(call.request, candidates),
  )
  const mostOutputTokens = outputBound(call.request, model.maxOutputTokens) * call.request.choices
  const allowance = limiter.admit(key, model, { inputTokens, mostOutputTokens })
  if (allowance instanceof Promise) return limitLater(request, allowance)
  return Object.assign(request, { allowance })
}

async function limitLater(request: Routed, allowance: Promise<Allowance>): Promise<Limited> {
  return Object.assign(request, { allowance: await allowance })
}
