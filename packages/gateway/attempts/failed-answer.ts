import type { GatewayError } from '@turnpike/protocol'
import type { Answer } from '../answer/answer.ts'
import { endWithError } from '../context/ending.ts'
import type { Attempt } from '../context/stages.ts'
import { bridgeHead } from './call.ts'

/**
 * The end of a stream whose head went out while its upstreams were silent, and of which none had a token to
 * give: an event that says so, and no charge.
 */
export function toFailedAnswer(attempt: Attempt, error: GatewayError): Answer {
  const { request, candidate } = attempt
  const encoder = request.format.streams!.encoder(bridgeHead(request, candidate))
  const text = (): string => encoder.failing(error, request.exchange.requestId)
  return { attempt, relay: () => ({ ...endWithError(error), status: 200, tail: { kind: 'stream', text } }) }
}
