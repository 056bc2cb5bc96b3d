import {
  formatLeniently,
  passThroughOf,
  refuseUnsupported,
  withoutUnsupported,
  withBound,
  type LenientRequest,
  type PassThrough,
  type Target,
  type VendorFormat,
} from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import { modelTraits } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { boundToSend } from '../metering/output-bound.ts'
import { remoteMedia } from './fetch-media.ts'
import { readMedia } from './read-media.ts'
import { understoodPaidFields } from './unpriced-fields.ts'

const nothing: readonly string[] = []

/**
 * What this candidate is sent of the request, or of the same with its media in it: all of it, or what it can
 * honour where the caller asked for leniency.
 * @throws {GatewayError} 400 that names what is refused even so
 */
export function saidTo(attempt: Attempt, asked: ModelRequest, vendorFormat: VendorFormat): LenientRequest {
  const { request, candidate } = attempt
  const all = { request: asked, dropped: nothing }
  if (passThroughOf(request.format, vendorFormat) !== undefined || !isLenient(attempt)) return all
  return withoutUnsupported(all, vendorFormat, candidate.model.id)
}

function isLenient({ request, candidate }: Attempt): boolean {
  return (request.unsupportedFields ?? candidate.provider.unsupportedFields) === 'drop'
}

/**
 * The body of the call to the vendor, always made from what the caller sent; a promise only where media must
 * be fetched for it.
 * @throws {GatewayError} 400 that names what cannot be said to this vendor; 402 where the credit does not
 * cover media that were fetched; 499 where the client left
 */
export function outboundBody(
  attempt: Attempt,
  lenient: LenientRequest,
  vendorFormat: VendorFormat,
  gateway: Gateway,
): Buffer | Promise<Buffer> {
  const { request, candidate } = attempt
  const { format, call, withMedia } = request
  const passing = passThroughOf(format, vendorFormat)
  if (passing !== undefined) return splicedBody(attempt, passing)
  if (!isLenient(attempt))
    refuseUnsupported(call.request, vendorFormat.operations[format.operation].fields, candidate.model.id)
  const media = remoteMedia(withMedia ?? lenient.request, vendorFormat)
  if (media.length > 0)
    return readMedia(request, media, gateway).then((whole) =>
      translatedBody(attempt, saidTo(attempt, whole, vendorFormat), vendorFormat),
    )
  const said = withMedia === undefined ? lenient : saidTo(attempt, withMedia, vendorFormat)
  return translatedBody(attempt, said, vendorFormat)
}

/** The model as its vendor knows it. */
export function targetOf({ upstream, model, provider }: Candidate): Target {
  const { maxOutputTokens, supportedParameters } = model
  return {
    model: upstream.model,
    maxOutputTokens,
    supportedParameters,
    traits: modelTraits(provider.format, upstream.model),
    quirks: provider,
  }
}

function translatedBody(attempt: Attempt, said: LenientRequest, vendorFormat: VendorFormat): Buffer {
  const bounded = withBound(said.request, boundToSend(attempt))
  const target = targetOf(attempt.candidate)
  const vendor = vendorFormat.operations[attempt.request.format.operation]
  if (!isLenient(attempt)) return Buffer.from(JSON.stringify(vendor.formatRequest(bounded, target)))
  const { body, dropped } = formatLeniently({ request: bounded, dropped: said.dropped }, vendorFormat, target)
  attempt.dropped = dropped
  return Buffer.from(JSON.stringify(body))
}

/** For a vendor that speaks the caller's own format. */
function splicedBody(attempt: Attempt, passing: PassThrough): Buffer {
  const { body, members, call } = attempt.request
  const { upstream, model, provider } = attempt.candidate
  return passing.spliceRequest({
    body,
    members,
    call,
    model: upstream.model,
    reasons: model.supportedParameters.includes('reasoning'),
    maxOutputTokens: boundToSend(attempt),
    asUnderstood: understoodPaidFields(attempt),
    quirks: provider,
  })
}
