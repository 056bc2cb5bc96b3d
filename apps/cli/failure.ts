/** The process's exit codes (docs/contract.md, 8.2). */
export const exitCodes = { success: 0, user: 1, network: 2, server: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

interface FailureDetails {
  /** The API's error type, or `network_error`, `device_flow_error`, `local_file_error`, `cancelled`. */
  type: string
  exitCode: ExitCode
  /** The HTTP status; absent if there was no response. */
  status?: number
  /** The option, argument or field at fault. */
  param?: string | null
  requestId?: string | null
  /** What to do about it, as a sentence. */
  hint?: string
  cause?: unknown
}

/** A failure that a command can describe. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly details: FailureDetails

  constructor(message: string, details: FailureDetails) {
    super(message, { cause: details.cause })
    this.details = details
  }

  get exitCode(): ExitCode {
    return this.details.exitCode
  }

  /** The envelope of the API's own errors (docs/contract.md, 2). */
  toJson(): object {
    const { type, status, param, requestId, hint } = this.details
    const known = { message: this.message, type, code: status ?? null, param: param ?? null }
    return { error: { ...known, request_id: requestId ?? null, ...(hint !== undefined && { hint }) } }
  }
}

/** The command line itself is wrong. */
export function badInput(message: string, param?: string, hint?: string): Failure {
  return new Failure(message, {
    type: 'invalid_request_error',
    exitCode: exitCodes.user,
    param: param ?? null,
    ...(hint !== undefined && { hint }),
  })
}

export function cancellation(): Failure {
  return new Failure('Cancelled.', { type: 'cancelled', exitCode: exitCodes.user })
}

/** Converts anything that was thrown into a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Error && error.name === 'AbortError') return cancellation()
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Failure(`This is a bug in turnpike: ${message}`, {
    type: 'internal_error',
    exitCode: exitCodes.user,
    cause: error,
  })
}
