import type { IncomingMessage, ServerResponse } from 'node:http'
import { readPublicDocument, type GatewayLog, type UpstreamClient } from '@turnpike/gateway'
import {
  accountOfUserToken,
  defaultTier,
  type AuthDiscovery,
  type ManagementServices,
  type McpServices,
} from '@turnpike/http'
import {
  EmbeddedIssuer,
  LazyProvider,
  MailedCodes,
  ProviderKeys,
  RemoteIssuer,
  UserTokenVerifier,
  connectedApps,
  noConnectedApps,
  OwnLogin,
  SessionUses,
  embeddedClientId,
  operatorAddresses,
  providerScopes,
  type AccountStore,
  type EmbeddedProviderStores,
  type LoginLetter,
  type OrganizationStore,
  type TokenIssuer,
} from '@turnpike/identity'
import type { Configuration } from '../configuration/configuration.ts'
import { download } from '../prices/download.ts'
import { callerAddressReader } from './caller-address.ts'
import { mcpAccess, mcpAddressesOf } from './mcp-access.ts'
import { removeExpiredStates } from './expired-states.ts'

/** How users sign in, and what this node serves for it. */
export interface Identity {
  services: Pick<
    ManagementServices,
    | 'connectedApps'
    | 'deviceSignIns'
    | 'discovery'
    | 'identityAdministration'
    | 'logins'
    | 'identityProvider'
    | 'defaultTier'
  > & { mcp: McpServices; accountOf: ReturnType<typeof accountOfUserToken> }
  /** Returns true if the request was for the embedded provider, which then responds to it. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** Resolves when no mail is being sent. */
  close(): Promise<void>
}

export interface IdentityParts {
  accounts: AccountStore
  organizations: OrganizationStore
  /** An account was changed: this node must drop what it has cached of it. */
  onAccountChanged: (accountId: string) => void
  stores: EmbeddedProviderStores
  /** Sends a mail about a sign-in. Undefined: there is no mail server. */
  sendLogin?: ((letter: LoginLetter) => Promise<void>) | undefined
  /** Fetches the keys of an external issuer. */
  client: UpstreamClient
  log: GatewayLog
  /** Unix epoch milliseconds. */
  clock: () => number
  /** Without a trailing slash. With port 0 it is known only once the server listens. */
  publicUrl: () => string
}

/** Limits for a discovery document or a key set. Short, because a caller waits for the issuer. */
const issuerBounds = {
  maxBytes: 1024 * 1024,
  timeouts: { connectMs: 3_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 },
}

export function openIdentity(configuration: Configuration, parts: IdentityParts): Identity {
  const { identity } = configuration
  return identity.external === null
    ? openEmbedded(configuration, parts)
    : externalIdentity(configuration, identity.external, parts)
}

function externalIdentity(
  configuration: Configuration,
  { issuer: address, clientId }: { issuer: string; clientId: string },
  parts: IdentityParts,
): Identity {
  const { client, log, clock } = parts
  const issuer = new RemoteIssuer({
    issuer: address,
    fetchJson: async (url) => JSON.parse(await download(url, client, issuerBounds)) as unknown,
    clock,
    onError: (error) => log.warn({ error: String(error) }, 'the identity provider could not be reached'),
  })
  return {
    services: {
      ...userServices(configuration, parts, () => issuer, clientId),
      connectedApps: noConnectedApps,
    },
    handle: () => false,
    close: async () => undefined,
  }
}

