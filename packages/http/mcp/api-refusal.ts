import { errorEnvelope, GatewayError, toGatewayError } from '@turnpike/protocol'
import { ToolRefusal } from '@turnpike/mcp'

/** What the gateway's own API has refused a tool, in its envelope. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly error: Record<string, unknown>

  constructor(error: Record<string, unknown>) {
    super(typeof error.message === 'string' ? error.message : 'The gateway could not handle this call.')
    this.error = error
  }
}

/** @param body of an answer that is an error */
export function apiRefusal(body: unknown): ApiRefusal {
  const error = (body as { error?: unknown } | null)?.error
  return new ApiRefusal(typeof error === 'object' && error !== null ? { ...error } : {})
}

/** What is to be done about it, with the tools that there are. */
const hints: Record<string, string> = {
  insufficient_quota:
    'If credit is missing, give the user `metadata.checkout_url`, or the URL from `top_up`, to pay. ' +
    'Spend limits and budgets are for the user to change.',
}

/**
 * Any failure of a tool for the model to read, and as the API's errors tell it.
 * @param onUnexpected told of what is our own fault
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
