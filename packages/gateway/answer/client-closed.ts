import { GatewayError } from '@turnpike/protocol'

/** Recorded, never sent: there is nobody to read it. */
export function clientClosed(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the connection.')
}