function openEmbedded(configuration: Configuration, parts: IdentityParts): Identity {
  const { identity, server } = configuration
  const { stores, log, clock, publicUrl } = parts
  const operators = operatorAddresses(configuration.admin.operators)
  const keys = new ProviderKeys(stores.secrets, clock)
  const logFailure = (error: unknown): void =>
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'the identity provider failed')
  const mailed = openMailedCodes(configuration, parts)
  const provider = new LazyProvider(() => ({
    publicUrl: publicUrl(),
    resource: resourceOf(configuration, parts),
    mcpResource: mcpAddressesOf(configuration, publicUrl()).resource,
    mcpClients: configuration.mcp.clients,
    readClientDocument: (address) => readPublicDocument(address),
    rules: { ...identity, isOperatorAddress: (email) => operators.mayInclude(email) },
    mailed,
    keys,
    stores,
    organizationsOf: (userId) => organizationsOfUser(userId, parts),
    clock,
    onError: logFailure,
  }))
  const callerAddress = callerAddressReader(server.trustedProxies)
  const removals = [stores.state, stores.sessions, stores.mailedCodes].map((store) =>
    removeExpiredStates(store, clock, logFailure),
  )
  let issuer: EmbeddedIssuer | undefined
  const issuerOf = (): EmbeddedIssuer => (issuer ??= new EmbeddedIssuer(publicUrl(), keys))
  return {
    services: {
      ...userServices(configuration, parts, issuerOf, embeddedClientId),
      connectedApps: connectedApps(stores.state, clock),
      logins: {
        sessions: stores.sessions,
        own: new OwnLogin(stores.users, identity, clock, mailed),
        mailed,
      },
      identityAdministration: { invites: stores.invites, rotateKeys: () => keys.rotate() },
    },
    handle(request, response) {
      if (!provider.serves(request.url)) return false
      provider.handle(request, response, callerAddress(request)).catch((error: unknown) => {
        logFailure(error)
        response.destroy()
      })
      return true
    },
    async close() {
      removals.forEach((removal) => removal.stop())
      await mailed?.waitUntilIdle()
    },
  }
}

function openMailedCodes(
  { identity }: Configuration,
  { stores, sendLogin: send, publicUrl, clock, log }: IdentityParts,
): MailedCodes | undefined {
  if (send === undefined) return undefined
  return new MailedCodes({
    users: stores.users,
    codes: stores.mailedCodes,
    send,
    registration: identity.registration,
    publicUrl,
    clock,
    onFailure: (error) => log.warn({ error: String(error) }, 'an email about a sign-in was not sent'),
  })
}

/** The organizations of the user's account; none if the user has not used it yet. */
async function organizationsOfUser(
  userId: string,
  { accounts, organizations }: Pick<IdentityParts, 'accounts' | 'organizations'>,
): Promise<{ id: string; name: string; role: string }[]> {
  const { rows } = await accounts.list({ limit: 2 }, { search: userId })
  const account = rows.find(({ subject }) => subject === userId)
  if (account === undefined) return []
  return (await organizations.ofPerson(account.id)).filter(({ status }) => status === 'active')
}

/** What both kinds of provider have in common. The address is read with the first token, when it is known. */
function userServices(
  configuration: Configuration,
  parts: IdentityParts,
  issuerOf: () => TokenIssuer,
  clientId: string,
): Identity['services'] {
  const { accounts, clock, stores, log } = parts
  const callerAddress = callerAddressReader(configuration.server.trustedProxies)
  const uses = new SessionUses(stores.sessions, clock, (error) =>
    log.warn({ error: String(error) }, 'the last use of a session could not be saved'),
  )
  let verifier: UserTokenVerifier | undefined
  const verifierOf = (): UserTokenVerifier =>
    (verifier ??= new UserTokenVerifier({
      issuer: issuerOf(),
      resource: resourceOf(configuration, parts),
      knowsLogins: configuration.identity.external === null,
      rolesClaim: configuration.identity.roles?.claim,
      clock,
    }))
  return {
    accountOf: accountOfUserToken({
      verify: (raw) => verifierOf().verify(raw),
      accounts,
      operators: operatorAddresses(configuration.admin.operators),
      roles: rolesOf(configuration, parts),
      tier: defaultTier,
      onUse: (sessionId, request) =>
        uses.recordUse(sessionId, request.headers['user-agent'], callerAddress(request)),
      clock,
    }),
    discovery: () => discoveryOf(issuerOf(), clientId, resourceOf(configuration, parts)),
    identityProvider: configuration.identity.name,
    mcp: mcpAccess(configuration, parts, issuerOf),
    defaultTier,
  }
}

function rolesOf({ identity }: Configuration, { organizations, onAccountChanged }: IdentityParts) {
  if (identity.roles === null) return undefined
  return { mappings: identity.roles.mappings, organizations, onChanged: onAccountChanged }
}

async function discoveryOf(issuer: TokenIssuer, clientId: string, resource: string): Promise<AuthDiscovery> {
  const endpoints = await issuer.endpoints()
  return {
    issuer: issuer.issuer,
    client_id: clientId,
    authorization_endpoint: endpoints.authorizationEndpoint,
    device_authorization_endpoint: endpoints.deviceAuthorizationEndpoint,
    token_endpoint: endpoints.tokenEndpoint,
    scopes: providerScopes,
    resource,
  }
}

function resourceOf({ identity }: Configuration, { publicUrl }: IdentityParts): string {
  return identity.resource ?? publicUrl()
}
