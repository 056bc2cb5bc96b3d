import { coverablePico, worstCase, type HoldRefusal } from '@turnpike/billing'
import { GatewayError, type OperationRequest } from '@turnpike/protocol'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'
import { creditUncheckedError } from '../metering/credit-errors.ts'
import { countHeldOutput } from '../metering/output-bound.ts'
import { toHoldError } from '../metering/hold-error.ts'
import { withMetadata } from '../metering/refusal-metadata.ts'
import { describeSavings } from '../metering/describe-savings.ts'
import { findRequestedServices } from '../metering/requested-services.ts'
import type { RemoteMedia } from '../upstream/media/media-fetcher.ts'
import type { MediaRules } from '../operations/rules.ts'
import { fetchMedia } from './fetch-media.ts'

/**
 * Returns the request with remote media fetched into it, once for all candidates. Extends the hold to their
 * real size, which an address does not reveal.
 * @throws {GatewayError} 400 naming the field of one that cannot be fetched; 402 if the credit does not cover
 * them; 499 if the client left meanwhile; 503
 */
export async function readMedia(
  request: Held,
  remote: { wanted: readonly RemoteMedia[]; media: MediaRules<OperationRequest> },
  gateway: Gateway,
): Promise<OperationRequest> {
  if (request.mediaRefusal !== undefined) throw request.mediaRefusal
  const original = request.withMedia ?? request.call.request
  try {
    const { exchange, key } = request
    const whole = await fetchMedia(original, remote, exchange, { ...gateway.media, accountId: key.accountId })
    await cover(request, remote.media.sizes(whole).tokens - remote.media.sizes(original).tokens, gateway)
    request.withMedia = whole
    return whole
  } catch (error) {
    // The next candidate must not repeat what has failed for this one.
    if (error instanceof GatewayError) request.mediaRefusal = error
    throw error
  }
}

/** Extends the hold, and the usage counted against the account's limits, by the additional input. */
async function cover(request: Held, moreTokens: number, gateway: Gateway): Promise<void> {
  if (moreTokens <= 0) return
  const { hold, record, allowance } = request
  const morePico = mostOf(request, moreTokens)
  const refused = await extendHold(request, morePico, gateway)
  // The request has ended meanwhile, so no candidate will be called.
  if (refused === 'ended') return
  if (refused !== undefined) {
    const neededPico = hold.amountPico + morePico
    // Waiting does not release what this request holds itself.
    const refusal = { ...refused, waitingHelps: coverablePico(refused) >= neededPico }
    throw withMetadata(toHoldError(refusal, neededPico, describeSavings(request)), refusal, neededPico, {
      key: request.key,
      payLinks: gateway.payLinks,
    })
  }
  record.holdPico = hold.amountPico
  request.heldInputTokens += moreTokens
  gateway.limiter.takeMore(allowance, moreTokens)
}

/** The most that this many additional input tokens may cost at any candidate. */
function mostOf(request: Held, moreTokens: number): bigint {
  const { candidates, heldInputTokens, furtherInput } = request
  const worst = (candidate: Candidate, inputTokens: number): bigint => {
    const { provider, model } = candidate
    const services = findRequestedServices(request, { provider, model, heldInputTokens: inputTokens })
    const outputTokens = countHeldOutput(request, candidate.model)
    return worstCase(candidate.prices, inputTokens, outputTokens, furtherInput, services)
  }
  let mostPico = 0n
  for (const candidate of candidates) {
    const pico = worst(candidate, heldInputTokens + moreTokens) - worst(candidate, heldInputTokens)
    if (pico > mostPico) mostPico = pico
  }
  return mostPico
}

async function extendHold(
  { hold }: Held,
  morePico: bigint,
  gateway: Gateway,
): Promise<HoldRefusal | 'ended' | undefined> {
  try {
    return await gateway.leases.extend(hold, morePico)
  } catch (cause) {
    throw creditUncheckedError(cause)
  }
}
