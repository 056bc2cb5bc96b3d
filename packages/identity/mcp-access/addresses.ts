/** Where the MCP server and its metadata are. */
export interface McpAddresses {
  /** The server's own address, which is also what tokens must be for; without a slash at the end. */
  resource: string
  /** Where the gateway serves it. */
  path: string
  /** Of the protected resource's metadata, as challenges name it (RFC 9728, section 3.1). */
  metadataUrl: string
  /** Where the gateway serves that; the one without the server's path is for clients that ask there first. */
  metadataPaths: string[]
}

const metadataPath = '/.well-known/oauth-protected-resource'

/**
 * @param resource without a slash at the end
 * @param publicUrl of the gateway, without a slash at the end: where a proxy takes off its path, it does so
 *   for the MCP server below it too
 */
export function mcpAddresses(resource: string, publicUrl: string): McpAddresses {
  const { origin, pathname } = new URL(resource)
  const full = pathname === '/' ? '' : pathname
  const path = resource.startsWith(`${publicUrl}/`) ? resource.slice(publicUrl.length) : full
  return {
    resource,
    path: path === '' ? '/' : path,
    metadataUrl: origin + metadataPath + full,
    metadataPaths: [...new Set(['', path, full])].map((suffix) => metadataPath + suffix),
  }
}
