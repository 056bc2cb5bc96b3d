import {
  formatLeniently,
  holdsProof,
  passThroughOf,
  refuseUnsupported,
  scanObject,
  withoutUnsupported,
  withBound,
  withMembers,
  withoutProofs,
  type LenientRequest,
  type MediaKind,
  type PassThrough,
  type Target,
  type VendorFormat,
} from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import { modelTraits, type CatalogModel } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { boundToSend } from '../metering/output-bound.ts'
import { withUses } from '../metering/served-tools.ts'
import { remoteMedia } from './fetch-media.ts'
import { readMedia } from './read-media.ts'
import { understoodPaidFields } from './unpriced-fields.ts'
import { unpaidSearches } from './unpriced-tools.ts'

const nothing: readonly string[] = []
const noMedia: readonly MediaKind[] = []

/**
 * What this candidate is sent of the request, or of the same with its media in it: all of it, or what it can
 * honour where the caller asked for leniency.
 * @throws {GatewayError} 400 that names what is refused even so
 */
export function saidTo(attempt: Attempt, asked: ModelRequest, vendorFormat: VendorFormat): LenientRequest {
  const { request, candidate } = attempt
  const { toolUses } = request
  const { model, provider } = candidate
  const proven = attempt.withoutProofs ? withoutProofs(asked) : asked
  const bounded =
    toolUses === undefined ? proven : { ...proven, tools: withUses(proven.tools, provider, toolUses) }
  const all = { request: bounded, dropped: nothing }
  if (!isLenient(attempt)) return all
  const { fields, readsDocuments = false } = vendorFormat.operations[request.format.operation]
  const passes = passThroughOf(request.format, vendorFormat) !== undefined
  return withoutUnsupported(all, {
    modelId: model.id,
    fields: passes ? undefined : fields,
    unread: unreadBy(model, readsDocuments),
  })
}

const modalityOf = { image: 'image', audio: 'audio', document: 'file' } as const
const mediaKinds = ['image', 'audio', 'document'] as const

/** Media that the model is known not to take. */
function unreadBy({ modalities, isUnknown }: CatalogModel, readsDocuments: boolean): readonly MediaKind[] {
  if (isUnknown === true) return noMedia
  return mediaKinds.filter(
    (kind) => !modalities.input.includes(modalityOf[kind]) && !(kind === 'document' && readsDocuments),
  )
}

/**
 * Whether it may be asked again without what it refuses: the bytes of a caller who asked for leniency pass.
 */
export function mayLeaveOut(attempt: Attempt, vendorFormat: VendorFormat): boolean {
  const { request, refused } = attempt
  const passes = passThroughOf(request.format, vendorFormat) !== undefined
  return passes && refused.length === 0 && isLenient(attempt)
}

/** Whether the body may be needed again, without what proves the reasoning in it. */
export function mayLeaveOutProofs(attempt: Attempt, vendorFormat: VendorFormat): boolean {
  const { request } = attempt
  if (attempt.withoutProofs || passThroughOf(request.format, vendorFormat) === undefined) return false
  return holdsProof(request.call.request)
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
  if (passing !== undefined) return splicedBody(attempt, lenient, passing, vendorFormat)
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
  attempt.dropped = [...attempt.dropped, ...dropped]
  return Buffer.from(JSON.stringify(body))
}

/** For a vendor that speaks the caller's own format. */
function splicedBody(
  attempt: Attempt,
  lenient: LenientRequest,
  passing: PassThrough,
  vendorFormat: VendorFormat,
): Buffer {
  const { refused } = attempt
  const { call } = attempt.request
  const { upstream, model, provider } = attempt.candidate
  const { tools } = lenient.request
  const changes = new Map<string, string | undefined>(refused.map((name) => [name, undefined]))
  if (lenient.dropped.length > 0) sayAnew(attempt, lenient, passing, { vendorFormat, changes })
  const searches = unpaidSearches(call.request, attempt.candidate)
  if (searches.length > 0 || lenient.dropped.length > 0)
    attempt.dropped = [...lenient.dropped, ...attempt.dropped, ...searches]
  return passing.spliceRequest({
    ...changedBody(attempt.request, changes),
    call,
    model: upstream.model,
    reasons: model.supportedParameters.includes('reasoning'),
    maxOutputTokens: boundToSend(attempt),
    asUnderstood: understoodPaidFields(attempt).filter((name) => !refused.includes(name)),
    withoutProofs: attempt.withoutProofs,
    withoutSearch: searches.length > 0,
    toolUses: attempt.request.toolUses,
    tools: tools === call.request.tools ? undefined : tools,
    quirks: provider,
  })
}

/** The messages alone, as understood: with a sentence in the place of each part that was left out. */
function sayAnew(
  { request: { format }, candidate }: Attempt,
  { request }: LenientRequest,
  { conversation }: PassThrough,
  { vendorFormat, changes }: { vendorFormat: VendorFormat; changes: Map<string, string | undefined> },
): void {
  const bare: ModelRequest = {
    ...request,
    tools: [],
    toolChoice: undefined,
    output: undefined,
    reasoning: undefined,
    extensions: {},
  }
  const body = vendorFormat.operations[format.operation].formatRequest(bare, targetOf(candidate))
  for (const name of conversation)
    changes.set(name, body[name] === undefined ? undefined : JSON.stringify(body[name]))
}

/** The body as it came, but for some of its members. */
function changedBody(
  { body, members }: Pick<Held, 'body' | 'members'>,
  changes: ReadonlyMap<string, string | undefined>,
): Pick<Held, 'body' | 'members'> {
  if (changes.size === 0) return { body, members }
  const changed = withMembers(body, members, changes)
  return { body: changed, members: scanObject(changed).members }
}
