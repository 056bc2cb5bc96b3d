import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { newIdentifier } from '@turnpike/protocol'
import type { ClientMetadata, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ClientDocuments, type ReadClientDocument } from '../mcp-clients/client-documents.ts'
import { findMcpClient } from '../mcp-clients/find-client.ts'
import { serveRegistration } from '../mcp-clients/serve-registration.ts'
import { metadataPaths, providerPath, providerRoutes, registrationPath } from './addresses.ts'
import { applicationName } from './clients.ts'
import { DevicePolling } from './interactions/device-polling.ts'
import type { MailedCodes } from './logins/mailed-codes.ts'
import { interactionPath, serveInteraction } from './interactions/interactions.ts'
import { isKnownPath } from './known-path.ts'
import { networkOf } from './throttles/network.ts'
import { errorPage, tooManyAttemptsPage } from './pages/messages.ts'
import { stylePath } from './pages/page.ts'
import { pageStyle } from './pages/style.ts'
import type { KeySet, ProviderKeys } from './provider-keys.ts'
import { pinToPublicAddress, sendPage, stripProviderPath } from './provider-request.ts'
import { buildProvider } from './provider.ts'
import { SignIn, type RegistrationRules } from './logins/sign-in.ts'
import type { EmbeddedProviderStores, OrganizationsOfUser } from './stores.ts'
import { Throttle } from './throttles/throttle.ts'

export interface ProviderServerOptions {
  /** Without a slash at the end. */
  publicUrl: string
  /** The resource (`aud`) of access tokens. */
  resource: string
  /** The resource of MCP clients' tokens; without a slash at the end. */
  mcpResource: string
  /** Which MCP apps are accepted: those with a document, and those that register themselves. */
  mcpClients: { documents: boolean; registration: boolean }
  readClientDocument: ReadClientDocument
  rules: RegistrationRules
  /** Undefined: this gateway sends no mail. */
  mailed: MailedCodes | undefined
  keys: ProviderKeys
  stores: EmbeddedProviderStores
  organizationsOf: OrganizationsOfUser
  /** Unix epoch milliseconds. */
  clock: () => number
  onError: (error: unknown) => void
}

const minuteMs = 60_000
/** Paths where an anonymous request creates a row in the database. */
const startingPaths: ReadonlySet<string> = new Set([
  providerRoutes.authorization,
  providerRoutes.device_authorization,
  providerRoutes.code_verification,
  providerRoutes.end_session,
])
const startsPerAddress = { limit: 200, windowMs: 10 * minuteMs }
/** Wrong user codes; there are 2.5 * 10^10 codes (RFC 8628, section 5.1). */
const wrongCodesPerAddress = { limit: 20, windowMs: 10 * minuteMs }
const registrationsPerAddress = { limit: 60, windowMs: 10 * minuteMs }

/** Handles the requests below the embedded provider's path. */
export class ProviderServer {
  readonly #options: ProviderServerOptions
  readonly #signIn: SignIn
  readonly #polling = new DevicePolling()
  readonly #starts: Throttle
  readonly #wrongCodes: Throttle
  readonly #registrations: Throttle
  readonly #documents: ClientDocuments
  /** The gateway's own origins: no app's sign-in may redirect there. */
  readonly #ownOrigins: readonly string[]
  /** Requests with a user code that does not exist. */
  readonly #wrong = new WeakSet<IncomingMessage>()
  /** The user code in `verification_uri_complete`, by request. */
  readonly #openedWith = new WeakMap<IncomingMessage, string>()
  /** The caller's network, since `oidc-provider` looks up clients without passing on the request. */
  readonly #network = new AsyncLocalStorage<string>()
  #built: { provider: Provider; keys: KeySet } | undefined

