import { reasonsToPassOver } from './request-record.ts'

/** Attempts at an upstream that ended in the same way. */
export interface AttemptResult {
  /** `ok`, or why it failed, as in a request's attempts. */
  result: string
  attempts: number
  /** The newest of these requests. */
  lastRequestId: string
  lastAtMs: number
}

/** One upstream in a range of time. */
export interface UpstreamAttempts {
  provider: string
  /** The model's name at the provider. */
  model: string
  /** How often it was called. Calls whose client left do not count. */
  attempts: number
  /** How many of them failed or broke off, for any reason but the request itself. */
  failures: number
  /** How many of them it rejected because of the request (400, 413, 422, …). */
  refusals: number
  /** How often it was passed over, as in a cooldown, or the client left. */
  unjudged: number
  /** All endings, the most frequent first. */
  results: AttemptResult[]
}

/** A day or hour of all upstreams that match. */
export interface AttemptPeriod {
  /** A day is `2026-03-15`, an hour `2026-03-15T07:00Z`. */
  period: string
  attempts: number
  failures: number
}

export interface AttemptFilter {
  /** Unix epoch milliseconds, inclusive; the beginning of a UTC hour. */
  fromMs: number
  /** Exclusive. */
  toMs: number
  provider?: string
  model?: string
}

/** Attempts of all accounts at upstreams, even if another answered. Hours are kept as long as health's. */
export interface AttemptStore {
  /** The most failures first; at most a thousand upstreams. */
  upstreams(filter: AttemptFilter): Promise<UpstreamAttempts[]>
  /** In the order of time, without periods that have no attempts. */
  periods(filter: AttemptFilter, by: 'day' | 'hour'): Promise<AttemptPeriod[]>
  /** When this database began to count. Unix epoch milliseconds. */
  countedSinceMs(): Promise<number>
}

/**
 * Statuses for which the request itself is at fault: the next upstream would say the same, and none goes into
 * cooldown. 401, 403 and 404 concern our credential and our model's name.
 */
const refusals = new Set(
  [400, 405, 406, 409, 410, 411, 413, 414, 415, 416, 422].map((one) => `status-${one}`),
)

/** Says nothing about the upstream: it was not called, or the client left. */
const unjudged = new Set<string>([...reasonsToPassOver, 'client-closed'])

export type AttemptKind = 'answered' | 'failed' | 'refused' | 'unjudged'

/** @param result of an attempt, as in its request's row */
export function kindOfAttempt(result: string): AttemptKind {
  if (result === 'ok') return 'answered'
  if (unjudged.has(result)) return 'unjudged'
  return refusals.has(result) ? 'refused' : 'failed'
}
