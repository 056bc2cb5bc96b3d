import type { GatewayError } from '@turnpike/protocol'
import type { Answer } from '../answer/answer.ts'
import { endWithError } from '../context/ending.ts'
import type { Attempt } from '../context/stages.ts'
import { bridgeHead } from './call.ts'

/**
 * An answer that ends a stream with an error event, without a charge. For a stream whose head went out while
 * its upstreams were silent, if none of them produced a token.
 */
export function toFailedAnswer(attempt: Attempt, error: GatewayError): Answer {
  const { request, candidate } = attempt
  const encoder = request.format.streams!.encoder(bridgeHead(request, candidate))
  const text = (): string => encoder.failing(error, request.exchange.requestId)
  return { attempt, relay: () => ({ ...endWithError(error), status: 200, tail: { kind: 'stream', text } }) }
}
