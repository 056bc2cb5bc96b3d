import { EmbeddedIssuer, grantsOf, McpTokenVerifier, mcpAddresses, ProviderKeys } from '@turnpike/identity'
import type { TestNode } from '../../../../tests/nodes/test-node.ts'

/** Verifies tokens as the node's own MCP server does, on the node's own stores. */
export function mcpVerifierOf({ origin, storage }: TestNode, resource = `${origin}/mcp`): McpTokenVerifier {
  const clock = (): number => Date.now()
  return new McpTokenVerifier({
    issuer: new EmbeddedIssuer(origin, new ProviderKeys(storage.identity.secrets, clock)),
    resource,
    metadataUrl: mcpAddresses(resource, origin).metadataUrl,
    accounts: storage.accounts,
    organizations: storage.organizations,
    tier: 'free',
    grantOf: grantsOf(storage.identity.state, clock),
    clock,
  })
}
