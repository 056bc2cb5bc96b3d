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
 * What holds for the apps that came by MCP, and not for our own client: they get tokens for the MCP server
 * alone, with the scopes that a person has granted to this one sign-in.
 */

export function isMcpClient(client: { clientId: string } | undefined): boolean {
  return client !== undefined && client.clientId !== embeddedClientId
}

/** Of the resource that a client may have tokens for: ours for the API, all others for the MCP server. */
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

/** Host and scheme in any case, with a slash at the end or without (MCP, "Canonical Server URI"). */
function isSame(indicator: string, audience: string): boolean {
  const canonical = (address: string): string | undefined => URL.parse(address)?.href.replace(/\/$/, '')
  return indicator === audience || canonical(indicator) === canonical(audience)
}

/**
 * The scopes that an app asks a person for: without any, all there are; others than MCP's are left out, so
 * that no app learns who the person is. What is granted, the token's answer says (RFC 6749, section 3.3).
 */
export function mcpScopesOf(asked: string | undefined): string {
  if (asked === undefined) return mcpScopeNames.join(' ')
  const scopes = asked.split(' ').filter(isMcpScope)
  if (scopes.length === 0) throw new errors.InvalidScope(`expected one of ${mcpScopeNames.join(', ')}`, asked)
  return scopes.join(' ')
}

/** No app's code is led to a page of ours. */
export function refuseOwnPlaces(redirectUri: unknown, ownAddresses: readonly string[]): void {
  const url = URL.parse(String(redirectUri))
  const origins = ownAddresses.map((address) => new URL(address).origin)
  if (url === null || isOwnPlace(url, origins)) throw new errors.InvalidRedirectUri()
}

/**
 * An error of an app's request is shown here: anybody registers any address, and who has decided nothing yet
 * shall not be sent there by a link to us (RFC 9700, section 4.11.2; MCP, "Open Redirection").
 */
export function keepFromStrangers({ oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const isUnasked = oidc.route === 'authorization'
  if (isUnasked && isMcpClient(oidc.client)) error.allow_redirect = false
}

/** Of a token for the MCP server: which grant and login it ends with; nothing of who the person is. */
export function mcpTokenClaims(client: Client, token: Pick<AccessToken, 'grantId'>, user: ProviderUser) {
  const { loginGeneration } = user
  return {
    [clientNameClaim]: client.clientName,
    [grantClaim]: token.grantId,
    ...(loginGeneration > 0 && { [generationClaim]: loginGeneration }),
  }
}

/** A page of an app's own origin may ask for its tokens; it has no cookie of ours. */
export function isOwnOrigin(origin: string, client: Client): boolean {
  return (client.redirectUris ?? []).some((address) => URL.parse(address)?.origin === origin)
}

/** What MCP clients look for in the metadata of the authorization server (RFC 8414, RFC 7591). */
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
