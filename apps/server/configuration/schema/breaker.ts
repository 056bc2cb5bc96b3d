import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, secondsUpTo, wholeNumber } from './values.ts'

const day = 86_400
const { failures, rest_seconds, longest_rest_seconds, probes } = defaults.routing.breaker

/** When an upstream is put in cooldown; docs/fallback.md has the rules. */
export const breaker = closed('Circuit breaker: when to stop asking a failing upstream (per key).', {
  enabled: Type.Optional(
    Type.Boolean({
      default: defaults.routing.breaker.enabled,
      description: '`false` disables it. The sandbox has none.',
    }),
  ),
  failures: Type.Optional(
    wholeNumber(1, 1_000, {
      default: failures,
      description:
        'Consecutive failures (5xx, no connection, timeout, unusable or broken answer) after which ' +
        'it opens. A rate limit or a refused key opens it at once.',
    }),
  ),
  rest_seconds: Type.Optional(
    secondsUpTo(3_600, {
      default: rest_seconds,
      description: 'First pause, if the vendor names none; doubles each time, up to a minute.',
    }),
  ),
  longest_rest_seconds: Type.Optional(
    secondsUpTo(day, {
      default: longest_rest_seconds,
      description: "Longest pause, even if a vendor's Retry-After asks for more.",
    }),
  ),
  probes: Type.Optional(
    wholeNumber(1, 1_000, {
      default: probes,
      description: 'Number of concurrent requests that test the upstream after a pause.',
    }),
  ),
})
