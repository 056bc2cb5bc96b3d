import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, secondsUpTo, wholeNumber } from './schema-values.ts'

const most = 1_000_000

/** What one process takes on; `docs/operate.md` says what the defaults come from. */
export const overload = closed('What one process takes on at once; beyond it callers get 503 at once.', {
  max_requests: Type.Optional(
    wholeNumber(1, most, {
      default: defaults.overload.max_requests,
      description: 'Requests under way; a stream is one until it ends.',
    }),
  ),
  max_bodies_bytes: Type.Optional(
    wholeNumber(1024, Number.MAX_SAFE_INTEGER, {
      description:
        'What the bodies of requests under way hold in memory together. Default: an eighth of the memory ' +
        'that the process may use, and room for two bodies of `server.max_body_bytes` at least.',
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
      description: 'Connections to one address of a provider; a request or stream has one to itself.',
    }),
  ),
  max_upstream_waiting: Type.Optional(
    wholeNumber(0, most, {
      default: defaults.overload.max_upstream_waiting,
      description: 'Requests that wait for one of these connections.',
    }),
  ),
})
