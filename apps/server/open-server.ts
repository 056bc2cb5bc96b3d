import type { IncomingMessage } from 'node:http'
import type { Gateway, GatewayLog } from '@turnpike/gateway'
import { networkOf } from '@turnpike/identity'
import {
  GatewayServer,
  McpEndpoint,
  PlaygroundEndpoint,
  type DeferredManagementApi,
  type HostRules,
} from '@turnpike/http'
import type { Storage } from '@turnpike/storage'
import packageManifest from '../../package.json' with { type: 'json' }
import type { Configuration } from './configuration/configuration.ts'
import { callerAddressReader } from './identity/caller-address.ts'
import type { Identity } from './identity/identity.ts'

/** A hundred a second: no agent needs more, and an agent in an endless loop is slowed down. */
const messagesPerMinute = 6_000

export interface ServerParts {
  gateway: Gateway
  storage: Pick<Storage, 'apiKeys' | 'organizations'>
  identity: Pick<Identity, 'services' | 'handle'>
  management: Pick<DeferredManagementApi, 'ask' | 'handle'>
  publicUrl: () => string
  clock: () => number
  log: GatewayLog
}

/** Opens the server and everything that it serves: pipeline, MCP server, sign-in, management API. */
export function openServer(
  configuration: Configuration,
  parts: ServerParts,
): { server: GatewayServer; mcp: McpEndpoint } {
  const { server: settings, overload, cors } = configuration
  const { gateway, identity, management } = parts
  const { maxHeaderBytes, bodyMs, drainDelayMs, drainMs, detachesStreams, trustedProxies } = settings
  const read = callerAddressReader(trustedProxies)
  const callerAddress: typeof read = (request) => networkOf(read(request))
  const limits = { maxHeaderBytes, bodyMs, callerAddress, drainDelayMs, drainMs, detachesStreams, overload }
  const mcp = mcpOf(configuration, parts, () => server)
  const server = new GatewayServer(
    gateway,
    (request, response) => {
      if (mcp.handle(request, response) || identity.handle(request, response)) return
      management.handle(request, response)
    },
    limits,
    {
      allowedOrigins: cors.allowedOrigins,
      hosts: () => hostRulesOf(configuration, parts.publicUrl),
      isMcp: (request: IncomingMessage) => mcp.serves(request),
      playground: playgroundOf(parts),
    },
  )
  return { server, mcp }
}

function playgroundOf({ identity, storage, publicUrl, clock }: ServerParts): PlaygroundEndpoint {
  return new PlaygroundEndpoint({
    accountOf: identity.services.accountOf,
    organizations: storage.organizations,
    keyHashOf: (accountId, memberId) =>
      storage.apiKeys.playgroundKeyHash(accountId, clock(), memberId ?? undefined),
    publicUrl,
  })
}

/** The MCP server. Its tools use this node's own API and pipeline. */
function mcpOf(
  { server, cors }: Configuration,
  { identity, gateway, storage, management, publicUrl, clock, log }: ServerParts,
  serverOf: () => GatewayServer,
): McpEndpoint {
  return new McpEndpoint({
    access: identity.services.mcp,
    publicUrl,
    allowedOrigins: cors.allowedOrigins,
    version: packageManifest.version,
    api: {
      gateway,
      admission: () => serverOf().admission,
      keys: storage.apiKeys,
      ask: (caller, request) => management.ask(caller, request),
      clock,
    },
    bodyMs: server.bodyMs,
    messagesPerMinute,
    log,
  })
}

export function hostRulesOf({ server, mcp }: Configuration, publicUrl: () => string): HostRules {
  const mcpHosts = mcp.publicUrl === null ? [] : [new URL(mcp.publicUrl).host]
  return {
    publicUrl: publicUrl(),
    allowedHosts: [...server.allowedHosts, ...mcpHosts],
    atAnyAddress: server.atAnyAddress,
  }
}
