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

describe('the error after no candidate answered', () => {
  it.each<[string, UnansweredCandidate[], number, number | undefined]>([
    ['one limit', [failed('rate_limit_error', 7)], 429, 7],
    ['the smallest of two limits', [failed('rate_limit_error', 9), resting('rate-limited', 2_100)], 429, 3],
    ['limits all of which rest', [resting('rate-limited', 61_000), resting('rate-limited', 500)], 429, 1],
    ['a limit of which nobody says how long', [failed('rate_limit_error')], 429, 1],
    ['what rests of itself', [failed('rate_limit_error', undefined, 1_500)], 429, 2],
    ['that all rest', [resting('failing', 900), resting('rate-limited', 5_000)], 503, 1],
    ['the failure beside a limit', [failed('upstream_error'), failed('rate_limit_error', 3)], 502, undefined],
    ['the last failure', [failed('upstream_error'), failed('upstream_timeout')], 504, undefined],
    ['when to come back', [failed('service_unavailable', 40), resting('failing', 3_000)], 503, 3],
    ['the limit, whoever was passed over', [passedOver, failed('rate_limit_error', 4)], 429, 4],
    [
      'the limit, whoever is too short',
      [failed('rate_limit_error', 4), failed('invalid_request_error')],
      429,
      4,
    ],
    ['that there is no credential', [passedOver, unproven, failed('invalid_request_error')], 502, undefined],
    ['the limit, though another one lacks a credential', [failed('rate_limit_error', 4), unproven], 429, 4],
    ['that no model is long enough', [failed('invalid_request_error'), passedOver], 400, undefined],
  ])('%s', (_what, all, status, retryAfterSeconds) => {
    expect(toUnansweredError(all)).toMatchObject({ status, retryAfterSeconds })
  })
})
