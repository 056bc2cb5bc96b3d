import {
  formatLeniently,
  refuseUnsupported,
  withoutUnsupported,
  withBound,
  type LenientRequest,
  type Target,
  type VendorFormat,
} from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'
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
export function saidTo(request: Held, asked: ModelRequest, vendorFormat: VendorFormat): LenientRequest {
  const all = { request: asked, dropped: nothing }
  if (vendorFormat.name === request.format.name || !isLenient(request)) return all
  return withoutUnsupported(all, vendorFormat, request.model.id)
}

function isLenient({ unsupportedFields, provider }: Held): boolean {
  return (unsupportedFields ?? provider.unsupportedFields) === 'drop'
}

/**
 * The body of the call to the vendor, always made from what the caller sent; a promise only where media must
 * be fetched for it.
 * @throws {GatewayError} 400 that names what cannot be said to this vendor; 402 where the credit does not
 * cover media that were fetched; 499 where the client left
 */
export function outboundBody(
  request: Held,
  lenient: LenientRequest,
  vendorFormat: VendorFormat,
  gateway: Gateway,
): Buffer | Promise<Buffer> {
  const { format, call, model, withMedia } = request
  request.dropped = nothing
  if (vendorFormat.name === format.name) return splicedBody(request)
  if (!isLenient(request)) refuseUnsupported(call.request, vendorFormat.operations.generate.fields, model.id)
  const media = remoteMedia(withMedia ?? lenient.request, vendorFormat)
  if (media.length > 0)
    return readMedia(request, media, gateway).then((whole) =>
      translatedBody(request, saidTo(request, whole, vendorFormat), vendorFormat),
    )
  const said = withMedia === undefined ? lenient : saidTo(request, withMedia, vendorFormat)
  return translatedBody(request, said, vendorFormat)
}

/** The model as its vendor knows it. */
export function targetOf({ upstream, model, provider }: Held): Target {
  const { maxOutputTokens, supportedParameters } = model
  return { model: upstream.model, maxOutputTokens, supportedParameters, quirks: provider }
}

function translatedBody(request: Held, said: LenientRequest, vendorFormat: VendorFormat): Buffer {
  const bounded = withBound(said.request, boundToSend(request))
  const target = targetOf(request)
  if (!isLenient(request))
    return Buffer.from(JSON.stringify(vendorFormat.operations.generate.formatRequest(bounded, target)))
  const { body, dropped } = formatLeniently({ request: bounded, dropped: said.dropped }, vendorFormat, target)
  request.dropped = dropped
  return Buffer.from(JSON.stringify(body))
}

/** For a vendor that speaks the caller's own format. */
function splicedBody(request: Held): Buffer {
  const { format, body, members, call, upstream, model, provider } = request
  return format.passThrough.spliceRequest({
    body,
    members,
    call,
    model: upstream.model,
    reasons: model.supportedParameters.includes('reasoning'),
    maxOutputTokens: boundToSend(request),
    asUnderstood: understoodPaidFields(request),
    quirks: provider,
  })
}
