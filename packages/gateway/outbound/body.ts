import {
  operationOf,
  passThroughOf,
  refuseFields,
  scanObject,
  withMembers,
  withoutUnsupported,
  type LenientRequest,
  type PassThrough,
  type SentRequest,
  type VendorFormat,
} from '@turnpike/dialects'
import type { OperationRequest } from '@turnpike/protocol'
import { targetOf } from '../candidates/target.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { findBoundToSend } from '../metering/output-bound.ts'
import { betasLeftOut, betasSent } from './betas.ts'
import { readMedia } from './read-media.ts'
import { paidFieldsIn } from './unpriced-fields.ts'

const nothing: readonly string[] = []

/**
 * What this candidate gets of the request (or of the request with its media in it): all of it or, if the
 * caller asked for leniency, only what it supports.
 * @throws {GatewayError} 400 naming what is rejected even so
 */
export function fitRequest(
  attempt: Attempt,
  original: OperationRequest,
  vendorFormat: VendorFormat,
): LenientRequest {
  const { request, candidate } = attempt
  const { toolUses, operation } = request
  const { model, provider } = candidate
  const proven = attempt.withoutProofs ? (operation.proofs?.withoutProofs(original) ?? original) : original
  const bounded =
    toolUses === undefined ? proven : (operation.services?.withUses(proven, provider, toolUses) ?? proven)
  const all = { request: bounded, dropped: nothing }
  if (!isLenient(attempt)) return all
  const vendor = operationOf(vendorFormat, request.format.operation)
  const passes = passThroughOf(request.format, vendorFormat) !== undefined
  return withoutUnsupported(operation.fieldRules, all, {
    modelId: model.id,
    fields: passes ? undefined : vendor.fields,
    unread: operation.unread?.(candidate, vendor),
  })
}

/** Whether a retry may omit rejected members: the caller's bytes pass through, and it asked for leniency. */
export function mayLeaveOut(attempt: Attempt, vendorFormat: VendorFormat): boolean {
  const { request, refused } = attempt
  const passes = passThroughOf(request.format, vendorFormat) !== undefined
  return passes && refused.length === 0 && isLenient(attempt)
}

/** Whether a retry may omit the proofs of reasoning, so that the body may be needed again. */
export function mayLeaveOutProofs(attempt: Attempt, vendorFormat: VendorFormat): boolean {
  const { request } = attempt
  if (attempt.withoutProofs || passThroughOf(request.format, vendorFormat) === undefined) return false
  return request.operation.proofs?.isIn(request.call.request) === true
}

function isLenient({ request, candidate }: Attempt): boolean {
  return (request.unsupportedFields ?? candidate.provider.unsupportedFields) === 'drop'
}

/** The request for a candidate, or a part of it, and what is sent of it. */
interface FittedRequest {
  original: OperationRequest
  lenient: LenientRequest
}

/**
 * Builds the body of the call to the vendor, always from what the caller sent. Returns a promise only if
 * media must be fetched.
 * @throws {GatewayError} 400 naming what this vendor does not support; 402 if the credit does not cover
 * fetched media; 499 if the client left
 */
export function outboundBody(
  attempt: Attempt,
  { original, lenient }: FittedRequest,
  vendorFormat: VendorFormat,
  gateway: Gateway,
): Buffer | Promise<Buffer> {
  const { request, candidate } = attempt
  const { format, withMedia, operation } = request
  const passing = passThroughOf(format, vendorFormat)
  const isSpliced = passing !== undefined && !readsNoneOf(original, operation.media, vendorFormat)
  if (isSpliced) return spliceBody(attempt, { original, lenient }, passing, vendorFormat)
  if (!isLenient(attempt))
    refuseFields(
      operation.fieldRules,
      original,
      operationOf(vendorFormat, format.operation).fields,
      candidate.model.id,
    )
  const { media } = operation
  const remote = media?.remote(withMedia ?? lenient.request, vendorFormat) ?? []
  if (media !== undefined && remote.length > 0)
    return readMedia(request, { wanted: remote, media }, gateway).then((whole) =>
      translateBody(attempt, fitRequest(attempt, whole, vendorFormat), vendorFormat),
    )
  const lenientRequest = withMedia === undefined ? lenient : fitRequest(attempt, withMedia, vendorFormat)
  return translateBody(attempt, lenientRequest, vendorFormat)
}

