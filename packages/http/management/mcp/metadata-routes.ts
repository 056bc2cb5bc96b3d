import { mcpScopeNames } from '@turnpike/identity'
import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { McpServices } from './services.ts'

const text = Type.String()
const texts = Type.Array(text)
const metadataSchema = Type.Object({
  resource: text,
  authorization_servers: texts,
  scopes_supported: texts,
  bearer_methods_supported: texts,
  resource_name: text,
})

/**
 * Tells an MCP client who issues tokens (RFC 9728, section 2). Open, also to pages of other origins, since
 * web applications are MCP clients too.
 */
export function registerMcpMetadata(app: ManagementApp, { addresses, issuer }: McpServices): void {
  const { resource, metadataPaths } = addresses()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
  })
  for (const path of metadataPaths) {
    app.get(path, { schema: { response: { 200: metadataSchema } } }, () => ({
      resource,
      authorization_servers: [issuer()],
      scopes_supported: mcpScopeNames,
      bearer_methods_supported: ['header'],
      resource_name: 'Turnpike',
    }))
    // Clients send their protocol version in a header, which browsers ask permission for.
    app.options(path, (_request, reply) =>
      reply
        .headers({ 'access-control-allow-methods': 'GET', 'access-control-allow-headers': '*' })
        .code(204)
        .send(),
    )
  }
}
