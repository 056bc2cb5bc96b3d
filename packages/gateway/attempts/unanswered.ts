import { GatewayError } from '@turnpike/protocol'
import type { Candidate } from '../candidates/candidate.ts'
import type { RestReason } from '../candidates/health/upstream-health.ts'

/** A candidate that gave no answer, or was not asked. */
export interface UnansweredCandidate {
  /** Who it was, where it was not asked. */
  passedOver?: Candidate
  /** As in the row of the attempt. */
  reason: string
  error: GatewayError | undefined
  /** For how long it is not asked; 0: it may be asked now. */
  waitMs: number
  /** Of one that rested already: why. */
  restReason: RestReason | undefined
}

/** How soon to come back where nobody says it: SDKs wait for as long as they are told. */
const usualWaitSeconds = 1

/**
 * What a caller is told where nobody answered: 429 where all are at their rate limits, else what the last one
 * said that waiting may help with; 503 where all rest. The wait is the one until the first of them may be
 * asked again.
 */
export function toUnansweredError(all: readonly UnansweredCandidate[]): GatewayError {
  const hopeful = all.filter((one) => one.reason === 'resting' || mayRecover(one))
  if (hopeful.length === 0)
    return lastErrorOf(all.filter(lacksCredential)) ?? lastErrorOf(all) ?? restingError(usualWaitSeconds)
  const retryAfterSeconds = Math.min(...hopeful.map(waitSeconds))
  if (hopeful.every(isRateLimited))
    return lastErrorOf(hopeful)?.with({ retryAfterSeconds }) ?? rateLimitError(retryAfterSeconds)
  const last = lastErrorOf(hopeful.filter((one) => !isRateLimited(one)))
  if (last === undefined) return restingError(retryAfterSeconds)
  return last.type === 'service_unavailable' ? last.with({ retryAfterSeconds }) : last
}

/** One request that is beyond a limit by itself will be so again. */
function mayRecover(one: UnansweredCandidate): boolean {
  const { error } = one
  return error?.retryable === true && error.reason !== 'request-too-large' && !lacksCredential(one)
}

/** Waiting alone does not help, but what the request says is not wrong either. */
function lacksCredential({ reason }: UnansweredCandidate): boolean {
  return reason === 'no-credential'
}

function lastErrorOf(all: readonly UnansweredCandidate[]): GatewayError | undefined {
  return all.findLast(({ error }) => error !== undefined)?.error
}

function isRateLimited({ error, restReason }: UnansweredCandidate): boolean {
  return error === undefined ? restReason === 'rate-limited' : error.type === 'rate_limit_error'
}

function waitSeconds({ error, waitMs }: UnansweredCandidate): number {
  const toldSeconds = error?.retryAfterSeconds
  if (toldSeconds === undefined && waitMs === 0) return usualWaitSeconds
  // The difference of two times may be a hair above what was told.
  return Math.max(1, toldSeconds ?? 0, Math.ceil((waitMs - 0.01) / 1_000))
}

function rateLimitError(retryAfterSeconds: number): GatewayError {
  const message = `All upstreams of this model are rate limited. Retry in ${retryAfterSeconds} s.`
  return new GatewayError('rate_limit_error', message, { retryAfterSeconds })
}

function restingError(retryAfterSeconds: number): GatewayError {
  const message = `All upstreams of this model have failed recently. Retry in ${retryAfterSeconds} s.`
  return new GatewayError('service_unavailable', message, { retryAfterSeconds })
}
