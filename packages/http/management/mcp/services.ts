import type { McpAddresses, McpAuthorization } from '@turnpike/identity'

/** What the MCP server needs of who may call it. */
export interface McpServices {
  /** Asked for once the server listens: with a port taken by chance they are not known before. */
  addresses: () => McpAddresses
  authorization: () => McpAuthorization
  /** Who gives out tokens for it: the issuer's own address. */
  issuer: () => string
}
