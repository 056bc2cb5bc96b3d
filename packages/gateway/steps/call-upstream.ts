import { toGatewayError, type GatewayError } from '@turnpike/protocol'
import type { Answer } from '../answer/answer.ts'
import type { Candidate } from '../candidates.ts'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { attempt } from '../upstream/attempt.ts'

/**
 * Asks one candidate after the other, always with the original request, until an answer has begun; resolves
 * with its first token, or with the whole of a plain answer.
 * @throws {GatewayError} what the last candidate said, or the first about which another cannot help
 */
export async function callUpstream(request: Held, gateway: Gateway): Promise<Answer> {
  let failure: GatewayError | undefined
  for (const candidate of request.candidates) {
    turnTo(request, candidate)
    try {
      return await attempt(request, gateway)
    } catch (thrown) {
      failure = toGatewayError(thrown)
      if (!failure.retryable) break
    }
  }
  throw failure ?? new Error('a request without candidates')
}

function turnTo(request: Held, candidate: Candidate): void {
  Object.assign(request, candidate)
  const { record } = request
  record.provider = candidate.provider.name
  record.priceVersion = candidate.prices.version
  record.pricing = candidate.prices.pricing
}
