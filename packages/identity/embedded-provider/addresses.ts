import type { IssuerEndpoints } from '../user-tokens/token-issuer.ts'

/** The public client of the command line, the dashboard and native apps. It has no secret. */
export const embeddedClientId = 'turnpike'
/** Where the provider is on the gateway's own origin. */
export const providerPath = '/oidc'
/** In the order in which they are told to clients. */
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
 * Where clients look for the provider's metadata besides below its own path: the well-known part comes before
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

/** As the discovery document has them, without the provider being loaded for it. */
export function embeddedEndpoints(issuer: string): Required<IssuerEndpoints> {
  return {
    authorizationEndpoint: issuer + providerRoutes.authorization,
    tokenEndpoint: issuer + providerRoutes.token,
    deviceAuthorizationEndpoint: issuer + providerRoutes.device_authorization,
  }
}

/** Where the dashboard comes back to after signing in (and, silently, anew) and out. */
export function dashboardAddresses(publicUrl: string): { redirects: string[]; afterSignOut: string[] } {
  return {
    redirects: [`${publicUrl}/dashboard/callback`, `${publicUrl}/dashboard/silent-callback`],
    afterSignOut: [`${publicUrl}/dashboard`, `${publicUrl}/dashboard/`, `${publicUrl}/`],
  }
}
