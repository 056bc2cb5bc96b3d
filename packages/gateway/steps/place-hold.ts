import { worstCase, type HoldResult } from '@turnpike/billing'
import { GatewayError, type InputBucket } from '@turnpike/protocol'
import type { Candidate } from '../candidates.ts'
import type { Held, Limited } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { furtherInputBuckets, outputBound } from '../metering/estimate.ts'
import { refusedHold } from '../metering/refused-hold.ts'
import { servicesAsked } from '../metering/services-asked.ts'

/**
 * Sets aside what the request may cost at the dearest of its candidates, from the node's lease: without a
 * promise where the lease has it. Where the credit covers the first model but not all others, it goes on
 * without those: a fallback must not cost the caller the answer that it can pay.
 * @throws {GatewayError} 402 not coverable, 429 held by requests in flight, 503 the store is away or the
 * outbox full
 */
export function placeHold(request: Limited, gateway: Gateway): Held | Promise<Held> {
  gateway.outbox.requireRoom()
  const { chat, candidates, key, allowance } = request
  const heldInputTokens = allowance.estimate.inputTokens
  const further = furtherInputBuckets(chat.request)
  let heldOutputTokens = 0
  let amountPico = 0n
  let last: Candidate | undefined
  for (const candidate of candidates) {
    // Keys of one upstream, and most upstreams of one model, stand side by side at one price.
    if (candidate.model === last?.model && candidate.prices === last.prices) continue
    last = candidate
    const outputTokens = outputOfAll(request, candidate)
    const services = servicesAsked(chat.request, candidate.provider)
    const mostPico = worstCase(candidate.prices, heldInputTokens, outputTokens, further, services)
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
  if (hold === undefined) return holdLater(held, amountPico, further, gateway)
  request.record.holdPico = amountPico
  return Object.assign(held, { hold })
}

type Unheld = Omit<Held, 'hold'>

async function holdLater(
  request: Unheld,
  amountPico: bigint,
  further: readonly InputBucket[],
  gateway: Gateway,
): Promise<Held> {
  let neededPico = amountPico
  let result = await tryToHold(request, neededPico, gateway)
  if ('refused' in result) {
    neededPico = withoutDearer(request, further)
    if (neededPico < amountPico) result = await tryToHold(request, neededPico, gateway)
  }
  if ('refused' in result) throw refusedHold(result.refused, neededPico)
  request.record.holdPico = neededPico
  return Object.assign(request, { hold: result.hold })
}

async function tryToHold(request: Unheld, amountPico: bigint, gateway: Gateway): Promise<HoldResult> {
  try {
    return await gateway.leases.hold(request.key.id, amountPico, request.exchange.startedAtMs)
  } catch (cause) {
    const message = 'The credit cannot be checked at the moment; please retry.'
    const detail = `lease refill failed: ${String(cause)}`
    throw new GatewayError('service_unavailable', message, { cause, retryAfterSeconds: 1, detail })
  }
}

/** Leaves out what may cost more than the first candidate; answers with what that one may cost. */
function withoutDearer(request: Unheld, further: readonly InputBucket[]): bigint {
  const mostPico = (candidate: Candidate): bigint =>
    worstCase(
      candidate.prices,
      request.heldInputTokens,
      outputOfAll(request, candidate),
      further,
      servicesAsked(request.chat.request, candidate.provider),
    )
  const firstPico = mostPico(request.candidates[0]!)
  request.candidates = request.candidates.filter((candidate) => mostPico(candidate) <= firstPico)
  request.heldOutputTokens = Math.max(...request.candidates.map((one) => outputOfAll(request, one)))
  return firstPico
}

/** Output tokens that a candidate may give, of all choices together. */
function outputOfAll({ chat }: Limited, { model }: Candidate): number {
  return outputBound(chat.request, model.maxOutputTokens) * chat.request.choices
}
