/**
 * The gateway's only error type. Every API formats it in its own envelope. Any other thrown value is a bug of
 * ours, and becomes an `api_error` whose message contains nothing internal.
 */

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'insufficient_quota'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'client_closed_request'
  | 'api_error'
  | 'upstream_error'
  | 'service_unavailable'
  | 'upstream_timeout'

/** The default status of each error type, and whether another attempt may help. */
const errorTable: Record<ErrorType, { status: number; retryable: boolean }> = {
  invalid_request_error: { status: 400, retryable: false },
  authentication_error: { status: 401, retryable: false },
  insufficient_quota: { status: 402, retryable: false },
  permission_error: { status: 403, retryable: false },
  not_found_error: { status: 404, retryable: false },
  conflict_error: { status: 409, retryable: false },
  request_too_large: { status: 413, retryable: false },
  rate_limit_error: { status: 429, retryable: true },
  client_closed_request: { status: 499, retryable: false },
  api_error: { status: 500, retryable: false },
  upstream_error: { status: 502, retryable: true },
  service_unavailable: { status: 503, retryable: true },
  upstream_timeout: { status: 504, retryable: true },
}

/**
 * The cause of an upstream's error, if it decides which upstream is tried next and which goes into cooldown.
 */
export type UpstreamReason =
  /** Too many requests or tokens from us at the moment. */
  | 'rate-limited'
  /** Too many from all of its customers. */
  | 'overloaded'
  /** Our account there is out of credit, so waiting alone does not help. */
  | 'out-of-quota'
  /** Our key is invalid. */
  | 'key-refused'
  /** Our key is valid, but not for this. */
  | 'not-permitted'
  /** The request is longer than the model's context; a larger model may take it. */
  | 'context-too-long'
  /** This single request exceeds our limit there: its caller is the cause, and other requests succeed. */
  | 'request-too-large'
  /** The proof of earlier reasoning belongs to another key; without it the request may succeed. */
  | 'proof-refused'

export interface GatewayErrorOptions {
  /** HTTP status; by default that of the type. */
  status?: number
  /** Path of the offending field, as in `messages[3].content`. */
  param?: string
  /** For the log only: never sent to a caller. */
  detail?: string
  /** Whole seconds, at least 1; sent as `Retry-After`. */
  retryAfterSeconds?: number
  /** The same in milliseconds, if known: `retry-after-ms`, which takes precedence in OpenAI's SDKs. */
  retryAfterMs?: number
  /** Only for errors of upstreams. */
  reason?: UpstreamReason
  /** The rate limit may have been reached by this single request, although the upstream does not say so. */
  mayBeOwn?: boolean
  /** Further response headers, such as `Allow` with a 405. */
  headers?: Record<string, string>
  /** Machine-readable details, in formats whose errors have such a member. */
  details?: Record<string, unknown>
  /** Machine-readable details in every format: reason and remedy. Contains only our names and texts. */
  metadata?: ErrorMetadata
  cause?: unknown
}

/** Flat values, which also fit formats whose errors carry only strings, such as Google's. */
export type ErrorMetadata = Record<string, string | number | boolean | null | Record<string, unknown>>

export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly type: ErrorType
  readonly status: number
  readonly retryable: boolean
  readonly param: string | null
  readonly detail: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly retryAfterMs: number | undefined
  readonly reason: UpstreamReason | undefined
  readonly mayBeOwn: boolean
  readonly headers: Record<string, string> | undefined
  readonly details: Record<string, unknown> | undefined
  readonly metadata: ErrorMetadata | undefined

  constructor(type: ErrorType, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.type = type
    this.status = options.status ?? errorTable[type].status
    this.retryable = errorTable[type].retryable
    this.param = options.param ?? null
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
    this.mayBeOwn = options.mayBeOwn === true
    this.headers = options.headers
    this.details = options.details
    this.metadata = options.metadata
  }

  /** The same error with another message, field, wait or further headers. */
  with(
    changes: Pick<GatewayErrorOptions, 'retryAfterSeconds' | 'headers' | 'param' | 'metadata' | 'detail'> & {
      message?: string
    },
  ): GatewayError {
    const {
      status,
      param,
      detail,
      retryAfterSeconds,
      retryAfterMs,
      reason,
      mayBeOwn,
      details,
      metadata,
      cause,
    } = this
    const isOwnWait = changes.retryAfterSeconds === undefined
    return new GatewayError(this.type, changes.message ?? this.message, {
      status,
      cause,
      mayBeOwn,
      ...(param === null ? {} : { param }),
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(isOwnWait && retryAfterMs !== undefined ? { retryAfterMs } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      ...(metadata === undefined ? {} : { metadata }),
      ...changes,
      headers: { ...this.headers, ...changes.headers },
    })
  }
}

/** A 400 that names the field and the expected value. */
export function invalidRequest(param: string | undefined, message: string): GatewayError {
  return new GatewayError('invalid_request_error', message, param === undefined ? {} : { param })
}

/** The error that a caller may see: a `GatewayError` unchanged, anything else as `api_error`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  return new GatewayError(
    'api_error',
    'The gateway failed to handle this request. This is a problem on our side: please retry.',
    {
      cause: thrown,
      detail: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    },
  )
}

/** The body of every error of the JSON APIs (docs/contract.md, 2). */
export interface ErrorEnvelope {
  error: {
    message: string
    type: ErrorType
    code: number
    param: string | null
    request_id: string
    /** Absent if there are no details. */
    metadata?: ErrorMetadata
  }
}

export function errorEnvelope(error: GatewayError, requestId: string): ErrorEnvelope {
  return {
    error: {
      message: error.message,
      type: error.type,
      code: error.status,
      param: error.param,
      request_id: requestId,
      ...(error.metadata !== undefined && { metadata: error.metadata }),
    },
  }
}

/** The headers of an error response besides `content-type` and `x-request-id`. */
export function errorHeaders(error: GatewayError): Record<string, string> {
  const { retryAfterSeconds: seconds, retryAfterMs } = error
  return seconds === undefined
    ? { ...error.headers }
    : { ...error.headers, ...retryHeaders(seconds, retryAfterMs) }
}

/** When to retry, as the standard header and the one that OpenAI's and Anthropic's SDKs read. */
export function retryHeaders(seconds: number, ms?: number): Record<string, string> {
  const whole = Math.max(1, Math.ceil(seconds))
  return { 'retry-after': String(whole), 'retry-after-ms': String(ms ?? whole * 1_000) }
}
