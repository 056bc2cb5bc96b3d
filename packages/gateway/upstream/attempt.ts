import { vendorFormats, type BridgeHead, type VendorFormat } from '@turnpike/dialects'
import type { Answer } from '../answer/answer.ts'
import { StreamReceiver } from '../answer/stream.ts'
import { WholeAnswerReceiver } from '../answer/whole.ts'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { AttemptRecord } from '../metering/request-record.ts'
import { refuseReferences } from './allowed-references.ts'
import type { UpstreamClient, UpstreamReceiver, UpstreamRequest } from './client.ts'
import { failureOf } from './failure.ts'
import { outboundBody } from './outbound-body.ts'
import { outboundRequest } from './outbound.ts'
import { refuseUnpriced } from './unpriced-fields.ts'

/** A call that is ready to be made. */
export interface ReadyCall {
  client: UpstreamClient
  vendorFormat: VendorFormat
  outbound: UpstreamRequest
}

/**
 * The call to the candidate that the request is at; a promise only where media must be fetched for it.
 * @throws {GatewayError} 400 that names what cannot be said to it; 499 where the client left
 */
export function callTo(request: Held, gateway: Gateway): ReadyCall | Promise<ReadyCall> {
  const { provider } = request
  const client = gateway.clients.get(provider.name)
  if (client === undefined) throw new Error(`no client reaches the provider ${provider.name}`)
  const vendorFormat = vendorFormats[provider.format]
  refuseReferences(request.call.referred, provider, vendorFormat)
  refuseUnpriced(request, vendorFormat)
  const body = outboundBody(request, vendorFormat, gateway)
  if (body instanceof Promise) return body.then((bytes) => callWith(bytes, request, client, vendorFormat))
  return callWith(body, request, client, vendorFormat)
}

function callWith(
  body: Buffer,
  request: Held,
  client: UpstreamClient,
  vendorFormat: VendorFormat,
): ReadyCall {
  return { client, vendorFormat, outbound: outboundRequest(request, vendorFormat, body) }
}

/**
 * Makes the call; resolves with the answer's first token, or with the whole of a plain answer. Its row is
 * among the request's attempts.
 * @throws {GatewayError} whatever kept the answer from beginning
 */
export async function attempt(request: Held, call: ReadyCall, gateway: Gateway): Promise<Answer> {
  const { exchange, record } = request
  const { vendorFormat } = call
  const head = bridgeHead(request)
  const receiver = request.call.request.stream
    ? new StreamReceiver(request, vendorFormat, head, gateway)
    : new WholeAnswerReceiver(request, vendorFormat, head, gateway)
  const row = newRow(request)
  // Not pushed: the first one would bring room for 16 more, in each open stream.
  record.attempts = record.attempts.concat(row)
  request.calledAtMs = performance.now()
  exchange.listen(receiver)
  try {
    const answer = await sent(call, receiver)
    if (exchange.clientClosed) row.result = 'client-closed'
    record.modelServed = request.model.id
    return answer
  } catch (error) {
    row.result = failureOf(error, receiver.status)
    throw error
  } finally {
    row.status = receiver.status
    row.durationMs = Math.round(performance.now() - request.calledAtMs)
  }
}

/** What a stream is asked is the client's to keep: a long prompt is not kept twice until the first token. */
function sent(call: ReadyCall, receiver: UpstreamReceiver & { begun: Promise<Answer> }): Promise<Answer> {
  const { begun } = receiver
  const { outbound } = call
  if (outbound.streams === true) call.outbound = { ...outbound, body: null }
  call.client.send(outbound, receiver)
  return begun
}

/** What a stream says of itself, whoever of the candidates gives it. */
export function bridgeHead({ exchange, format, model, call }: Held): BridgeHead {
  return {
    id: format.idPrefix + exchange.requestId,
    model: model.id,
    created: Math.floor(exchange.startedAtMs / 1000),
    includeUsage: call.includeUsage,
    reasoningHidden: call.request.reasoning?.hidden === true,
  }
}

function newRow({ provider, upstream, health }: Held): AttemptRecord {
  const row: AttemptRecord = {
    provider: provider.name,
    model: upstream.model,
    status: null,
    result: 'ok',
    durationMs: 0,
  }
  if (provider.apiKeys.length > 1 && health.ofKey.key !== null) row.key = health.ofKey.key
  return row
}
