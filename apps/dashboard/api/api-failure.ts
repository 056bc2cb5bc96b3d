import type { components } from '@turnpike/api'

/** Machine-readable facts about an error. For a 402, docs/budgets.md and docs/topup.md describe them. */
type Metadata = Readonly<Record<string, unknown>>

interface Facts {
  status?: number
  param?: string | null
  requestId?: string | null
  metadata?: Metadata
  cause?: unknown
}

/** An error that the gateway returned, with its message; status 0 if there was no response. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  /** The field that the error is about. */
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

  /** Reads an error response. A body that is not our error envelope came from a proxy in between. */
  static of(status: number, body: components['schemas']['Error'] | undefined): ApiFailure {
    const error = body?.error
    if (error?.message === undefined)
      return new ApiFailure(`The gateway returned status ${status}.`, { status })
    const { message, param, request_id: requestId, metadata = {} } = error
    return new ApiFailure(message, { status, param, requestId, metadata })
  }

  /** True if there was no response, or only one from a proxy in front of the gateway. */
  get isAway(): boolean {
    return this.status === 0 || (this.status >= 502 && this.status <= 504 && this.requestId === null)
  }

  /** Whether a retry may succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}
