import type { VendorScript } from '../vendor/script.ts'

/** An error in OpenAI's format. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly status: number
  readonly param: string | null
  readonly code: string | null
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    message: string,
    options: { param?: string; code?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.status = status
    this.param = options.param ?? null
    this.code = options.code ?? codes[status] ?? null
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

const codes: Record<number, string> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
}

const types: Record<number, string> = {
  401: 'invalid_request_error',
  403: 'permission_error',
  429: 'requests',
}

export function errorBody(error: SandboxError): string {
  const type = types[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'server_error')
  return JSON.stringify({
    error: { message: error.message, type, param: error.param, code: error.code },
  })
}

export function errorScript(error: SandboxError, headers: Record<string, string>): VendorScript {
  const bytes = Buffer.from(errorBody(error))
  const retry = error.retryAfterSeconds
  return {
    status: error.status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
    },
    steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}
