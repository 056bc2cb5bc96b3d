import type { IncomingMessage } from 'node:http'

/**
 * Whether the sender keeps its body until it is asked for it (RFC 9110, section 10.1.1). Any other
 * expectation was refused before.
 */
export function expectsContinue({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor > 0
}
