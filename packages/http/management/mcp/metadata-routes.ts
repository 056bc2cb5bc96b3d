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
 * Where an MCP client learns who gives out tokens (RFC 9728, section 2). Open, for pages of other origins
 * too: web applications are MCP clients.
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
    // Clients tell their version of the protocol in a header, for which browsers ask first.
    app.options(path, (_request, reply) =>
      reply
        .headers({ 'access-control-allow-methods': 'GET', 'access-control-allow-headers': '*' })
        .code(204)
        .send(),
    )
  }
}
