import type { GatewayError } from '@turnpike/protocol'
import type { Answer } from '../answer/answer.ts'
import { failed } from '../context/ending.ts'
import type { Held } from '../context/stages.ts'
import { bridgeHead } from './attempt.ts'

/**
 * The end of a stream whose head went out while its upstreams were silent, and of which none had a token to
 * give: an event that says so, and no charge.
 */
export function failedAnswer(request: Held, error: GatewayError): Answer {
  const encoder = request.format.encoder(bridgeHead(request))
  const text = (): string => encoder.failing(error, request.exchange.requestId)
  return { relay: () => ({ ...failed(error), status: 200, tail: { kind: 'stream', text } }) }
}
