import type { Gateway } from '../context/gateway.ts'
import type { Authenticated } from '../context/stages.ts'

/**
 * Checks the key's burst limit before the body is read, so a rejected request costs next to nothing.
 * @throws {GatewayError} 429
 */
export function limitRate(request: Authenticated, { limiter }: Gateway): void {
  const refusal = limiter.refusalOfKey(request.key)
  if (refusal === undefined) return
  if (!refusal.recorded) request.unrecorded = true
  throw refusal.error
}
