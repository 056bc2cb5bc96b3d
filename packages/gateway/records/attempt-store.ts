import { reasonsToPassOver } from './request-record.ts'

/** How the attempts at an upstream ended in one way. */
export interface AttemptResult {
  /** `ok`, or why it failed, as in a request's attempts. */
  result: string
  attempts: number
  /** The newest of them. */
  lastRequestId: string
  lastAtMs: number
}

/** One upstream in a range of time. */
export interface UpstreamAttempts {
  provider: string
  /** Its name there. */
  model: string
  /** How often it was asked; calls whose caller left do not count. */
  attempts: number
  /** Of these, those without an answer, or with one that broke off, for whatever reason but the request. */
  failures: number
  /** Of these, what it refused for what the request says (400, 413, 422, …). */
  refusals: number
  /** How often it was its turn and it was not asked, as while it rests, or the caller left. */
  unjudged: number
  /** By how they ended, the most frequent first; all kinds. */
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

/**
 * How upstreams did, over all accounts: each attempt counts, also where another upstream answered in the end.
 * Hours are kept as long as those of health.
 */
export interface AttemptStore {
  /** The most failures first; of very many upstreams the first thousand. */
  upstreams(filter: AttemptFilter): Promise<UpstreamAttempts[]>
  /** In the order of time; those without any attempt are absent. */
  periods(filter: AttemptFilter, by: 'day' | 'hour'): Promise<AttemptPeriod[]>
  /** When this database began to count. Unix epoch milliseconds. */
  countedSinceMs(): Promise<number>
}

/**
 * What upstreams answer where the request itself is at fault: the next one would say the same, and nobody
 * rests for it. 401, 403 and 404 are about our credential and our model's name.
 */
const refusals = new Set(
  [400, 405, 406, 409, 410, 411, 413, 414, 415, 416, 422].map((one) => `status-${one}`),
)

/** Says nothing of the upstream: it was not asked, or its caller left. */
const unjudged = new Set<string>([...reasonsToPassOver, 'client-closed'])

export type AttemptKind = 'answered' | 'failed' | 'refused' | 'unjudged'

/** @param result of an attempt, as its request's row has it */
export function kindOfAttempt(result: string): AttemptKind {
  if (result === 'ok') return 'answered'
  if (unjudged.has(result)) return 'unjudged'
  return refusals.has(result) ? 'refused' : 'failed'
}
