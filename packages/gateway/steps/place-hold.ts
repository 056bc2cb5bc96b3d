import { worstCase, type HoldResult } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { Candidate } from '../candidates.ts'
import type { Held, Limited } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { defaultOutputTokens, estimateInputTokens, furtherInputBuckets } from '../metering/estimate.ts'
import { refusedHold } from '../metering/refused-hold.ts'

/**
 * Sets aside what the request may cost at the dearest of its candidates, from the node's lease: without a
 * promise where the lease has it.
 * @throws {GatewayError} 402 not coverable, 429 held by requests in flight, 503 the store is away or the
 * outbox full
 */
export function placeHold(request: Limited, gateway: Gateway): Held | Promise<Held> {
  gateway.outbox.requireRoom()
  const { chat, candidates, key, body } = request
  const heldInputTokens = estimateInputTokens(chat.request, body.length)
  const further = furtherInputBuckets(chat.request)
  let heldOutputTokens = 0
  let amountPico = 0n
  let last: Candidate | undefined
  for (const candidate of candidates) {
    const { model, prices } = candidate
    // Keys of one upstream, and most upstreams of one model, stand side by side at one price.
    if (model === last?.model && prices === last.prices) continue
    last = candidate
    const bound = Math.min(chat.request.maxOutputTokens ?? defaultOutputTokens, model.maxOutputTokens)
    const outputTokens = bound * chat.request.choices
    const mostPico = worstCase(prices, heldInputTokens, outputTokens, further)
    if (outputTokens > heldOutputTokens) heldOutputTokens = outputTokens
    if (mostPico > amountPico) amountPico = mostPico
  }
  const held = Object.assign(request, {
    heldInputTokens,
    heldOutputTokens,
    othersFollow: false,
    calledAtMs: 0,
    headSent: false,
  })
  const hold = gateway.leases.tryHold(key.id, amountPico, request.exchange.startedAtMs)
  if (hold === undefined) return holdLater(held, amountPico, gateway)
  request.record.holdPico = amountPico
  return Object.assign(held, { hold })
}

async function holdLater(request: Omit<Held, 'hold'>, amountPico: bigint, gateway: Gateway): Promise<Held> {
  let result: HoldResult
  try {
    result = await gateway.leases.hold(request.key.id, amountPico, request.exchange.startedAtMs)
  } catch (cause) {
    throw new GatewayError(
      'service_unavailable',
      'The credit cannot be checked at the moment; please retry.',
      {
        cause,
        retryAfterSeconds: 1,
        detail: `lease refill failed: ${String(cause)}`,
      },
    )
  }
  if ('refused' in result) throw refusedHold(result.refused, amountPico)
  request.record.holdPico = amountPico
  return Object.assign(request, { hold: result.hold })
}
