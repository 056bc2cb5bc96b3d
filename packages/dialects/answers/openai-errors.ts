import { errorEnvelope, type GatewayError } from '@turnpike/protocol'

/** The body of an error: https://platform.openai.com/docs/guides/error-codes/api-errors. */
export const formatError = errorEnvelope

export function errorStatus({ status }: GatewayError): number {
  return status
}
