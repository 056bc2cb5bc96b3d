import type { GatewayError } from '@turnpike/protocol'
import type { Held } from '../context.ts'
import { bridgeHead } from '../upstream/attempt.ts'
import type { Answer } from './answer.ts'
import { failed } from './ending.ts'

/**
 * The end of a stream whose head went out while its upstreams were silent, and of which none had a token to
 * give: an event that says so, and no charge.
 */
export function failedAnswer(request: Held, error: GatewayError): Answer {
  const encoder = request.format.encoder(bridgeHead(request))
  const text = (): string => encoder.failing(error, request.exchange.requestId)
  return { relay: () => ({ ...failed(error), status: 200, tail: { kind: 'stream', text } }) }
}
