import { createHash, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'

/**
 * Refuses a request without the operator's secret. Both sides are hashed first, so that the comparison takes
 * equally long for every guess, whatever its length.
 */
export function internalSecretCheck(internalSecret: string): (request: FastifyRequest) => Promise<void> {
  const expected = sha256(internalSecret)
  return async (request) => {
    const secret = request.headers['x-internal-secret']
    if (secret === undefined) {
      throw new GatewayError(
        'authentication_error',
        'This endpoint requires the header `X-Internal-Secret`, or the user token of an operator.',
      )
    }
    if (!timingSafeEqual(sha256(String(secret)), expected)) {
      throw new GatewayError('authentication_error', '`X-Internal-Secret` is incorrect.')
    }
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
