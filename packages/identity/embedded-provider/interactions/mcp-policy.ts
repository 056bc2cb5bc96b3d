import {
  errors,
  type AccessToken,
  type Client,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider'
import { isMcpScope, mcpScopeNames } from '../../mcp-access/scopes.ts'
import { isOwnPlace } from '../../mcp-clients/client-metadata.ts'
import { clientNameClaim, grantClaim } from '../../mcp-access/token-verifier.ts'
import { generationClaim } from '../../user-tokens/user-token.ts'
import { embeddedClientId } from '../addresses.ts'
import type { ProviderUser } from '../stores.ts'

/*
 * The rules for MCP apps, which do not apply to our own client: they get tokens for the MCP server only, with
 * the scopes that a person has granted to this one sign-in.
 */

export function isMcpClient(client: { clientId: string } | undefined): boolean {
  return client !== undefined && client.clientId !== embeddedClientId
}

/** A client's resource: the API for our own client, the MCP server for all others. */
export function resourceServer(
  indicator: string,
  client: Client | undefined,
  { resource, mcpResource }: { resource: string; mcpResource: string },
): Pick<ResourceServer, 'audience' | 'scope'> {
  const isMcp = isMcpClient(client)
  const audience = isMcp ? mcpResource : resource
  if (!isSame(indicator, audience)) {
    const message = `resource: this client may only have tokens for ${audience}`
    throw new errors.InvalidTarget(message)
  }
  return { audience, scope: isMcp ? mcpScopeNames.join(' ') : '' }
}

/** Ignores the case of host and scheme, and a slash at the end (MCP, "Canonical Server URI"). */
function isSame(indicator: string, audience: string): boolean {
  const canonical = (address: string): string | undefined => URL.parse(address)?.href.replace(/\/$/, '')
  return indicator === audience || canonical(indicator) === canonical(audience)
}

/**
 * The scopes that an app requests of a person. If it requests none, all MCP scopes. Other scopes are left
 * out, so that no app learns who the person is. The token response reports what was granted (RFC 6749,
 * section 3.3).
 */
export function mcpScopesOf(requestedScopes: string | undefined): string {
  if (requestedScopes === undefined) return mcpScopeNames.join(' ')
  const scopes = requestedScopes.split(' ').filter(isMcpScope)
  if (scopes.length === 0)
    throw new errors.InvalidScope(`expected one of ${mcpScopeNames.join(', ')}`, requestedScopes)
  return scopes.join(' ')
}

/** Ensures that an app's code is never sent to one of our own pages. */
export function refuseOwnPlaces(redirectUri: unknown, ownAddresses: readonly string[]): void {
  const url = URL.parse(String(redirectUri))
  const origins = ownAddresses.map((address) => new URL(address).origin)
  if (url === null || isOwnPlace(url, origins)) throw new errors.InvalidRedirectUri()
}

/**
 * Shows an error of an app's request on our own page. Anybody can register any redirect address, so a link to
 * us must not lead a person there before they have made a decision (RFC 9700, section 4.11.2; MCP, "Open
 * Redirection").
 */
export function keepFromStrangers({ oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const isUnasked = oidc.route === 'authorization'
  if (isUnasked && isMcpClient(oidc.client)) error.allow_redirect = false
}

/** Claims of an MCP token: its grant and login, but nothing about who the person is. */
export function mcpTokenClaims(client: Client, token: Pick<AccessToken, 'grantId'>, user: ProviderUser) {
  const { loginGeneration } = user
  return {
    [clientNameClaim]: client.clientName,
    [grantClaim]: token.grantId,
    ...(loginGeneration > 0 && { [generationClaim]: loginGeneration }),
  }
}

/** A page on an app's own origin may fetch its tokens; our cookies are never sent along. */
export function isOwnOrigin(origin: string, client: Client): boolean {
  return (client.redirectUris ?? []).some((address) => URL.parse(address)?.origin === origin)
}

/** Adds what MCP clients look for in the authorization server's metadata (RFC 8414, RFC 7591). */
export function announceMcp(
  context: KoaContextWithOIDC,
  registrationEndpoint: string,
  allowed: { documents: boolean; registration: boolean },
): void {
  const body = context.body as Record<string, unknown> | undefined
  if (typeof body?.['issuer'] !== 'string') return
  const scopes = body['scopes_supported'] as string[]
  Object.assign(body, {
    scopes_supported: [...scopes, ...mcpScopeNames],
    ...(allowed.registration && { registration_endpoint: registrationEndpoint }),
    client_id_metadata_document_supported: allowed.documents,
  })
}
