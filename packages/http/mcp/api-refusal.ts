import { errorEnvelope, GatewayError, toGatewayError } from '@turnpike/protocol'
import { ToolRefusal } from '@turnpike/mcp'

/** An error that the gateway's own API returned to a tool, in its envelope. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly error: Record<string, unknown>

  constructor(error: Record<string, unknown>) {
    super(typeof error.message === 'string' ? error.message : 'The gateway could not handle this call.')
    this.error = error
  }
}

/** @param body the body of an error response */
export function apiRefusal(body: unknown): ApiRefusal {
  const error = (body as { error?: unknown } | null)?.error
  return new ApiRefusal(typeof error === 'object' && error !== null ? { ...error } : {})
}

/** What the model can do about the error, with the available tools. */
const hints: Record<string, string> = {
  insufficient_quota:
    'If credit is missing, give the user `metadata.checkout_url`, or the URL from `top_up`, to pay. ' +
    'Spend limits and budgets are for the user to change.',
}

/**
 * Any failure of a tool, as text for the model and in the form of the API's errors.
 * @param onUnexpected called for failures that are our own fault
 */
export function describeFailure(
  error: unknown,
  requestId: string,
  onUnexpected: (error: GatewayError) => void,
): { text: string; details: object } {
  if (error instanceof ApiRefusal) {
    const hint = hints[String(error.error.type)]
    return {
      text: hint === undefined ? error.message : `${error.message}\n${hint}`,
      details: { error: error.error },
    }
  }
  const failure =
    error instanceof ToolRefusal
      ? new GatewayError(error.type, error.message, error.param === null ? {} : { param: error.param })
      : toGatewayError(error)
  if (failure.status === 500) onUnexpected(failure)
  return { text: failure.message, details: errorEnvelope(failure, requestId) }
}
