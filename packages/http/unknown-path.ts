import { GatewayError } from '@turnpike/protocol'

/**
 * A path that nobody serves, on whichever surface, and one that this caller is not to know of: what it says
 * does not depend on the path.
 */
export function unknownPath(): GatewayError {
  const message =
    'Nothing is served at this path. Models are called at /v1/chat/completions and /v1/messages; keys, ' +
    'credit and usage are at /api/v1. GET /openapi.json lists every path.'
  return new GatewayError('not_found_error', message)
}
