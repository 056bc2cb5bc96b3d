import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, secondsUpTo, wholeNumber } from './schema-values.ts'

const day = 86_400
const { failures, rest_seconds, longest_rest_seconds, probes } = defaults.routing.breaker

/** When an upstream is left in peace; `docs/fallback.md` tells the whole of it. */
export const breaker = closed('When an upstream that fails is left in peace, with the key it was asked by.', {
  enabled: Type.Optional(
    Type.Boolean({
      default: defaults.routing.breaker.enabled,
      description: '`false`: each request asks each upstream anew. The sandbox never rests.',
    }),
  ),
  failures: Type.Optional(
    wholeNumber(1, 1_000, {
      default: failures,
      description:
        'Failures in a row (5xx, no connection, time-out, unusable or broken answer) after which it rests. ' +
        'A rate limit or a refused key rests it at once.',
    }),
  ),
  rest_seconds: Type.Optional(
    secondsUpTo(3_600, {
      default: rest_seconds,
      description:
        'The first rest, where the vendor does not say how long; each further one in a row is twice as ' +
        'long, up to a minute.',
    }),
  ),
  longest_rest_seconds: Type.Optional(
    secondsUpTo(day, {
      default: longest_rest_seconds,
      description: "The longest rest, also where a vendor's Retry-After asks for more.",
    }),
  ),
  probes: Type.Optional(
    wholeNumber(1, 1_000, {
      default: probes,
      description: 'How many requests at a time may try after a rest whether it works again.',
    }),
  ),
})
