import type { ClientMetadata } from 'oidc-provider'
import { dashboardAddresses, embeddedClientId } from './addresses.ts'

/** Redirects of native apps (RFC 8252, section 7.3): any port is allowed. */
const loopbackRedirects = ['127.0.0.1', '[::1]', 'localhost'].map((host) => `http://${host}/callback`)

/** The application's name for people. All share one client, so the redirect tells them apart. */
export function applicationName(publicUrl: string, redirectUri: unknown): string {
  const isDashboard = dashboardAddresses(publicUrl).redirects.includes(String(redirectUri))
  return isDashboard ? 'Turnpike dashboard' : 'Turnpike command line'
}

/**
 * Our only client. It is public, for the command line and other native apps on loopback, for devices, and for
 * the dashboard at its own addresses. A browser page over plain HTTP that is not on loopback cannot do PKCE
 * (it has no Web Crypto), so there the dashboard's addresses are left out.
 */
export function clientsAt(publicUrl: string): ClientMetadata[] {
  const { protocol, hostname } = new URL(publicUrl)
  const isLoopback = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname)
  const dashboard = dashboardAddresses(publicUrl)
  const hasDashboard = protocol === 'https:' || isLoopback
  return [
    {
      client_id: embeddedClientId,
      client_name: 'Turnpike',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [...loopbackRedirects, ...(hasDashboard ? dashboard.redirects : [])],
      post_logout_redirect_uris: hasDashboard ? dashboard.afterSignOut : [],
    },
  ]
}
