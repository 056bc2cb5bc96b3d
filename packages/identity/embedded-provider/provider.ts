import { EventEmitter } from 'node:events'
import Provider, {
  type Account,
  type AccountClaims,
  type ClientMetadata,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { generationClaim, sessionClaim } from '../user-tokens/user-token.ts'
import {
  embeddedIssuer,
  providerPath,
  providerRoutes,
  providerScopes,
  registrationPath,
} from './addresses.ts'
import { clientsAt } from './clients.ts'
import { grantOf, promptsOf } from './interactions/consent-policy.ts'
import { devicePages } from './interactions/device-pages.ts'
import { pollIntervalSeconds, type DevicePolling } from './interactions/device-polling.ts'
import { interactionPath } from './interactions/interactions.ts'
import { sessionOfGrant, type SessionParts } from './logins/login-session.ts'
import { userOfLogin } from './logins/login.ts'
import {
  announceMcp,
  isMcpClient,
  isOwnOrigin,
  keepFromStrangers,
  mcpScopesOf,
  mcpTokenClaims,
  refuseOwnPlaces,
  resourceServer,
} from './interactions/mcp-policy.ts'
import { errorPage, signedOutPage, signOutPage } from './pages/messages.ts'
import { originOf } from './pages/page.ts'
import { signingAlgorithm, type KeySet } from './provider-keys.ts'
import { showPage } from './interactions/show-page.ts'
import { stateAdapter } from './state-adapter.ts'
import type { EmbeddedProviderStores, ProviderUser, ProviderUserStore } from './stores.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** In seconds. A refresh token is renewed with each use; a login in use ends with its grant. */
const lifetimes = {
  AccessToken: hour,
  AuthorizationCode: minute,
  DeviceCode: 10 * minute,
  Grant: 365 * day,
  IdToken: hour,
  Interaction: hour,
  RefreshToken: 30 * day,
  Session: (_context: unknown, session: { accountId?: string | undefined }) =>
    // A session without a user: it was created for a form, by an anonymous request.
    session.accountId === undefined ? hour : 14 * day,
}

/**
 * Headers of responses that are not our own pages. If `oidc-provider` submits a form by a script (without
 * scripts, by a button), it adds that script's hash to the policy itself.
 */
const defaultHeaders = {
  'content-security-policy': "default-src 'none'; script-src; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

export interface ProviderParts {
  /** Without a slash at the end. */
  publicUrl: string
  /** The `aud` of access tokens. */
  resource: string
  /** The `aud` of MCP clients' tokens. */
  mcpResource: string
  /** Which apps are accepted, for the metadata. */
  mcpClients: { documents: boolean; registration: boolean }
  /** Finds an MCP app by its identifier. */
  findClient: (id: string) => Promise<ClientMetadata | undefined>
  keys: KeySet
  stores: EmbeddedProviderStores
  polling: DevicePolling
  clock: () => number
  /** The user code that a page was opened with. */
  userCodeOf: (context: KoaContextWithOIDC) => string | undefined
  onWrongCode: (context: KoaContextWithOIDC) => void
  onError: (error: unknown) => void
}

/** Configures `oidc-provider`: our public client and MCP's, PKCE, devices, and JWTs for one resource each. */
export function buildProvider(parts: ProviderParts): Provider {
  const provider = new Provider(embeddedIssuer(parts.publicUrl), configurationOf(parts))
  provider.proxy = true
  provider.on('server_error', (_context, error) => parts.onError(error))
  provider.on('authorization.error', keepFromStrangers)
  // Koa's own event; without a listener its errors would go to the console.
  EventEmitter.prototype.on.call(provider, 'error', (error: unknown) => parts.onError(error))
  provider.use(async (context, next) => {
    context.set(defaultHeaders)
    await next()
    await endSignedOut(context as KoaContextWithOIDC, parts)
    answerPolls(context as KoaContextWithOIDC, parts)
    announceMcp(context as KoaContextWithOIDC, parts.publicUrl + registrationPath, parts.mcpClients)
  })
  return provider
}

function configurationOf(parts: ProviderParts): Configuration {
  const { publicUrl, keys, stores } = parts
  return {
    adapter: stateAdapter(
      stores.state,
      parts.clock,
      (login, browserUid) => isCurrent(parts, login, browserUid),
      parts.findClient,
      (grantId) => endOfGrant(parts, grantId),
    ),
    clients: clientsAt(publicUrl),
    jwks: { keys: keys.signing },
    cookies: {
      keys: keys.cookies,
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: providerPath },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: providerRoutes,
    scopes: providerScopes,
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    // The dashboard's own origin: browsers send it in a POST to their own origin too.
    clientBasedCORS: (_context, origin, client) =>
      origin === new URL(publicUrl).origin || (isMcpClient(client) && isOwnOrigin(origin, client)),
    pkce: { required: () => true },
    ttl: lifetimes,
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // Signing out in a browser does not end the apps that the person has connected.
    expiresWithSession: ({ oidc }, source) =>
      !isMcpClient(oidc.client) && !source.scopes.has('offline_access'),
    features: featuresOf(parts),
    interactions: {
      policy: promptsOf(publicUrl),
      url: (_context, interaction) => interactionPath + interaction.uid,
    },
    // Without a scope, all are granted: a device flow by hand need not name any (RFC 8628, section 3.1).
    extraParams: {
      scope({ oidc }, value) {
        if (oidc.params === undefined) return
        if (isMcpClient(oidc.client)) {
          refuseOwnPlaces(oidc.params['redirect_uri'], [publicUrl, parts.mcpResource])
          oidc.params['scope'] = mcpScopesOf(value)
        } else if (value === undefined) oidc.params['scope'] = providerScopes.join(' ')
      },
    },
    findAccount: (_context, login, token) => accountOf(stores.users, login, token !== undefined),
    // Uses the user found for this request: a second look-up might find that the login has ended.
    extraTokenClaims: ({ oidc }, token) => {
      const { user } = (oidc.account ?? {}) as Partial<LoggedIn>
      if (oidc.client === undefined || user === undefined || !('grantId' in token)) return undefined
      return isMcpClient(oidc.client)
        ? mcpTokenClaims(oidc.client, token, user)
        : tokenClaimsOf(user, sessionOfGrant(token.grantId))
    },
    loadExistingGrant: (context) => grantOf(context, sessionPartsOf(parts)),
    renderError(context, { error, error_description: description }) {
      const isOurs = error === 'server_error'
      const message = isOurs
        ? 'Something went wrong on our side.'
        : 'The application sent an invalid request.'
      showPage(context, errorPage(context.status, message, { error, description }))
    },
  }
}

function featuresOf({
  resource,
  mcpResource,
  ...parts
}: ProviderParts): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
    },
    userinfo: { enabled: false },
    deviceFlow: {
      enabled: true,
      // `pinToPublicAddress` has set this address.
      deviceInfo: (context) => ({ address: context.ip, userAgent: context.get('user-agent') }),
      ...devicePages({
        users: parts.stores.users,
        userCodeOf: parts.userCodeOf,
        onWrongCode: parts.onWrongCode,
      }),
    },
    resourceIndicators: {
      enabled: true,
      // A client that names no resource means the only one that it may name.
      defaultResource: (_context, client) => (isMcpClient(client) ? mcpResource : resource),
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, indicator, client) => ({
        ...resourceServer(indicator, client, { resource, mcpResource }),
        accessTokenFormat: 'jwt',
        accessTokenTTL: lifetimes.AccessToken,
        jwt: { sign: { alg: signingAlgorithm } },
      }),
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource(context) {
        const { state } = context.oidc.session ?? {}
        const { secret, postLogoutRedirectUri: leadsTo } = (state ?? {}) as Record<string, string | undefined>
        const action = new URL(context.oidc.urlFor('end_session_confirm')).pathname
        showPage(context, signOutPage(action, secret ?? '', leadsTo === undefined ? [] : [originOf(leadsTo)]))
      },
      postLogoutSuccessSource: (context) => showPage(context, signedOutPage()),
    },
  }
}

