import { GatewayError } from '@turnpike/protocol'

/** A sender that is slower than this on average, apart from its first seconds, is refused. */
const leastBytesPerSecond = 64_000

/** How long a body may take in total, given how many of its bytes have arrived. */
export function bodyDeadlineMs(bodyMs: number, bytes: number): number {
  return bodyMs + (bytes / leastBytesPerSecond) * 1_000
}

export function tooSlow(): GatewayError {
  const message = `The body is too slow: expected at least ${leastBytesPerSecond / 1_000} kB per second.`
  return new GatewayError('invalid_request_error', message, { status: 408, headers: { connection: 'close' } })
}
