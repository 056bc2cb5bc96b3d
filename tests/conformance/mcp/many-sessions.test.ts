import { queryObjects } from 'node:v8'
import { Server } from '@modelcontextprotocol/server'
import { InnerExchange } from '@turnpike/http'
import { beforeAll, expect, test } from 'vitest'
import { callTool, rpc, send } from './raw-client.ts'
import { keyOf, signedInAgent, type SignedInAgent } from './signed-in-agent.ts'
import { suiteNode } from '../../nodes/suite.ts'

/** Nothing is kept of a request after its response, however it ended. */

const sessions = 1_000

let agent: SignedInAgent

const node = suiteNode({ server: { port: 0 } })
beforeAll(async () => {
  agent = await signedInAgent(node)
  await keyOf(node, agent)
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'many', version: '1' } },
}
const balance = rpc('tools/call', { name: 'balance' })
const old = { 'mcp-protocol-version': '2025-11-25' }

/** A client's session: connects, lists the tools, calls one, and closes, except every tenth client. */
async function session(index: number): Promise<number[]> {
  const { token } = agent
  const leaves = index % 10 === 0
  const prompt = leaves ? 'Hello [sandbox: delay=30s]' : 'Hello'
  const chat = rpc('tools/call', { name: 'chat', arguments: { prompt, model: 'sandbox/echo' } })
  const asked = await Promise.all([
    send(node, { token, body: initialize, headers: old }),
    send(node, { token, body: rpc('tools/list') }),
    send(node, { token, body: { ...balance, params: { name: 'balance' } }, headers: old }),
    send(node, { token, body: balance }),
  ])
  const statuses = asked.map(({ status }) => status)
  if (index % 5 !== 0) return statuses
  const signal = leaves ? AbortSignal.timeout(200) : AbortSignal.timeout(120_000)
  const last = await send(node, { token, body: chat, signal }).catch(() => undefined)
  return last === undefined ? statuses : [...statuses, last.status]
}

/** Counts what is still reachable: V8 collects all other objects before it counts. */
function left(): { servers: number; exchanges: number } {
  return {
    servers: queryObjects(Server, { format: 'count' }),
    exchanges: queryObjects(InnerExchange, { format: 'count' }),
  }
}

test('a thousand sessions at once leave nothing behind', async () => {
  await callTool(node, agent.token, 'balance')
  const statuses = await Promise.all(Array.from({ length: sessions }, (_, index) => session(index)))
  expect(new Set(statuses.flat())).toEqual(new Set([200]))
  await expect.poll(left, { timeout: 60_000, interval: 1_000 }).toEqual({ servers: 0, exchanges: 0 })
  const { data } = await node.admin<{ data: { tags: string[] }[] }>(
    `/accounts/${agent.accountId}/usage/requests?limit=1`,
  )
  expect(data[0]!.tags).toEqual(['mcp:Test Agent'])
})
