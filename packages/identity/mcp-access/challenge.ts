import { mcpScopeNames, type McpScope } from './scopes.ts'
import type { McpRefusal } from './mcp-access.ts'

/**
 * A request without a token. It gets no error code, since no token was wrong (RFC 6750, section 3.1). All
 * scopes are listed, since a client requests the scopes listed here, and the person who consents can leave
 * some out.
 */
export function missingMcpToken(metadataUrl: string): McpRefusal {
  return {
    status: 401,
    wwwAuthenticate: challenge({ resource_metadata: metadataUrl, scope: mcpScopeNames.join(' ') }),
    message: 'The MCP server needs an access token: `Authorization: Bearer <token>`.',
  }
}

/** @param message without double quotes */
export function invalidMcpToken(metadataUrl: string, message: string): McpRefusal {
  return {
    status: 401,
    wwwAuthenticate: challenge({
      error: 'invalid_token',
      error_description: plain(message),
      resource_metadata: metadataUrl,
      scope: mcpScopeNames.join(' '),
    }),
    message,
  }
}

/** The token is valid, but its account may do nothing: another token would not help. */
export function accountRefused(metadataUrl: string, message: string): McpRefusal {
  const wwwAuthenticate = challenge({
    error: 'access_denied',
    error_description: plain(message),
    resource_metadata: metadataUrl,
  })
  return { status: 403, wwwAuthenticate, message }
}

export function insufficientScope(metadataUrl: string, needed: readonly McpScope[]): McpRefusal {
  const message = `This requires the scope \`${needed.join(' ')}\`, which was not granted.`
  const wwwAuthenticate = challenge({
    error: 'insufficient_scope',
    scope: needed.join(' '),
    resource_metadata: metadataUrl,
    error_description: plain(message),
  })
  return { status: 403, wwwAuthenticate, message }
}

/** RFC 9110, section 11.6.1. Our own texts contain neither quotes nor backslashes. */
function challenge(parameters: Record<string, string>): string {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${written.join(', ')}`
}

function plain(message: string): string {
  return message.replaceAll('`', "'")
}
