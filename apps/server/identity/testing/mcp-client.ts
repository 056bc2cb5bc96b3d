import { auth, type AuthResult, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { PageClient, type SeenPage } from './page-client.ts'
import { newEmail, signUp } from './sign-in.ts'

export const mcpRedirectUri = 'http://localhost:49321/callback'

/** The state of an MCP client's sign-in, for the official SDK's own authorization. */
export class McpClient implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  readonly serverUrl: string
  /** The address of its document, if it has one. */
  clientMetadataUrl?: string
  /** Absent: host names are looked up. */
  fetch?: FetchLike
  saved: { tokens?: OAuthTokens; client?: OAuthClientInformationMixed; verifier?: string } = {}
  /** Where the person is sent. */
  authorizationUrl: URL | undefined

  constructor(
    serverUrl: string,
    metadata: Partial<OAuthClientMetadata> = {},
    redirectUrl: string = mcpRedirectUri,
  ) {
    this.serverUrl = serverUrl
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: 'Test Agent',
      redirect_uris: [mcpRedirectUri],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }
  }

  clientInformation = (): OAuthClientInformationMixed | undefined => this.saved.client
  tokens = (): OAuthTokens | undefined => this.saved.tokens
  codeVerifier = (): string => this.saved.verifier ?? ''

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.saved.client = client
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved.tokens = tokens
  }

  saveCodeVerifier(verifier: string): void {
    this.saved.verifier = verifier
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url
  }

  /** Begins the sign-in, up to the page for the person's browser. */
  async begin(scope?: string): Promise<URL> {
    const result = await this.#authorize(scope === undefined ? {} : { scope })
    if (result !== 'REDIRECT') throw new Error(`the client has not asked for a person: ${result}`)
    return this.authorizationUrl!
  }

  /** Continues from the page to which the browser was sent back. */
  async finish({ url }: SeenPage): Promise<OAuthTokens> {
    const authorizationCode = new URL(url).searchParams.get('code')
    if (authorizationCode === null) throw new Error(`no code in ${url}`)
    await this.#authorize({ authorizationCode })
    return this.saved.tokens!
  }

  async refresh(): Promise<OAuthTokens> {
    const result = await this.#authorize({})
    if (result !== 'AUTHORIZED') throw new Error('the client had to ask for a person')
    return this.saved.tokens!
  }

  #authorize(options: { scope?: string; authorizationCode?: string }): Promise<AuthResult> {
    const fetchFn = this.fetch
    return auth(this, { serverUrl: this.serverUrl, ...options, ...(fetchFn !== undefined && { fetchFn }) })
  }
}

/** A new person's browser at the consent page. */
export async function newPersonAt(url: URL, pages = new PageClient()): Promise<SeenPage> {
  return signUp(pages, await pages.get(url.href), { email: newEmail(), name: 'Ada' })
}

/** Submits the consent page with these permissions chosen. */
export function allow(
  pages: PageClient,
  consent: SeenPage,
  scopes: readonly string[],
  { organization }: { organization?: string } = {},
): Promise<SeenPage> {
  const form = consent.forms.find(({ action }) => action.endsWith('/consent'))
  if (form === undefined) throw new Error(`no consent page, but "${consent.title}": ${consent.text}`)
  return pages.post(new URL(form.action, consent.url).href, [
    ...Object.entries(form.hidden),
    ...(organization === undefined ? [] : [['organization', organization] as [string, string]]),
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ])
}