  constructor(options: ProviderServerOptions) {
    this.#options = options
    this.#signIn = new SignIn(options.stores.users, options.rules, options.clock)
    this.#starts = new Throttle(startsPerAddress.limit, startsPerAddress.windowMs, options.clock)
    this.#wrongCodes = new Throttle(wrongCodesPerAddress.limit, wrongCodesPerAddress.windowMs, options.clock)
    const { limit, windowMs } = registrationsPerAddress
    this.#registrations = new Throttle(limit, windowMs, options.clock)
    this.#ownOrigins = [options.publicUrl, options.mcpResource].map((address) => new URL(address).origin)
    this.#documents = new ClientDocuments({
      read: options.readClientDocument,
      ownOrigins: this.#ownOrigins,
      clock: options.clock,
    })
  }

  /** Handles one request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, callerAddress: string): Promise<void> {
    response.setHeader('x-request-id', newIdentifier('req'))
    try {
      await this.#network.run(networkOf(callerAddress), () => this.#serve(request, response, callerAddress))
    } catch (error) {
      this.#options.onError(error)
      if (response.headersSent) response.destroy()
      else sendPage(response, errorPage(500, 'Something went wrong on our side.', { error: 'server_error' }))
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse, callerAddress: string): Promise<void> {
    if (request.url === stylePath) return this.#sendStyle(response)
    pinToPublicAddress(request, this.#options.publicUrl, callerAddress)
    const { provider, keys } = await this.#provider()
    const network = networkOf(callerAddress)
    if (request.url === registrationPath && this.#options.mcpClients.registration) {
      const context = {
        secrets: keys.cookies,
        ownOrigins: this.#ownOrigins,
        clock: this.#options.clock,
        takeTurn: () => this.#registrations.take(network),
      }
      return serveRegistration(context, request, response)
    }
    if (metadataPaths.has(request.url ?? '')) request.url = `${providerPath}/.well-known/openid-configuration`
    if (request.url?.startsWith(interactionPath) === true) {
      const { stores, organizationsOf, publicUrl, clock } = this.#options
      const context = {
        provider,
        signIn: this.#signIn,
        mailed: this.#options.mailed,
        users: stores.users,
        sessions: stores.sessions,
        organizationsOf,
        publicUrl,
        clock,
        secrets: keys.cookies,
        applicationName: (redirect: unknown) => applicationName(publicUrl, redirect),
      }
      return serveInteraction(context, request, response, callerAddress)
    }
    stripProviderPath(request)
    const url = request.url ?? ''
    if (!isKnownPath(url, request.method)) return sendPage(response, errorPage(404, 'Page not found.'))
    const [path = ''] = url.split('?', 1)
    if (request.method === 'POST' && path === providerRoutes.code_verification)
      return this.#serveUserCode(provider, request, response, network)
    const waitSeconds = startingPaths.has(path) ? this.#starts.take(network) : 0
    if (waitSeconds > 0) return sendPage(response, tooManyAttemptsPage(waitSeconds))
    this.#takeUserCode(request)
    await provider.callback()(request, response)
  }

  /** Counts a user code before the look-up, to include simultaneous ones; uncounts a right one. */
  async #serveUserCode(
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
    network: string,
  ): Promise<void> {
    const waitSeconds = this.#wrongCodes.take(network)
    if (waitSeconds > 0) return sendPage(response, tooManyAttemptsPage(waitSeconds))
    await provider.callback()(request, response)
    if (!this.#wrong.has(request)) this.#wrongCodes.giveBack(network)
  }

  /**
   * Removes a user code from the URL, since `oidc-provider` would submit it by a script. The code is put into
   * the form instead: the user should compare it anyway (RFC 8628, section 3.3.1).
   */
  #takeUserCode(request: IncomingMessage): void {
    const [path, query] = (request.url ?? '').split('?', 2)
    if (request.method !== 'GET' || path !== providerRoutes.code_verification || query === undefined) return
    const userCode = new URLSearchParams(query).get('user_code')
    if (userCode === null) return
    this.#openedWith.set(request, userCode)
    const { originalUrl } = request as IncomingMessage & { originalUrl: string }
    Object.assign(request, { url: path, originalUrl: originalUrl.split('?', 1)[0] })
  }

  /** Builds the provider on the first request and after a change of keys; its state is in the database. */
  async #provider(): Promise<{ provider: Provider; keys: KeySet }> {
    const keys = await this.#options.keys.current()
    if (this.#built?.keys !== keys) this.#built = { keys, provider: this.#build(keys) }
    return this.#built
  }

  #build(keys: KeySet): Provider {
    const { publicUrl, resource, mcpResource, mcpClients, stores, clock, onError } = this.#options
    return buildProvider({
      publicUrl,
      resource,
      mcpResource,
      mcpClients,
      findClient: (id) => this.#findClient(id, keys),
      keys,
      stores,
      polling: this.#polling,
      clock,
      userCodeOf: ({ req }: KoaContextWithOIDC) => this.#openedWith.get(req),
      onWrongCode: ({ req }: KoaContextWithOIDC) => void this.#wrong.add(req),
      onError,
    })
  }

  #findClient(id: string, { cookies: secrets }: KeySet): Promise<ClientMetadata | undefined> {
    const allowed = this.#options.mcpClients
    return findMcpClient(id, {
      allowed,
      documents: this.#documents,
      secrets,
      network: () => this.#network.getStore() ?? '',
    })
  }

  #sendStyle(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/css; charset=utf-8',
      'content-length': Buffer.byteLength(pageStyle),
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    })
    response.end(pageStyle)
  }
}