/** Whether the body contains addresses and the platform that serves the format does not fetch any. */
function readsNoneOf(
  original: OperationRequest,
  media: Held['operation']['media'],
  vendorFormat: VendorFormat,
): boolean {
  if (vendorFormat.passes === undefined || media === undefined) return false
  return media.remote(original, vendorFormat).length > 0
}

function translateBody(attempt: Attempt, lenientRequest: LenientRequest, vendorFormat: VendorFormat): Buffer {
  const { operation, format } = attempt.request
  const request =
    operation.withBound?.(lenientRequest.request, findBoundToSend(attempt)) ?? lenientRequest.request
  const target = targetOf(attempt.candidate)
  const vendor = operationOf(vendorFormat, format.operation)
  if (!isLenient(attempt)) return encodeBody(vendor.formatRequest(request, target), vendorFormat)
  const lenient = { request, dropped: lenientRequest.dropped }
  const { body, dropped } = operation.fieldRules.formatLeniently(lenient, vendor, target)
  attempt.dropped = [...attempt.dropped, ...dropped]
  return encodeBody(body, vendorFormat)
}

function encodeBody(body: object, { envelope }: VendorFormat): Buffer {
  const bytes = Buffer.from(JSON.stringify(body))
  return envelope?.wrap(bytes, nothing).body ?? bytes
}

/** For a vendor that speaks the caller's own format. */
function spliceBody(
  attempt: Attempt,
  { original, lenient }: FittedRequest,
  passing: PassThrough,
  vendorFormat: VendorFormat,
): Buffer {
  const { refused, request, candidate } = attempt
  const { call, operation, format } = request
  const { upstream, model, provider } = candidate
  const vendor = operationOf(vendorFormat, format.operation)
  const rewritten =
    lenient.dropped.length > 0
      ? operation.rewriteMembers?.(lenient.request, candidate, passing, vendor)
      : undefined
  const { body, members } = changeBody(request, refused, rewritten)
  const unpaid = operation.services?.unpaid(call.request, candidate) ?? nothing
  if (unpaid.length > 0 || lenient.dropped.length > 0)
    attempt.dropped = [...lenient.dropped, ...attempt.dropped, ...unpaid]
  const sent: SentRequest<Held['call']> = {
    body,
    members,
    call: original === call.request ? call : { ...call, request: original },
    model: upstream.model,
    reasons: model.supportedParameters.includes('reasoning'),
    maxOutputTokens: findBoundToSend(attempt),
    asUnderstood: paidFieldsIn(attempt).filter((name) => !refused.includes(name)),
    withoutProofs: attempt.withoutProofs,
    toolUses: request.toolUses,
    quirks: provider,
  }
  operation.completeSent?.(sent, lenient.request, unpaid)
  return wrapBody(passing.spliceRequest(sent), attempt, vendorFormat)
}

/** Wraps the body in the platform's envelope, if it needs one besides its format's. */
function wrapBody(body: Buffer, attempt: Attempt, { envelope }: VendorFormat): Buffer {
  if (envelope === undefined) return body
  const betas = envelope.betasInBody === true ? betasSent(attempt) : nothing
  const { body: sent, leftOut } = envelope.wrap(body, betas)
  const dropped = [...betasLeftOut(attempt), ...leftOut]
  if (dropped.length > 0) attempt.dropped = [...attempt.dropped, ...dropped]
  return sent
}

/** The original body with some members removed or changed. */
function changeBody(
  { body, members }: Pick<Held, 'body' | 'members'>,
  removed: readonly string[],
  rewritten: ReadonlyMap<string, string | undefined> | undefined,
): Pick<Held, 'body' | 'members'> {
  if (removed.length === 0 && rewritten === undefined) return { body, members }
  const changes = new Map<string, string | undefined>(removed.map((name) => [name, undefined]))
  for (const [name, value] of rewritten ?? []) changes.set(name, value)
  const changed = withMembers(body, members, changes)
  return { body: changed, members: scanObject(changed).members }
}
