import type { Provider } from '@turnpike/vendors'
import type { UpstreamRequest } from '../client.ts'
import type { Credential, CredentialHeaders } from './credential.ts'

/**
 * Adds the credential to a complete call: always the last step, since a signature covers everything in it.
 * Undefined if nothing is valid now; a promise only for a signature.
 */
export function withCredential(
  request: UpstreamRequest,
  { credential, provider }: { credential: Credential; provider: Pick<Provider, 'keyHeader'> },
): UpstreamRequest | undefined | Promise<UpstreamRequest | undefined> {
  const headers = credential.headers(request, provider.keyHeader)
  if (headers instanceof Promise) return headers.then((signed) => withHeaders(request, signed))
  return withHeaders(request, headers)
}

/** Changes the call in place: it belongs to the caller, and a copy per request would be wasteful. */
function withHeaders(
  request: UpstreamRequest,
  headers: CredentialHeaders | undefined,
): UpstreamRequest | undefined {
  if (headers === undefined) return undefined
  Object.assign(request.headers, headers)
  return request
}
