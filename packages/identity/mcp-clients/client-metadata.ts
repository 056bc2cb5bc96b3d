import type { ClientMetadata } from 'oidc-provider'
import { clientName } from './client-name.ts'

/** What is kept of an app's own metadata. */
export interface McpClient {
  /** Unverified; on one line, at most 64 characters. */
  name: string
  redirectUris: string[]
}

/** Error codes of RFC 7591, section 3.2.2. */
export type ClientProblem = 'invalid_redirect_uri' | 'invalid_client_metadata'

/** An app's metadata is not acceptable. */
export class ClientRefused extends Error {
  override readonly name = 'ClientRefused'
  readonly problem: ClientProblem

  constructor(problem: ClientProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

const maxRedirects = 10
const maxRedirectLength = 512
const grants = ['authorization_code', 'refresh_token']
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Reads an app's metadata, from its registration (RFC 7591, section 2) or its document, as far as we use it.
 * Other fields are ignored, and nothing named in it is ever fetched.
 * @param ownOrigins the gateway's own origins, to which no app's sign-in may redirect
 * @throws {ClientRefused}
 */
export function readClient(metadata: Record<string, unknown>, ownOrigins: readonly string[]): McpClient {
  requireMember(metadata, 'grant_types', 'authorization_code')
  requireMember(metadata, 'response_types', 'code')
  const redirectUris = readRedirects(metadata['redirect_uris'], ownOrigins)
  return { name: readName(metadata['client_name']) ?? new URL(redirectUris[0]!).host, redirectUris }
}

/** For `oidc-provider`: public, with code and PKCE only, on loopback at any port (RFC 8252, 7.3). */
export function providerClient(id: string, { name, redirectUris }: McpClient): ClientMetadata {
  return {
    client_id: id,
    client_name: name,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: grants,
    response_types: ['code'],
    redirect_uris: redirectUris,
  }
}

/** Whether any program on the person's own machine could receive this redirect. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  const url = URL.parse(redirectUri)
  return url?.protocol === 'http:' && loopbackHosts.has(url.hostname)
}

/**
 * Whether an address is the gateway's own, under any name of the machine. Checked on each sign-in too, since
 * a redirect on loopback may go to any port.
 */
export function isOwnPlace(url: URL, ownOrigins: readonly string[]): boolean {
  const host = hostOf(url)
  return ownOrigins.some((origin) => {
    const own = new URL(origin)
    const isSame = hostOf(own) === host && own.protocol === url.protocol
    const isBothLoopback = loopbackHosts.has(hostOf(own)) && loopbackHosts.has(host)
    return url.port === own.port && (isSame || isBothLoopback)
  })
}

/** A trailing dot does not change which host a name refers to (RFC 1034, section 3.1). */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

function readRedirects(value: unknown, ownOrigins: readonly string[]): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxRedirects)
    throw invalidRedirect(`expected 1 to ${maxRedirects} URLs`)
  const webRedirects = value.filter((one) => !isPrivateUse(one))
  // If nothing else is left, these produce the error message.
  return (webRedirects.length === 0 ? value : webRedirects).map((one) => readRedirect(one, ownOrigins))
}

/**
 * Leads to whichever app has claimed its scheme (RFC 8252, section 7.1), so nobody is redirected there. It is
 * omitted from the registration rather than rejected (RFC 7591, section 3.2.1), since apps such as Cursor
 * list it beside a loopback address.
 */
function isPrivateUse(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url !== null && url.protocol !== 'https:' && url.protocol !== 'http:'
}

function readRedirect(value: unknown, ownOrigins: readonly string[]): string {
  if (typeof value !== 'string' || value.length > maxRedirectLength)
    throw invalidRedirect(`expected texts of at most ${maxRedirectLength} characters`)
  // Parsers disagree about other characters: one place for us could be another for the browser.
  const url = /^[\x21-\x5b\x5d-\x7e]+$/.test(value) ? URL.parse(value) : null
  if (url === null || url.username !== '' || url.password !== '' || value.includes('#'))
    throw invalidRedirect('expected ASCII URLs without user name and fragment')
  if (isOwnPlace(url, ownOrigins)) throw invalidRedirect("a URL is the gateway's own")
  const isWeb = url.protocol === 'https:' && !loopbackHosts.has(hostOf(url))
  if (!isWeb && !isLoopbackRedirect(value))
    throw invalidRedirect('expected https, or http at 127.0.0.1, [::1] or localhost')
  return value
}

function invalidRedirect(reason: string): ClientRefused {
  return new ClientRefused('invalid_redirect_uri', `redirect_uris: ${reason}.`)
}

function requireMember(metadata: Record<string, unknown>, field: string, needed: string): void {
  const value = metadata[field]
  if (value === undefined || (Array.isArray(value) && value.includes(needed))) return
  throw new ClientRefused('invalid_client_metadata', `${field}: expected a list with ${needed} in it.`)
}

function readName(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string')
    throw new ClientRefused('invalid_client_metadata', 'client_name: expected a text.')
  return clientName(value)
}
