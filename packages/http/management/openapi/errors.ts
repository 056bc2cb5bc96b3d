import { Type } from 'typebox'
import type { DocumentedResponse, Header, Reference } from './document-types.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'insufficient_quota',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'upstream_error',
  'service_unavailable',
  'upstream_timeout',
]

const requestId = {
  type: 'string',
  pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$',
  description: 'As in the header `x-request-id`.',
}

/** The envelope of every error (docs/contract.md, 2). */
export const errorSchema = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'For people. The wording may change.' }),
      type: Type.Enum(errorTypes),
      code: Type.Integer({ description: 'The HTTP status.' }),
      param: Type.Union([Type.String(), Type.Null()], {
        description:
          'Path of the invalid field, such as `messages[3].content`; null if no field is at fault.',
      }),
      request_id: Type.Unsafe<string>(requestId),
      metadata: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'Machine-readable details, if any. For a 402: `reason` (`credit`, ' +
              '`key_limit`, `budget`), `needed_usd`, `balance_usd`, the `limit` or the `budget`; the ' +
              '`key_id` to top up and a `richer_key_id` that has enough, if any; and if the key may top up ' +
              '`checkout_url` and `poll_url`.',
          },
        ),
      ),
    }),
  },
  { title: 'Error', description: 'Every error of the API.' },
)

interface DescribedError {
  /** Name of the component. */
  name: string
  type: string
  description: string
  message: string
  param?: string
  headers?: Record<string, Reference>
}

const header = (name: string): Reference => ({ $ref: `#/components/headers/${name}` })

const waits = { 'retry-after': header('RetryAfter'), 'retry-after-ms': header('RetryAfterMs') }

/** The errors of each status, on all endpoints. */
const errors: Readonly<Record<string, DescribedError>> = {
  400: {
    name: 'BadRequest',
    type: 'invalid_request_error',
    description:
      'Malformed JSON, an unknown or invalid field, or an amount or range out of bounds. `param` names it.',
    message: '`name`: expected a text of 1 to 100 characters.',
    param: 'name',
  },
  401: {
    name: 'Unauthorized',
    type: 'authentication_error',
    description: 'The credential is missing, malformed, invalid, revoked or expired.',
    message: 'The API key was revoked.',
    headers: { 'www-authenticate': header('WwwAuthenticate') },
  },
  402: {
    name: 'InsufficientQuota',
    type: 'insufficient_quota',
    description: 'Not enough credit. A top-up helps, a retry does not.',
    message:
      "The key's credit of 0.0001 USD does not cover this request, which may cost up to 0.00822 USD. " +
      'Top up the account (POST /api/v1/topup), or lower `max_completion_tokens`.',
  },
  403: {
    name: 'Forbidden',
    type: 'permission_error',
    description:
      'The account is suspended or closed, the model is not allowed for the key, or an operator’s token ' +
      'was used for something that requires the internal secret.',
    message: 'The account is suspended.',
  },
  404: {
    name: 'NotFound',
    type: 'not_found_error',
    description: 'Not found, or owned by another account.',
    message: 'Key not found.',
  },
  408: {
    name: 'RequestTimeout',
    type: 'invalid_request_error',
    description: 'The request did not arrive in time.',
    message: 'The request did not arrive in time.',
  },
  409: {
    name: 'Conflict',
    type: 'conflict_error',
    description:
      'The `Idempotency-Key` was used with another body, or its request is still in progress. Then ' +
      '`Retry-After` says when to retry.',
    message: 'This `Idempotency-Key` was already used with another body.',
    param: 'Idempotency-Key',
    headers: { 'retry-after': header('RetryAfterIfRunning') },
  },
  413: {
    name: 'TooLarge',
    type: 'request_too_large',
    description: 'The body is larger than the path accepts.',
    message: 'The body is larger than this path accepts.',
  },
  415: {
    name: 'UnsupportedMediaType',
    type: 'invalid_request_error',
    description: 'The body is not JSON.',
    message: 'The body must be JSON, sent with `content-type: application/json`.',
  },
  421: {
    name: 'MisdirectedRequest',
    type: 'invalid_request_error',
    description: 'The `Host` is not allowed by this gateway (`server.allowed_hosts`).',
    message: '`Host`: this gateway is not known as "example.net".',
    param: 'host',
  },
  429: {
    name: 'RateLimited',
    type: 'rate_limit_error',
    description:
      'A rate limit was reached, credit is held by the key’s other requests, or all upstreams ' +
      'returned 429. Wait for `Retry-After` seconds.',
    message: 'Rate limit reached: an API key may make 10 requests a second. Retry in 1 second.',
    headers: { ...waits, ...rateLimitHeaders },
  },
  '4XX': {
    name: 'UpstreamRefusal',
    type: 'invalid_request_error',
    description: 'The upstream refused the request itself: its own status and message, in our envelope.',
    message: 'This model’s maximum context length is 400000 tokens.',
    param: 'messages',
  },
  500: {
    name: 'ServerError',
    type: 'api_error',
    description: 'An error on our side. Report it with the `request_id`.',
    message: 'The gateway failed to handle this request. It is our fault; please retry.',
  },
  502: {
    name: 'UpstreamError',
    type: 'upstream_error',
    description:
      'A service that the gateway depends on returned an unusable response, or rejected its credential.',
    message: 'The upstream answered something that cannot be used.',
  },
  503: {
    name: 'Unavailable',
    type: 'service_unavailable',
    description: 'Starting, stopping, or no database or upstream available. Wait for `Retry-After` seconds.',
    message: 'This node is stopping; please retry.',
    headers: waits,
  },
  504: {
    name: 'UpstreamTimeout',
    type: 'upstream_timeout',
    description: 'The upstream did not send its first byte in time.',
    message: 'The upstream did not answer in time.',
  },
}

