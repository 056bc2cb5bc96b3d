import type { McpAddresses, McpAuthorization } from '@turnpike/identity'

/** What the MCP server needs to know about its callers. */
export interface McpServices {
  /** Called only after the server listens: with a random port, the addresses are not known before. */
  addresses: () => McpAddresses
  authorization: () => McpAuthorization
  /** The address of the issuer of its tokens. */
  issuer: () => string
}
