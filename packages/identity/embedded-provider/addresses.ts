import type { IssuerEndpoints } from '../user-tokens/token-issuer.ts'

/** The public client that the command line, the dashboard and native apps share. It has no secret. */
export const embeddedClientId = 'turnpike'
/** The provider's path on the gateway's own origin. */
export const providerPath = '/oidc'
/** In the order in which the metadata lists them. */
export const providerScopes = ['openid', 'profile', 'email', 'offline_access']

export const providerRoutes = {
  authorization: '/auth',
  token: '/token',
  device_authorization: '/device/auth',
  code_verification: '/device',
  end_session: '/sign-out',
  jwks: '/jwks',
  revocation: '/revoke',
  userinfo: '/userinfo',
}

/** Where MCP clients register (RFC 7591). */
export const registrationPath = `${providerPath}/register`

/**
 * Further addresses at which clients look for the provider's metadata: here the well-known part comes before
 * the issuer's path (RFC 8414, section 3.1; MCP, "Authorization Server Metadata Discovery").
 */
export const metadataPaths: ReadonlySet<string> = new Set([
  `/.well-known/oauth-authorization-server${providerPath}`,
  `/.well-known/openid-configuration${providerPath}`,
])

/** @param publicUrl without a slash at the end */
export function embeddedIssuer(publicUrl: string): string {
  return publicUrl + providerPath
}

/** The endpoints that the discovery document lists, available without loading the provider. */
export function embeddedEndpoints(issuer: string): Required<IssuerEndpoints> {
  return {
    authorizationEndpoint: issuer + providerRoutes.authorization,
    tokenEndpoint: issuer + providerRoutes.token,
    deviceAuthorizationEndpoint: issuer + providerRoutes.device_authorization,
  }
}

/** Where the dashboard returns to after signing in (also silently) and after signing out. */
export function dashboardAddresses(publicUrl: string): { redirects: string[]; afterSignOut: string[] } {
  return {
    redirects: [`${publicUrl}/dashboard/callback`, `${publicUrl}/dashboard/silent-callback`],
    afterSignOut: [`${publicUrl}/dashboard`, `${publicUrl}/dashboard/`, `${publicUrl}/`],
  }
}