/** A reference to the described error; `4XX` is any other client error. */
export function errorResponse(status: number | '4XX'): Reference {
  const described = errors[status]
  if (described === undefined) throw new Error(`there is no description of status ${status}`)
  return { $ref: `#/components/responses/${described.name}` }
}

export function errorResponses(): Record<string, DocumentedResponse> {
  return Object.fromEntries(
    Object.entries(errors).map(([status, error]) => [error.name, response(status, error)]),
  )
}

function response(
  status: string,
  { type, description, message, param, headers }: DescribedError,
): DocumentedResponse {
  const code = status === '4XX' ? 422 : Number(status)
  const error = { message, type, code, param: param ?? null, request_id: exampleRequestId }
  return {
    description,
    headers: { 'x-request-id': header('RequestId'), ...headers },
    content: { 'application/json': { schema: { ...errorSchema }, example: { error } } },
  }
}

const exampleRequestId = 'req_01jngz4d7f9h1k3m5n8p2q6rtv'

/** For some headers, milliseconds. */
const seconds = { type: 'integer', minimum: 1 }

/** Response headers, by the name of their component. */
export const answerHeaders: Record<string, Header> = {
  RequestId: {
    description: 'Identifies this request in logs and support questions.',
    required: true,
    schema: requestId,
  },
  RetryAfter: { description: 'Seconds to wait before retrying.', required: true, schema: seconds },
  RetryAfterMs: {
    description:
      'The same in milliseconds, preferred by OpenAI’s and Anthropic’s SDKs. Requests over a key’s burst ' +
      'limit each get a separate time.',
    required: true,
    schema: seconds,
  },
  RetryAfterIfRunning: {
    description: 'Seconds to wait, if the first request is still in progress.',
    schema: seconds,
  },
  WwwAuthenticate: {
    description: '`Bearer`, with the reason, if a user token is required (RFC 6750).',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: '`true` if this is the stored response to the first request with this `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  EntityTag: {
    description: 'Entity tag of this response; send it as `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
}
