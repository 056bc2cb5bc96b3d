import type { Context } from '../context.ts'
import type { Credentials } from '../files/credentials.ts'
import { isWebAddress } from './discovery.ts'
import { postForm } from './oauth.ts'

/**
 * Revokes a login at its issuer (RFC 7009), if the issuer's own metadata name an endpoint for it.
 * @returns whether it was revoked
 * @throws {Failure} if the issuer is unavailable, or refuses
 */
export async function revokeLogin({ network }: Context, credentials: Credentials): Promise<boolean> {
  const endpoint = await revocationEndpoint(network, credentials.issuer)
  if (endpoint === undefined) return false
  const isRefresh = credentials.refresh_token !== undefined
  const answer = await postForm(network, endpoint, {
    token: credentials.refresh_token ?? credentials.access_token,
    token_type_hint: isRefresh ? 'refresh_token' : 'access_token',
    client_id: credentials.client_id,
  })
  return answer.error === undefined
}

/** OpenID Connect Discovery, section 4: the metadata are below the issuer's own path. */
async function revocationEndpoint(network: Context['network'], issuer: string): Promise<string | undefined> {
  if (!isWebAddress(issuer)) return undefined
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const answer = await network.send({ method: 'GET', url, headers: { accept: 'application/json' } })
  if (!answer.ok) return undefined
  const metadata = JSON.parse(await answer.text()) as { revocation_endpoint?: unknown }
  const { revocation_endpoint: endpoint } = metadata
  return typeof endpoint === 'string' && isWebAddress(endpoint) ? endpoint : undefined
}
