import { operationOf, vendorFormats, type BridgeHead, type VendorFormat } from '@turnpike/dialects'
import type { Answer } from '../answer/answer.ts'
import { droppedPaths } from '../answer/headers.ts'
import { PartsReceiver, type PartsCall } from '../answer/parts.ts'
import { StreamReceiver } from '../answer/stream/receiver.ts'
import { WholeAsStream } from '../answer/stream/whole-as-stream.ts'
import { WholeAnswerReceiver } from '../answer/whole.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { refuseReferences } from '../outbound/allowed-references.ts'
import { outboundBody, fitRequest } from '../outbound/body.ts'
import { partsFor } from '../outbound/parts.ts'
import { outboundRequest } from '../outbound/request.ts'
import { asksForStream } from '../outbound/streams.ts'
import { refuseUnpriced } from '../outbound/unpriced-fields.ts'
import type { Part } from '../operations/rules.ts'
import type { UpstreamClient, UpstreamRequest } from '../upstream/client.ts'
import { withCredential } from '../upstream/credentials/with-credential.ts'
import { failureOf } from '../upstream/failure.ts'

/** A call that is ready to be sent. */
export interface ReadyCall {
  client: UpstreamClient
  vendorFormat: VendorFormat
  outbound: UpstreamRequest
  /** How to send a request that is split into parts; `outbound` is then the first part. */
  parts?: PartsCall
}

/** Undefined if the candidate has no credential at the moment. */
type Prepared<Value = ReadyCall> = Value | undefined | Promise<Value | undefined>

/**
 * Builds the call to the attempt's candidate. Returns a promise only if media must be fetched or the call
 * must be signed.
 * @throws {GatewayError} 400 naming what this candidate does not support; 499 if the client left
 */
export function prepareCall(attempt: Attempt, gateway: Gateway): Prepared {
  const { provider } = attempt.candidate
  const client = gateway.clients.get(provider.name)
  if (client === undefined) throw new Error(`there is no HTTP client for the provider ${provider.name}`)
  const vendorFormat = vendorFormats[provider.format]
  refuseReferences(attempt.request.call.referred, provider, vendorFormat)
  const parts = partsFor(attempt)
  if (parts !== undefined) return prepareParts(attempt, parts, client, vendorFormat, gateway)
  const original = attempt.request.call.request
  const lenient = fitRequest(attempt, original, vendorFormat)
  refuseUnpriced(attempt, lenient.request, vendorFormat)
  const body = outboundBody(attempt, { original, lenient }, vendorFormat, gateway)
  if (body instanceof Promise) return body.then((bytes) => callWith(bytes, attempt, client, vendorFormat))
  return callWith(body, attempt, client, vendorFormat)
}

/** Builds one call for each part, and the first at once: an unsupported request must fail unsent. */
function prepareParts(
  attempt: Attempt,
  parts: readonly Part[],
  client: UpstreamClient,
  vendorFormat: VendorFormat,
  gateway: Gateway,
): Prepared {
  const outbound = ({ request }: Part): Prepared<UpstreamRequest> => {
    const lenient = fitRequest(attempt, request, vendorFormat)
    refuseUnpriced(attempt, lenient.request, vendorFormat)
    const body = outboundBody(attempt, { original: request, lenient }, vendorFormat, gateway)
    if (body instanceof Promise) throw new Error('what has media to be fetched is not asked in parts')
    return withCredential(outboundRequest(attempt, vendorFormat, body), attempt.candidate)
  }
  return readyCall(outbound(parts[0]!), client, vendorFormat, { client, parts, outbound })
}

function callWith(
  body: Buffer,
  attempt: Attempt,
  client: UpstreamClient,
  vendorFormat: VendorFormat,
): Prepared {
  const outbound = withCredential(outboundRequest(attempt, vendorFormat, body), attempt.candidate)
  return readyCall(outbound, client, vendorFormat)
}

