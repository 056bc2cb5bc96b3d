import { errorEnvelope, type GatewayError } from '@turnpike/protocol'

/** The envelope of all our endpoints: Cohere's clients tell the body of an error as it is. */
export const formatError = errorEnvelope

export function errorStatus({ status }: GatewayError): number {
  return status
}
