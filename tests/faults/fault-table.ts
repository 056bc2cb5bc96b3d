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

const badGateway = { status: 502, type: 'upstream_error' }
const unavailable = { status: 503, type: 'service_unavailable', retryAfter: '1' }
const timeout = { status: 504, type: 'upstream_timeout' }

/** A JSON value that ends in its middle, as a body or as an event. */
const halfJson: Misbehaviour = (answer, request) => {
  const streamed = request.body.includes('"stream":true')
  const body = '{"id":"x","choi'
  return streamed
    ? refusal(200, `data: ${body}\n\n`, { 'content-type': 'text/event-stream' })(answer, request)
    : refusal(200, body, { 'content-type': 'application/json' })(answer, request)
}

type Row = [name: string, misbehaviour: Misbehaviour | undefined, alone: Fault['alone'], result: string]

const rows: Row[] = [
  [
    '429',
    refusal(429, { error: { message: 'Slow down.' } }, { 'retry-after': '7' }),
    { status: 429, type: 'rate_limit_error', retryAfter: '7' },
    'status-429',
  ],
  ['insufficient quota', openaiError(429, 'insufficient_quota'), unavailable, 'status-429'],
  ['402', openaiError(402, null, 'Insufficient Balance'), unavailable, 'status-402'],
  ['401', openaiError(401, 'invalid_api_key'), badGateway, 'status-401'],
  ['403', openaiError(403, null), badGateway, 'status-403'],
  ['404', openaiError(404, 'model_not_found'), { status: 404, type: 'not_found_error' }, 'status-404'],
  [
    '529',
    refusal(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    unavailable,
    'status-529',
  ],
  ['500', openaiError(500, null), badGateway, 'status-500'],
  ['503', refusal(503, html, { 'content-type': 'text/html' }), unavailable, 'status-503'],
  ['refused', undefined, unavailable, 'connect-failed'],
  ['reset before the head', beforeHead('reset'), badGateway, 'connection-lost'],
  ['reset after the head', after(0, 'reset'), badGateway, 'connection-lost'],
  ['hang', beforeHead('hang'), timeout, 'first-byte-timeout'],
  ['hang after the head', after(0, 'hang'), timeout, 'idle-timeout'],
  ['slow', late(150), { status: 200, type: '' }, 'ok'],
  ['malformed JSON', halfJson, badGateway, 'unusable-answer'],
  ['wrong content type', refusal(200, html, { 'content-type': 'text/html' }), badGateway, 'unusable-answer'],
  ['another JSON', refusal(200, { hello: 'world' }), badGateway, 'unusable-answer'],
  ['empty body', refusal(200, ''), badGateway, 'unusable-answer'],
  ['cut', after(someBytes, 'reset'), badGateway, 'connection-lost'],
  ['cut halfway', halfway('reset'), badGateway, 'connection-lost'],
  ['halfway silent', halfway('hang'), timeout, 'idle-timeout'],
  ['ended early', after(someBytes, 'end'), badGateway, 'unusable-answer'],
]
const plainOnly: ReadonlySet<string> = new Set(['cut halfway', 'halfway silent'])

/** All faults before a first token. `slow` is not one, since it is an answer. */
export const faults: readonly Fault[] = rows.map(([name, misbehaviour, alone, result]) => ({
  name,
  ...(misbehaviour && { misbehaviour }),
  alone,
  result,
  ...(plainOnly.has(name) && { plainOnly: true }),
}))
