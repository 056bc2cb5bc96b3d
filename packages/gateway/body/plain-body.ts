import { GatewayError } from '@turnpike/protocol'

/**
 * Rejects compressed bodies: a few bytes may expand to any size.
 * @param encoding the header `Content-Encoding`
 * @throws {GatewayError} 415 (RFC 9110, section 15.5.16)
 */
export function requirePlainBody(encoding: string | undefined): void {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return
  throw new GatewayError('invalid_request_error', 'The body must be sent without a Content-Encoding.', {
    status: 415,
    param: 'content-encoding',
    headers: { 'accept-encoding': 'identity' },
  })
}
