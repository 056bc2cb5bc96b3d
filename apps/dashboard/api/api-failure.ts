import type { components } from './schema.ts'

interface Facts {
  status?: number
  param?: string | null
  requestId?: string | null
  cause?: unknown
}

/** A refusal of the gateway, in its own words; status 0 where there was no answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  /** The field that is at fault. */
  readonly param: string | null
  readonly requestId: string | null

  constructor(message: string, { status = 0, param = null, requestId = null, cause }: Facts = {}) {
    super(message, { cause })
    this.status = status
    this.param = param
    this.requestId = requestId
  }

  /** Of an answer that is no success. What is no envelope of ours comes from something in between. */
  static of(status: number, body: components['schemas']['Error'] | undefined): ApiFailure {
    const error = body?.error
    if (error?.message === undefined)
      return new ApiFailure(`The gateway answered with status ${status}.`, { status })
    return new ApiFailure(error.message, { status, param: error.param, requestId: error.request_id })
  }

  /** No answer of the gateway: there was none, or one of what stands before it. */
  get isAway(): boolean {
    return this.status === 0 || (this.status >= 502 && this.status <= 504 && this.requestId === null)
  }

  /** Whether asking again may help. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}
