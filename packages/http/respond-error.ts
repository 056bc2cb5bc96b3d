import type { ServerResponse } from 'node:http'
import { errorEnvelope, errorHeaders, newIdentifier, type GatewayError } from '@turnpike/protocol'

/** Sends an error in the envelope as the response to a `node:http` request that no surface has handled. */
export function respondError(response: ServerResponse, error: GatewayError): void {
  const requestId = newIdentifier('req')
  const body = JSON.stringify(errorEnvelope(error, requestId))
  response.writeHead(error.status, {
    ...errorHeaders(error),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  })
  response.end(body)
}
