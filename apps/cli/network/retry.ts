import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpAnswer } from './http-answer.ts'
import { isBroken } from './network-failure.ts'
import type { Network } from './network.ts'
import type { HttpRequest } from './send.ts'

/** Before the second and the third attempt. */
const pausesMs = [300, 1_000]
/** A server that asks for a longer pause is told of to the user instead. */
const longestPauseMs = 5_000
/** Answers that another attempt may turn out differently from. */
const passing = new Set([429, 502, 503, 504])

/**
 * Sends a request that does no harm when it is sent twice: again where the connection broke, and where the
 * server
 * says that it could not answer just now.
 */
export async function sendRepeatedly(
  network: Network,
  request: HttpRequest,
  pauses: readonly number[] = pausesMs,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt++) {
    const pauseMs = pauses[attempt]
    const answer = await network.send(request).catch((error: unknown) => {
      if (pauseMs === undefined || !isBroken(error)) throw error
      return undefined
    })
    if (answer !== undefined && (pauseMs === undefined || !passing.has(answer.status))) return answer
    const askedForMs = answer === undefined ? 0 : retryAfterMs(answer)
    if (answer !== undefined && askedForMs > longestPauseMs) return answer
    answer?.discard()
    await sleep(Math.max(pauseMs!, askedForMs), undefined, { signal: network.signal })
  }
}

/** @returns 0 where nothing is said */
function retryAfterMs(answer: HttpAnswer): number {
  const seconds = Number(answer.header('retry-after') ?? '0')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}
