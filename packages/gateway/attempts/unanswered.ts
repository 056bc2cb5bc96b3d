import { GatewayError } from '@turnpike/protocol'
import type { Candidate } from '../candidates/candidate.ts'
import type { RestReason } from '../candidates/health/upstream-health.ts'

/** A candidate that gave no answer, or was not called. */
export interface UnansweredCandidate {
  /** The candidate, if it was not called. */
  passedOver?: Candidate
  /** The result in the attempt's row. */
  reason: string
  error: GatewayError | undefined
  /** How long the candidate is unavailable, in milliseconds; 0 if it may be called now. */
  waitMs: number
  /** Why the candidate was already in cooldown. */
  restReason: RestReason | undefined
}

/** The Retry-After if no upstream names one. SDKs wait exactly that long. */
const usualWaitSeconds = 1

/**
 * The caller's error if no candidate answered. 429 if all are at their rate limits; otherwise the last error
 * that waiting may resolve; 503 if all are in cooldown. Retry-After is the time until the first candidate may
 * be called again.
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

/** A single request that exceeds a limit by itself will exceed it again. */
function mayRecover(one: UnansweredCandidate): boolean {
  const { error } = one
  return error?.retryable === true && error.reason !== 'request-too-large' && !lacksCredential(one)
}

/** Waiting alone does not help, but the request is not wrong either. */
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
  const reportedSeconds = error?.retryAfterSeconds
  if (reportedSeconds === undefined && waitMs === 0) return usualWaitSeconds
  // The difference of two clock readings may exceed the reported wait by a hair.
  return Math.max(1, reportedSeconds ?? 0, Math.ceil((waitMs - 0.01) / 1_000))
}

function rateLimitError(retryAfterSeconds: number): GatewayError {
  const message = `All upstreams of this model are rate limited. Retry in ${retryAfterSeconds} s.`
  return new GatewayError('rate_limit_error', message, { retryAfterSeconds })
}

function restingError(retryAfterSeconds: number): GatewayError {
  const message = `All upstreams of this model have failed recently. Retry in ${retryAfterSeconds} s.`
  return new GatewayError('service_unavailable', message, { retryAfterSeconds })
}
