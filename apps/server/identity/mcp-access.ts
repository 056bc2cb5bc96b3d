import { defaultTier, type McpServices } from '@turnpike/http'
import {
  grantsOf,
  mcpAddresses,
  McpTokenVerifier,
  type AccountStore,
  type EmbeddedProviderStores,
  type McpAddresses,
  type OrganizationStore,
  type TokenIssuer,
} from '@turnpike/identity'
import type { Configuration } from '../configuration/configuration.ts'

export interface McpAccessParts {
  accounts: Pick<AccountStore, 'signIn'>
  organizations: Pick<OrganizationStore, 'actingMember'>
  stores: Pick<EmbeddedProviderStores, 'state'>
  clock: () => number
  /** Without a trailing slash; read once the server listens. */
  publicUrl: () => string
}

/** Who may call the MCP server: apps of users, with tokens whose only audience is the MCP server. */
export function mcpAccess(
  configuration: Configuration,
  parts: McpAccessParts,
  issuerOf: () => TokenIssuer,
): McpServices {
  const { accounts, organizations, stores, clock } = parts
  const isEmbedded = configuration.identity.external === null
  let verifier: McpTokenVerifier | undefined
  return {
    addresses: () => mcpAddressesOf(configuration, parts.publicUrl()),
    authorization() {
      const { resource, metadataUrl } = mcpAddressesOf(configuration, parts.publicUrl())
      verifier ??= new McpTokenVerifier({
        issuer: issuerOf(),
        resource,
        metadataUrl,
        accounts,
        organizations,
        tier: defaultTier,
        ...(isEmbedded && { grantOf: grantsOf(stores.state, clock) }),
        clock,
      })
      return verifier
    },
    issuer: () => issuerOf().issuer,
  }
}

export function mcpAddressesOf({ mcp }: Configuration, publicUrl: string): McpAddresses {
  return mcpAddresses(mcp.publicUrl ?? `${publicUrl}/mcp`, publicUrl)
}
