import type { components } from '@turnpike/api'

/** What a program reads of a refusal; of a 402 docs/budgets.md and docs/topup.md say what. */
type Metadata = Readonly<Record<string, unknown>>

interface Facts {
  status?: number
  param?: string | null
  requestId?: string | null
  metadata?: Metadata
  cause?: unknown
}

/** A refusal of the gateway, in its own words; status 0 where there was no answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  /** The field that is at fault. */
  readonly param: string | null
  readonly requestId: string | null
  readonly metadata: Metadata

  constructor(message: string, facts: Facts = {}) {
    const { status = 0, param = null, requestId = null, metadata = {}, cause } = facts
    super(message, { cause })
    this.status = status
    this.param = param
    this.requestId = requestId
    this.metadata = metadata
  }

  /** Of an answer that is no success. What is no envelope of ours comes from something in between. */
  static of(status: number, body: components['schemas']['Error'] | undefined): ApiFailure {
    const error = body?.error
    if (error?.message === undefined)
      return new ApiFailure(`The gateway returned status ${status}.`, { status })
    const { message, param, request_id: requestId, metadata = {} } = error
    return new ApiFailure(message, { status, param, requestId, metadata })
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
