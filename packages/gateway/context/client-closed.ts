import { GatewayError, type Outcome } from '@turnpike/protocol'
import type { UpstreamCall } from '../upstream/client.ts'

/** Recorded but never sent, since the client is gone. */
export function clientClosed(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the connection.')
}

/** Once the upstream was reached, its work is charged; before that, nothing is (docs/contract.md, 4.7). */
export function outcomeOfLeaving(call: UpstreamCall | undefined): Outcome {
  return call === undefined ? 'failed' : 'client_closed'
}
