import type { IncomingMessage } from 'node:http'

/**
 * Whether the sender waits for 100 Continue before it sends the body (RFC 9110, section 10.1.1). Any other
 * expectation was already refused.
 */
export function expectsContinue({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor > 0
}
