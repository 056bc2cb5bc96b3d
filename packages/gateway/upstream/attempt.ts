import { dialects, type BridgeHead } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'
import type { Answer } from '../answer/answer.ts'
import { clientClosed } from '../answer/client-closed.ts'
import { StreamReceiver } from '../answer/stream.ts'
import { WholeAnswerReceiver } from '../answer/whole.ts'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { AttemptRecord } from '../metering/request-record.ts'
import { failureName } from './failure.ts'
import { outboundBody } from './outbound-body.ts'
import { outboundRequest } from './outbound.ts'

/**
 * One call to the candidate that the request is at; resolves with the answer's first token, or with the whole
 * of a plain answer. Its row is among the request's attempts once the vendor was called.
 * @throws {GatewayError} whatever kept the answer from beginning
 */
export async function attempt(request: Held, gateway: Gateway): Promise<Answer> {
  const { exchange, provider, upstream, record } = request
  const client = gateway.clients.get(provider.name)
  if (client === undefined) throw new Error(`no client reaches the provider ${provider.name}`)
  const dialect = dialects[provider.dialect]
  const body = outboundBody(request, dialect)
  const outbound = outboundRequest(request, dialect, body instanceof Promise ? await body : body)
  const head = bridgeHead(request)
  const receiver = request.chat.request.stream
    ? new StreamReceiver(request, dialect, head, gateway)
    : new WholeAnswerReceiver(request, dialect, head)
  const row: AttemptRecord = {
    provider: provider.name,
    model: upstream.model,
    status: null,
    result: 'ok',
    durationMs: 0,
  }
  record.attempts.push(row)
  const calledAtMs = performance.now()
  exchange.listen(receiver)
  try {
    if (exchange.clientClosed) throw clientClosed()
    client.send(outbound, receiver)
    const answer = await receiver.begun
    record.modelServed = request.model.id
    return answer
  } catch (error) {
    row.result = receiver.status === null ? failureName(causeOf(error)) : `status-${receiver.status}`
    throw error
  } finally {
    row.status = receiver.status
    row.durationMs = Math.round(performance.now() - calledAtMs)
  }
}

function bridgeHead({ exchange, model, chat }: Held): BridgeHead {
  return {
    id: `chatcmpl-${exchange.requestId}`,
    model: model.id,
    created: Math.floor(exchange.startedAtMs / 1000),
    includeUsage: chat.includeUsage,
    reasoningHidden: chat.request.reasoning?.hidden === true,
  }
}

function causeOf(error: unknown): Error {
  if (error instanceof GatewayError && error.cause instanceof Error) return error.cause
  return error instanceof Error ? error : new Error(String(error))
}
