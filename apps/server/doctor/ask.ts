import { collected, headerText, type UpstreamClient } from '@turnpike/gateway'
import type { ClockReading } from './finding.ts'

/** Somebody who waits at a terminal waits no longer. */
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 15_000 }
/** A router's list of models is of some hundred kilobytes. */
const maxBytes = 32 * 1024 * 1024

export interface Told {
  status: number
  body: string
  /** Undefined where the answer has no date. */
  clock: ClockReading | undefined
}

/**
 * What is at an address of the configuration. Redirects are not followed: a key may be in the headers.
 * @throws {Error} nobody answered in time
 */
export async function ask(
  client: UpstreamClient,
  address: string,
  headers: Record<string, string> = {},
): Promise<Told> {
  const { origin, host, pathname, search } = new URL(address)
  const askedAtMs = Date.now()
  const said = { accept: 'application/json', 'accept-encoding': 'identity', ...headers }
  const request = {
    method: 'GET',
    origin,
    path: pathname + search,
    headers: said,
    body: null,
    timeouts,
  } as const
  const answer = await collected(client, request, maxBytes)
  const answeredAtMs = Date.now()
  const dateMs = Date.parse(headerText(answer.headers['date']) ?? '')
  // The header is in whole seconds: half of one is the best guess.
  const aheadMs = (askedAtMs + answeredAtMs) / 2 - (dateMs + 500)
  const clock = Number.isNaN(dateMs) ? undefined : { of: host, aheadMs }
  return { status: answer.status, body: answer.body, clock }
}
