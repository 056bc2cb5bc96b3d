import { GatewayError, type ErrorType } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { toUnansweredError, type UnansweredCandidate } from './unanswered.ts'

const failed = (type: ErrorType, retryAfterSeconds?: number, waitMs = 0): UnansweredCandidate => ({
  reason: 'status',
  error: new GatewayError(type, type, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  waitMs,
  restReason: undefined,
})
const resting = (restReason: 'rate-limited' | 'failing', waitMs: number): UnansweredCandidate => ({
  reason: 'resting',
  error: undefined,
  waitMs,
  restReason,
})
const passedOver: UnansweredCandidate = {
  reason: 'unsupported',
  error: undefined,
  waitMs: 0,
  restReason: undefined,
}
const unproven: UnansweredCandidate = { ...failed('upstream_error'), reason: 'no-credential' }

describe('the error if no candidate answered is', () => {
  it.each<[string, UnansweredCandidate[], number, number | undefined]>([
    ['a 429 with the wait of the only limit', [failed('rate_limit_error', 7)], 429, 7],
    [
      'a 429 with the smallest wait of two limits',
      [failed('rate_limit_error', 9), resting('rate-limited', 2_100)],
      429,
      3,
    ],
    [
      'a 429 if all limits are in cooldown',
      [resting('rate-limited', 61_000), resting('rate-limited', 500)],
      429,
      1,
    ],
    ['a 429 with the default wait if no limit names one', [failed('rate_limit_error')], 429, 1],
    ['a 429 with the wait of our own cooldown', [failed('rate_limit_error', undefined, 1_500)], 429, 2],
    ['a 503 if all are in cooldown', [resting('failing', 900), resting('rate-limited', 5_000)], 503, 1],
    [
      'the failure rather than a limit',
      [failed('upstream_error'), failed('rate_limit_error', 3)],
      502,
      undefined,
    ],
    ['the last failure', [failed('upstream_error'), failed('upstream_timeout')], 504, undefined],
    ['a 503 with the smallest wait', [failed('service_unavailable', 40), resting('failing', 3_000)], 503, 3],
    ['the limit, although another was passed over', [passedOver, failed('rate_limit_error', 4)], 429, 4],
    [
      'the limit, although another context is too short',
      [failed('rate_limit_error', 4), failed('invalid_request_error')],
      429,
      4,
    ],
    ['the missing credential', [passedOver, unproven, failed('invalid_request_error')], 502, undefined],
    ['the limit, although another lacks a credential', [failed('rate_limit_error', 4), unproven], 429, 4],
    ['that no context is long enough', [failed('invalid_request_error'), passedOver], 400, undefined],
  ])('%s', (_what, all, status, retryAfterSeconds) => {
    expect(toUnansweredError(all)).toMatchObject({ status, retryAfterSeconds })
  })
})
