import { refuseUnsupported, type Target, type VendorFormat } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { boundToSend } from '../metering/output-bound.ts'
import { remoteMedia } from './fetch-media.ts'
import { readMedia } from './read-media.ts'
import { understoodPaidFields } from './unpriced-fields.ts'

/**
 * The body of the call to the vendor, always made from what the caller sent; a promise only where media must
 * be fetched for it.
 * @throws {GatewayError} 400 that names what cannot be said to this vendor; 402 where the credit does not
 * cover media that were fetched; 499 where the client left
 */
export function outboundBody(
  attempt: Attempt,
  vendorFormat: VendorFormat,
  gateway: Gateway,
): Buffer | Promise<Buffer> {
  const { request, candidate } = attempt
  const { format, call, withMedia } = request
  if (vendorFormat.name === format.name) return splicedBody(attempt)
  refuseUnsupported(call.request, vendorFormat.operations[format.operation].fields, candidate.model.id)
  const said = withMedia ?? call.request
  const media = remoteMedia(said, vendorFormat)
  if (media.length === 0) return translatedBody(attempt, said, vendorFormat)
  return readMedia(request, media, gateway).then((whole) => translatedBody(attempt, whole, vendorFormat))
}

/** The model as its vendor knows it. */
export function targetOf({ upstream, model, provider }: Candidate): Target {
  const { maxOutputTokens, supportedParameters } = model
  return { model: upstream.model, maxOutputTokens, supportedParameters, quirks: provider }
}

function translatedBody(attempt: Attempt, said: ModelRequest, vendorFormat: VendorFormat): Buffer {
  const maxOutputTokens = boundToSend(attempt)
  const bounded = said.maxOutputTokens === maxOutputTokens ? said : { ...said, maxOutputTokens }
  const vendor = vendorFormat.operations[attempt.request.format.operation]
  return Buffer.from(JSON.stringify(vendor.formatRequest(bounded, targetOf(attempt.candidate))))
}

/** For a vendor that speaks the caller's own format. */
function splicedBody(attempt: Attempt): Buffer {
  const { format, body, members, call } = attempt.request
  const { upstream, model, provider } = attempt.candidate
  return format.passThrough.spliceRequest({
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
