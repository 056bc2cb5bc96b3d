import type { Provider } from '@turnpike/vendors'
import type { UpstreamRequest } from '../client.ts'
import type { Credential, CredentialHeaders } from './credential.ts'

/**
 * Writes into a finished call who makes it: the last thing that is done to one, since a signature is of all
 * that stands in it. Undefined where there is nothing that is good now; a promise for a signature alone.
 */
export function withCredential(
  request: UpstreamRequest,
  { credential, provider }: { credential: Credential; provider: Pick<Provider, 'keyHeader'> },
): UpstreamRequest | undefined | Promise<UpstreamRequest | undefined> {
  const headers = credential.headers(request, provider.keyHeader)
  if (headers instanceof Promise) return headers.then((signed) => withHeaders(request, signed))
  return withHeaders(request, headers)
}

/** The call is its maker's own, headers included: a copy of both for each request would be waste. */
function withHeaders(
  request: UpstreamRequest,
  headers: CredentialHeaders | undefined,
): UpstreamRequest | undefined {
  if (headers === undefined) return undefined
  Object.assign(request.headers, headers)
  return request
}