function readyCall(
  outbound: Prepared<UpstreamRequest>,
  client: UpstreamClient,
  vendorFormat: VendorFormat,
  parts?: PartsCall,
): Prepared {
  if (outbound === undefined) return undefined
  if (outbound instanceof Promise)
    return outbound.then((signed) => readyCall(signed, client, vendorFormat, parts))
  return parts === undefined ? { client, vendorFormat, outbound } : { client, vendorFormat, outbound, parts }
}

/** What receives the answer to a call. */
export type Receiver = StreamReceiver | WholeAnswerReceiver | PartsReceiver

/**
 * Sends the call, and adds the attempt's row to the request. Resolves at the answer's first token, or with
 * the whole of a plain answer. `endCall` must follow.
 * @throws {GatewayError} if no answer began, for whatever reason
 */
export function makeCall(
  call: ReadyCall,
  attempt: Attempt,
  receiver: Receiver,
  gateway: Gateway,
): Promise<Answer> {
  const { request, row, candidate } = attempt
  const { exchange, record } = request
  // Not `push`: the first `push` would reserve room for 16 more rows, in every open stream. Nor `concat` for
  // the usual first row: it takes 0.3 µs.
  record.attempts = record.attempts.length === 0 ? [row] : record.attempts.concat(row)
  record.dropped = droppedPaths(attempt)
  attempt.calledAtMs = performance.now()
  if (candidate.own !== undefined) gateway.ownKeys?.noteUse(candidate.own)
  exchange.listen(receiver)
  return sendCall(call, receiver, attempt)
}

/** Completes the attempt's row once the answer has begun, or with the error that came instead. */
export function endCall(
  { request, row, candidate, calledAtMs }: Attempt,
  { status }: Receiver,
  error?: unknown,
): void {
  if (error !== undefined) row.result = failureOf(error, status)
  else {
    if (request.exchange.clientClosed) row.result = 'client-closed'
    request.record.modelServed = candidate.model.id
  }
  row.status = status
  row.durationMs = Math.round(performance.now() - calledAtMs)
}

export function receiverOf({ vendorFormat, parts }: ReadyCall, attempt: Attempt, gateway: Gateway): Receiver {
  const { request, candidate } = attempt
  const { call, batch } = request
  const head = bridgeHead(request, candidate)
  if (call.keepsAnswer === true) head.keeper = keeperOf(request, head.id, gateway)
  if (parts !== undefined && batch !== undefined)
    return new PartsReceiver(attempt, batch.parts, vendorFormat, head)
  return call.request.stream
    ? new StreamReceiver(attempt, vendorFormat, head, gateway)
    : new WholeAnswerReceiver(attempt, vendorFormat, head, gateway)
}

/** The HTTP client holds a stream's body from here on: it must not be kept twice until the first token. */
function sendCall(call: ReadyCall, receiver: Receiver, attempt: Attempt): Promise<Answer> {
  const { begun } = receiver
  if (receiver instanceof PartsReceiver) {
    receiver.start(call.parts!, call.outbound.timeouts.totalMs)
    return begun
  }
  const { outbound, vendorFormat } = call
  if (outbound.streams === true) call.outbound = { ...outbound, body: null }
  const { whole } = operationOf(vendorFormat, attempt.request.format.operation)
  const isToldAsStream =
    whole !== undefined && attempt.request.call.request.stream && !asksForStream(attempt, vendorFormat)
  call.client.send(outbound, isToldAsStream ? new WholeAsStream(receiver, whole) : receiver)
  return begun
}

/** What the head of an answer says about it. */
export function bridgeHead({ exchange, format, call, operation }: Held, candidate: Candidate): BridgeHead {
  const head: BridgeHead = {
    id: format.idPrefix + exchange.requestId,
    model: candidate.model.id,
    created: Math.floor(exchange.startedAtMs / 1000),
    includeUsage: call.includeUsage,
    asked: call.asked,
  }
  const vendor = operationOf(vendorFormats[candidate.provider.format], format.operation)
  operation.leaveOut?.(head, call, candidate, vendor)
  return head
}

function keeperOf({ key, keptInput }: Held, id: string, { kept }: Gateway): BridgeHead['keeper'] {
  return kept?.keeperOf(key, id, keptInput)
}
