import {
  collectAnswer,
  headerText,
  withCredential,
  type UpstreamClient,
  type UpstreamRequest,
} from '@turnpike/gateway'
import type { ClockReading } from './finding.ts'

/** Short, because somebody waits at a terminal. */
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 15_000 }
/** A router's list of models has some hundred kilobytes. */
const maxBytes = 32 * 1024 * 1024

export interface ServiceAnswer {
  status: number
  body: string
  /** Undefined if the response has no date. */
  clock: ClockReading | undefined
}

/**
 * Requests an address from the configuration. Redirects are not followed, because a key may be in the
 * headers.
 * @param by the provider and its credential; absent: no credential is sent
 * @throws {Error} no response in time, or no credential
 */
export async function ask(
  client: UpstreamClient,
  address: string,
  headers: Record<string, string> = {},
  by?: Parameters<typeof withCredential>[1],
): Promise<ServiceAnswer> {
  const { origin, host, pathname, search } = new URL(address)
  const askedAtMs = Date.now()
  const sent = { accept: 'application/json', 'accept-encoding': 'identity', ...headers }
  const request: UpstreamRequest = {
    method: 'GET',
    origin,
    path: pathname + search,
    headers: sent,
    body: null,
    timeouts,
  }
  if (by !== undefined && (await withCredential(request, by)) === undefined)
    throw new Error('no credential is configured for it')
  const answer = await collectAnswer(client, request, maxBytes)
  const answeredAtMs = Date.now()
  const dateMs = Date.parse(headerText(answer.headers['date']) ?? '')
  // The header has whole seconds, so on average the time was half a second later.
  const aheadMs = (askedAtMs + answeredAtMs) / 2 - (dateMs + 500)
  const clock = Number.isNaN(dateMs) ? undefined : { of: host, aheadMs }
  return { status: answer.status, body: answer.body, clock }
}
