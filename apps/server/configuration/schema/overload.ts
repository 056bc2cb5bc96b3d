import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, secondsUpTo, wholeNumber } from './values.ts'

const most = 1_000_000

/** How much work one process accepts; docs/operate.md explains the defaults. */
export const overload = closed('Limits of what one process handles at once; beyond them callers get 503.', {
  max_requests: Type.Optional(
    wholeNumber(1, most, {
      default: defaults.overload.max_requests,
      description: 'Requests and streams in progress.',
    }),
  ),
  max_bodies_bytes: Type.Optional(
    wholeNumber(1024, Number.MAX_SAFE_INTEGER, {
      description:
        'Memory of the bodies of requests in progress. Default: an eighth of the memory that the ' +
        'process may use, at least two bodies of `server.max_body_bytes`.',
    }),
  ),
  max_event_loop_delay_seconds: Type.Optional(
    secondsUpTo(60, {
      default: defaults.overload.max_event_loop_delay_seconds,
      description: 'Requests are refused while every turn of the event loop takes longer than this.',
    }),
  ),
  max_upstream_connections: Type.Optional(
    wholeNumber(1, most, {
      default: defaults.overload.max_upstream_connections,
      description: 'Connections to one address of a provider; each request or stream uses one.',
    }),
  ),
  max_upstream_waiting: Type.Optional(
    wholeNumber(0, most, {
      default: defaults.overload.max_upstream_waiting,
      description: 'Requests waiting for one of these connections.',
    }),
  ),
})
