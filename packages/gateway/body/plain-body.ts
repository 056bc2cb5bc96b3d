import { GatewayError } from '@turnpike/protocol'

/**
 * Bodies are taken as they are, never unpacked: a few bytes may unpack to any number.
 * @param encoding the header `Content-Encoding`
 * @throws {GatewayError} 415 which says so (RFC 9110, section 15.5.16)
 */
export function requirePlainBody(encoding: string | undefined): void {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return
  throw new GatewayError('invalid_request_error', 'The body must be sent without a Content-Encoding.', {
    status: 415,
    param: 'content-encoding',
    headers: { 'accept-encoding': 'identity' },
  })
}
