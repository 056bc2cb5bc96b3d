import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpAnswer } from './http-answer.ts'
import { isBroken } from './network-failure.ts'
import type { Network } from './network.ts'
import type { HttpRequest } from './send.ts'

/** Before the second and the third attempt. */
const pausesMs = [300, 1_000]
/** If a server requests a longer pause, the user is told instead. */
const longestPauseMs = 5_000
/** Statuses after which another attempt may succeed. */
const passing = new Set([429, 502, 503, 504])

/** Sends a repeatable request; retries if the connection broke or the server is temporarily unable. */
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

/** @returns 0 if the header is absent */
function retryAfterMs(answer: HttpAnswer): number {
  const seconds = Number(answer.header('retry-after') ?? '0')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}
