import { after, beforeHead, halfway, late, openaiError, refusal, type Misbehaviour } from './faulty-vendor.ts'

export interface Fault {
  name: string
  /** Absent: no server listens there. */
  misbehaviour?: Misbehaviour
  /** What a caller gets if there is no other candidate, and the name of the attempt's failure in the row. */
  alone: { status: number; type: string; retryAfter?: string }
  result: string
  /** A stream would have sent a token by then, after which no other candidate is tried. */
  plainOnly?: true
}

const html = '<html><body><h1>Welcome to the captive portal</h1></body></html>'

/** Shorter than the first event of a stream, which has a role but no token. */
const someBytes = 40

/** All faults before a first token. `slow` is not one, since it is an answer. */
export const faults: readonly Fault[] = [
  {
    name: '429',
    misbehaviour: refusal(429, { error: { message: 'Slow down.' } }, { 'retry-after': '7' }),
    alone: { status: 429, type: 'rate_limit_error', retryAfter: '7' },
    result: 'status-429',
  },
  {
    name: 'insufficient quota',
    misbehaviour: openaiError(429, 'insufficient_quota'),
    alone: { status: 503, type: 'service_unavailable', retryAfter: '1' },
    result: 'status-429',
  },
  {
    name: '402',
    misbehaviour: openaiError(402, null, 'Insufficient Balance'),
    alone: { status: 503, type: 'service_unavailable', retryAfter: '1' },
    result: 'status-402',
  },
  {
    name: '401',
    misbehaviour: openaiError(401, 'invalid_api_key'),
    alone: { status: 502, type: 'upstream_error' },
    result: 'status-401',
  },
  {
    name: '403',
    misbehaviour: openaiError(403, null),
    alone: { status: 502, type: 'upstream_error' },
    result: 'status-403',
  },
  {
    name: '404',
    misbehaviour: openaiError(404, 'model_not_found'),
    alone: { status: 404, type: 'not_found_error' },
    result: 'status-404',
  },
  {
    name: '529',
    misbehaviour: refusal(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    alone: { status: 503, type: 'service_unavailable', retryAfter: '1' },
    result: 'status-529',
  },
  {
    name: '500',
    misbehaviour: openaiError(500, null),
    alone: { status: 502, type: 'upstream_error' },
    result: 'status-500',
  },
  {
    name: '503',
    misbehaviour: refusal(503, html, { 'content-type': 'text/html' }),
    alone: { status: 503, type: 'service_unavailable', retryAfter: '1' },
    result: 'status-503',
  },
  {
    name: 'refused',
    alone: { status: 503, type: 'service_unavailable', retryAfter: '1' },
    result: 'connect-failed',
  },
  {
    name: 'reset before the head',
    misbehaviour: beforeHead('reset'),
    alone: { status: 502, type: 'upstream_error' },
    result: 'connection-lost',
  },
  {
    name: 'reset after the head',
    misbehaviour: after(0, 'reset'),
    alone: { status: 502, type: 'upstream_error' },
    result: 'connection-lost',
  },
  {
    name: 'hang',
    misbehaviour: beforeHead('hang'),
    alone: { status: 504, type: 'upstream_timeout' },
    result: 'first-byte-timeout',
  },
  {
    name: 'hang after the head',
    misbehaviour: after(0, 'hang'),
    alone: { status: 504, type: 'upstream_timeout' },
    result: 'idle-timeout',
  },
  {
    name: 'slow',
    misbehaviour: late(150),
    alone: { status: 200, type: '' },
    result: 'ok',
  },
  {
    name: 'malformed JSON',
    misbehaviour: (answer, request) => {
      const streamed = request.body.includes('"stream":true')
      const type = streamed ? 'text/event-stream' : 'application/json'
      return refusal(200, streamed ? 'data: {"id":"x","choi\n\n' : '{"id":"x","choi', {
        'content-type': type,
      })(answer, request)
    },
    alone: { status: 502, type: 'upstream_error' },
    result: 'unusable-answer',
  },
  {
    name: 'wrong content type',
    misbehaviour: refusal(200, html, { 'content-type': 'text/html' }),
    alone: { status: 502, type: 'upstream_error' },
    result: 'unusable-answer',
  },
  {
    name: 'another JSON',
    misbehaviour: refusal(200, { hello: 'world' }),
    alone: { status: 502, type: 'upstream_error' },
    result: 'unusable-answer',
  },
  {
    name: 'empty body',
    misbehaviour: refusal(200, ''),
    alone: { status: 502, type: 'upstream_error' },
    result: 'unusable-answer',
  },
  {
    name: 'cut',
    misbehaviour: after(someBytes, 'reset'),
    alone: { status: 502, type: 'upstream_error' },
    result: 'connection-lost',
  },
  {
    name: 'cut halfway',
    misbehaviour: halfway('reset'),
    alone: { status: 502, type: 'upstream_error' },
    result: 'connection-lost',
    plainOnly: true,
  },
  {
    name: 'halfway silent',
    misbehaviour: halfway('hang'),
    alone: { status: 504, type: 'upstream_timeout' },
    result: 'idle-timeout',
    plainOnly: true,
  },
  {
    name: 'ended early',
    misbehaviour: after(someBytes, 'end'),
    alone: { status: 502, type: 'upstream_error' },
    result: 'unusable-answer',
  },
]
