import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { TestKey, TestNode } from '../../nodes/test-node.ts'
import { allow, McpClient, newPersonAt } from '../../../apps/server/identity/testing/mcp-client.ts'
import { PageClient } from '../../../apps/server/identity/testing/page-client.ts'

export const everyScope = ['usage:read', 'alerts:read', 'keys:write', 'budgets:write', 'topup:write', 'chat']

/** An MCP client whose user has signed up and granted it scopes. */
export interface SignedInAgent {
  client: McpClient
  pages: PageClient
  accountId: string
  token: string
}

interface AgentOptions {
  name?: string
  /** URL of the MCP server. */
  url?: string
  /** Absent: host names are resolved. */
  fetch?: FetchLike
}

export async function signedInAgent(
  node: TestNode,
  scopes: readonly string[] = everyScope,
  { name = 'Test Agent', url = `${node.origin}/mcp`, fetch }: AgentOptions = {},
): Promise<SignedInAgent> {
  const client = new McpClient(url, { client_name: name })
  if (fetch !== undefined) client.fetch = fetch
  const pages = new PageClient()
  const consent = await newPersonAt(await client.begin(), pages)
  const { access_token: token } = await client.finish(await allow(pages, consent, scopes))
  const { accounts } = node.storage
  const [, payload = ''] = token.split('.')
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }
  const { account } = await accounts.provision({ subject: sub, tier: 'free' }, Date.now())
  return { client, pages, accountId: account.id, token }
}

/** A key of the agent's user, with credit. */
export function keyOf(node: TestNode, { accountId }: SignedInAgent, creditUsd = '5'): Promise<TestKey> {
  return node.createKey({ accountId, creditUsd })
}
