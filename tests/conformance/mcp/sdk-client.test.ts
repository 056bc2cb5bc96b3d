import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import * as legacyHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf, signedInAgent, type SignedInAgent } from './signed-in-agent.ts'
import { suiteNode } from '../../nodes/suite.ts'

/** The official SDK's clients, of the revision without sessions and of the earlier ones. */

let agent: SignedInAgent
const open: { close(): Promise<void> }[] = []

const node = suiteNode({ server: { port: 0 } })
beforeAll(async () => {
  agent = await signedInAgent(node)
  await keyOf(node, agent)
})
afterAll(async () => {
  for (const one of open) await one.close()
})

interface ToolResult {
  isError?: boolean
  content: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** What both versions of the client have in common. */
interface AnyClient {
  revision: string | undefined
  tools(): Promise<{ name: string }[]>
  call(name: string, input?: object, onProgress?: (message: string) => void): Promise<ToolResult>
}

async function modern({ client: provider }: SignedInAgent): Promise<AnyClient> {
  const client = new Client({ name: 'a test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  open.push(client)
  const url = new URL(provider.serverUrl)
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider as never }))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}, onProgress) =>
      (await client.callTool(
        { name, arguments: { ...input } },
        onProgress && { onprogress: ({ message }) => onProgress(message ?? '') },
      )) as unknown as ToolResult,
  }
}

async function legacy({ client: provider }: SignedInAgent): Promise<AnyClient> {
  const client = new LegacyClient({ name: 'a test', version: '1' })
  open.push(client)
  const transport = new legacyHttp.StreamableHTTPClientTransport(new URL(provider.serverUrl), {
    authProvider: provider,
  })
  await client.connect(transport)
  return {
    revision: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}, onProgress) =>
      (await client.callTool(
        { name, arguments: { ...input } },
        undefined,
        onProgress && { onprogress: ({ message }) => onProgress(message ?? '') },
      )) as unknown as ToolResult,
  }
}

describe.each([
  { revision: '2026-07-28', connect: modern },
  { revision: '2025-11-25', connect: legacy },
])('a client of revision $revision', ({ revision, connect }) => {
  let client: AnyClient

  beforeAll(async () => {
    client = await connect(agent)
  })

  test('uses that revision, and finds every tool', async () => {
    expect(client.revision).toBe(revision)
    const tools = await client.tools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_models',
      'chat',
      'route',
      'balance',
      'usage',
      'health',
      'list_budgets',
      'create_budget',
      'update_budget',
      'delete_budget',
      'list_alerts',
      'list_events',
      'list_deliveries',
      'delivery',
      'list_keys',
      'create_key',
      'top_up',
      'top_up_status',
    ])
  })

  test('calls a model, gets the cost, and finds it in the usage', async () => {
    const before = await client.call('balance')
    expect(before.structuredContent).toMatchObject({ currency: 'USD' })
    const tags = [`revision:${revision}`]
    const answer = await client.call('chat', { prompt: 'Hello', model: 'sandbox/echo', tags })
    const { cost_usd: cost } = answer.structuredContent as { cost_usd: string }
    expect(answer.structuredContent).toMatchObject({ model: 'sandbox/echo', content: 'Hello' })
    expect(answer.content[1]!.text).toContain(`$${cost}`)
    expect(answer._meta).toMatchObject({ 'turnpike/cost_usd': cost })
    const usage = await client.call('usage', { days: 1, by: ['tag'], tag: tags })
    expect(usage.structuredContent).toMatchObject({ total_requests: 1, total_cost_usd: cost })
    const { rows } = usage.structuredContent as { rows: { group: string }[] }
    expect(rows.map(({ group }) => group).toSorted()).toEqual(['mcp:Test Agent', ...tags])
  })
})
