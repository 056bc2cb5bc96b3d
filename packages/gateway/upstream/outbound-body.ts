import { refuseUnsupported, type Target, type VendorFormat } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { boundToSend } from '../metering/output-bound.ts'
import { remoteMedia } from './media/fetch-media.ts'
import { readMedia } from './media/read-media.ts'
import { understoodPaidFields } from './unpriced-fields.ts'

/**
 * The body of the call to the vendor, always made from what the caller sent; a promise only where media must
 * be fetched for it.
 * @throws {GatewayError} 400 that names what cannot be said to this vendor; 402 where the credit does not
 * cover media that were fetched; 499 where the client left
 */
export function outboundBody(
  request: Held,
  vendorFormat: VendorFormat,
  gateway: Gateway,
): Buffer | Promise<Buffer> {
  const { format, call, model, withMedia } = request
  if (vendorFormat.name === format.name) return splicedBody(request)
  refuseUnsupported(call.request, vendorFormat.operations.generate.fields, model.id)
  const said = withMedia ?? call.request
  const media = remoteMedia(said, vendorFormat)
  if (media.length === 0) return translatedBody(request, said, vendorFormat)
  return readMedia(request, media, gateway).then((whole) => translatedBody(request, whole, vendorFormat))
}

/** The model as its vendor knows it. */
export function targetOf({ upstream, model, provider }: Held): Target {
  const { maxOutputTokens, supportedParameters } = model
  return { model: upstream.model, maxOutputTokens, supportedParameters, quirks: provider }
}

function translatedBody(request: Held, said: ModelRequest, vendorFormat: VendorFormat): Buffer {
  const maxOutputTokens = boundToSend(request)
  const bounded = said.maxOutputTokens === maxOutputTokens ? said : { ...said, maxOutputTokens }
  return Buffer.from(
    JSON.stringify(vendorFormat.operations.generate.formatRequest(bounded, targetOf(request))),
  )
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
