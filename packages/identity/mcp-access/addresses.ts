/** The addresses of the MCP server and its metadata. */
export interface McpAddresses {
  /** The server's own address, and the resource that its tokens must be for; without a slash at the end. */
  resource: string
  /** The path at which the gateway serves it. */
  path: string
  /** The address of the protected resource's metadata, for challenges (RFC 9728, section 3.1). */
  metadataUrl: string
  /** Paths of the metadata; the one without the server's path is for clients that try it first. */
  metadataPaths: string[]
}

const metadataPath = '/.well-known/oauth-protected-resource'

/**
 * @param resource without a slash at the end
 * @param publicUrl the gateway's address, without a slash at the end. If a proxy strips this URL's path, it
 * does so for the MCP server below it too
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
