import { operationsOf } from '../operation.ts'
import { listOf } from './examples.ts'

const issuer = 'https://llm.example.com'
const app = {
  id: 'V1StGXR8_Z5jdHi6B-myTkq3LwNf7cPaYeUo2sRxQhM',
  object: 'connected_app',
  name: 'Claude Code',
  host: null,
  scopes: ['usage:read', 'chat'],
  organization_id: null,
  organization_name: null,
  created_at: 1741046400,
  last_renewed_at: 1741132800,
}

/** The apps that may use the MCP server. */
export const mcpOperations = operationsOf('Devices', {
  'GET /connected-apps': {
    id: 'listConnectedApps',
    summary: 'List connected apps',
    description:
      'The apps that you have allowed to use the MCP server, one entry per sign-in, newest first: the ' +
      '200 newest that still have access. `name` is what an app calls itself. With an external identity ' +
      'provider the list is empty, since that manages its own grants.',
    answer: listOf(app),
  },
  'DELETE /connected-apps/:app_id': {
    id: 'endConnectedApp',
    summary: 'Disconnect an app',
    description: 'All of its tokens become invalid at once, on every node.',
    audited: true,
    answer: { id: app.id, deleted: true },
  },
  'GET /.well-known/oauth-protected-resource': {
    id: 'getMcpMetadata',
    summary: 'Authorization server of the MCP server',
    description:
      'RFC 9728, for MCP clients; the same is at this path with that of the MCP server behind it, as in ' +
      '`/.well-known/oauth-protected-resource/mcp`. Tokens are for `resource` alone.',
    answer: {
      resource: `${issuer}/mcp`,
      authorization_servers: [`${issuer}/oidc`],
      scopes_supported: ['usage:read', 'alerts:read', 'keys:write', 'budgets:write', 'topup:write', 'chat'],
      bearer_methods_supported: ['header'],
      resource_name: 'Turnpike',
    },
  },
})
