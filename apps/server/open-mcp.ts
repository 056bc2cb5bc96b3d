import type { Gateway, GatewayLog } from '@turnpike/gateway'
import { McpEndpoint, type Admission, type DeferredManagementApi, type McpServices } from '@turnpike/http'
import type { Storage } from '@turnpike/storage'
import packageManifest from '../../package.json' with { type: 'json' }
import type { Configuration } from './configuration/configuration.ts'

export interface McpParts {
  access: McpServices
  gateway: Gateway
  storage: Pick<Storage, 'apiKeys'>
  management: Pick<DeferredManagementApi, 'ask'>
  /** Of the server, which stands behind this one. */
  admission: () => Admission
  publicUrl: () => string
  clock: () => number
  log: GatewayLog
}

/** The MCP server, whose tools are this node's own API and pipeline. */
export function openMcp({ server, cors }: Configuration, parts: McpParts): McpEndpoint {
  const { access, gateway, storage, management, admission, publicUrl, clock, log } = parts
  return new McpEndpoint({
    access,
    publicUrl,
    allowedOrigins: cors.allowedOrigins,
    version: packageManifest.version,
    api: {
      gateway,
      admission,
      keys: storage.apiKeys,
      ask: (caller, request) => management.ask(caller, request),
      clock,
    },
    bodyMs: server.bodyMs,
    log,
  })
}
