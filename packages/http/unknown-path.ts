import { GatewayError } from '@turnpike/protocol'

/**
 * The error for an unknown path on any surface, and for one that this caller must not know about; the text
 * does not depend on the path.
 */
export function unknownPath(): GatewayError {
  const message =
    'Nothing is served at this path. Models are called at /v1/chat/completions and /v1/messages; keys, ' +
    'credit and usage are at /api/v1. GET /openapi.json lists every path.'
  return new GatewayError('not_found_error', message)
}
