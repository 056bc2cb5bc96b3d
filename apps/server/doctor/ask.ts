import {
  collectAnswer,
  headerText,
  withCredential,
  type UpstreamClient,
  type UpstreamRequest,
} from '@turnpike/gateway'
import type { ClockReading } from './finding.ts'

/** Somebody who waits at a terminal waits no longer. */
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 15_000 }
/** A router's list of models is of some hundred kilobytes. */
const maxBytes = 32 * 1024 * 1024

export interface ServiceAnswer {
  status: number
  body: string
  /** Undefined where the answer has no date. */
  clock: ClockReading | undefined
}

/**
 * What is at an address of the configuration. Redirects are not followed: a key may be in the headers.
 * @param by whose provider it is, and what it is called with; absent: with nothing
 * @throws {Error} nobody answered in time, or there is nothing to call with
 */
export async function ask(
  client: UpstreamClient,
  address: string,
  headers: Record<string, string> = {},
  by?: Parameters<typeof withCredential>[1],
): Promise<ServiceAnswer> {
  const { origin, host, pathname, search } = new URL(address)
  const askedAtMs = Date.now()
  const said = { accept: 'application/json', 'accept-encoding': 'identity', ...headers }
  const request: UpstreamRequest = {
    method: 'GET',
    origin,
    path: pathname + search,
    headers: said,
    body: null,
    timeouts,
  }
  if (by !== undefined && (await withCredential(request, by)) === undefined)
    throw new Error('no credential is configured for it')
  const answer = await collectAnswer(client, request, maxBytes)
  const answeredAtMs = Date.now()
  const dateMs = Date.parse(headerText(answer.headers['date']) ?? '')
  // The header is in whole seconds: half of one is the best guess.
  const aheadMs = (askedAtMs + answeredAtMs) / 2 - (dateMs + 500)
  const clock = Number.isNaN(dateMs) ? undefined : { of: host, aheadMs }
  return { status: answer.status, body: answer.body, clock }
}