interface LoggedIn extends Account {
  user: ProviderUser
}

/**
 * Undefined for a login that has ended: its codes and refresh tokens are then rejected.
 * @param isForToken a token is about to be issued, which names the user and not the login
 */
async function accountOf(
  users: ProviderUserStore,
  login: string,
  isForToken: boolean,
): Promise<LoggedIn | undefined> {
  const user = await userOfLogin(users, login)
  if (user === undefined) return undefined
  const claims = (): AccountClaims => ({ sub: user.id, ...profileOf(user) })
  return { accountId: isForToken ? user.id : login, claims, user }
}

function profileOf({ email, emailVerified, name }: ProviderUser) {
  return {
    ...(email !== null && { email, email_verified: emailVerified }),
    ...(name !== null && { name }),
  }
}

function tokenClaimsOf(user: ProviderUser, sessionId: string | undefined) {
  const { loginGeneration } = user
  return {
    ...profileOf(user),
    ...(loginGeneration > 0 && { [generationClaim]: loginGeneration }),
    ...(sessionId !== undefined && { [sessionClaim]: sessionId }),
  }
}

function sessionPartsOf({ stores, publicUrl, clock }: ProviderParts): SessionParts {
  return { users: stores.users, sessions: stores.sessions, publicUrl, clock }
}

async function isCurrent(
  { stores: { users, sessions } }: ProviderParts,
  login: string,
  browserUid: string | undefined,
): Promise<boolean> {
  if ((await userOfLogin(users, login)) === undefined) return false
  return browserUid === undefined || !(await sessions.isEnded(browserUid))
}

/** A command line has one grant, and its session ends with it. */
async function endOfGrant({ stores, clock }: ProviderParts, grantId: string): Promise<void> {
  const sessionId = sessionOfGrant(grantId)
  if (sessionId !== undefined) await stores.sessions.endOfCommandLine(sessionId, clock())
}

/** Signing out applies to all tabs: whatever each of them has of the session is invalid from then on. */
async function endSignedOut({ oidc }: KoaContextWithOIDC, { stores, clock }: ProviderParts): Promise<void> {
  const session = oidc?.session as { uid: string; destroyed?: boolean } | undefined
  if (session?.destroyed === true) await stores.sessions.endOfBrowser(session.uid, clock())
}

/** `oidc-provider` neither sends the interval nor slows clients down (RFC 8628, sections 3.2 and 3.5). */
function answerPolls(context: KoaContextWithOIDC, { polling, clock }: ProviderParts): void {
  const body = context.body as Record<string, unknown> | undefined
  if (context.path === providerRoutes.device_authorization && typeof body?.['device_code'] === 'string') {
    body['interval'] = pollIntervalSeconds
  }
  if (context.path !== providerRoutes.token || body?.['error'] !== 'authorization_pending') return
  const deviceCode = String(context.oidc.params?.['device_code'])
  if (!polling.isTooEarly(deviceCode, clock())) return
  body['error'] = 'slow_down'
  body['error_description'] = 'poll less often: increase the interval by 5 seconds'
}
