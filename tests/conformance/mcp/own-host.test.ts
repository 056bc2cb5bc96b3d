import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../nodes/test-node.ts'
import { suiteNode } from '../../nodes/suite.ts'
import { revision, rpc, type RpcAnswer } from './raw-client.ts'
import { everyScope, keyOf, signedInAgent, type SignedInAgent } from './signed-in-agent.ts'

/** An MCP server at a host of its own, from which a proxy passes requests to the gateway. */

const ownUrl = 'http://mcp.example/'

interface Asked {
  method?: string
  path?: string
  host?: string
  token?: string
  body?: object
}

const inputFor = (publicUrl: string) => ({ server: { port: 0 }, mcp: { public_url: publicUrl } })

/** A request as the proxy passes it on; the host's name is not resolved. */
async function ask(
  { origin }: TestNode,
  { method = 'POST', path = '/', host = 'mcp.example', token, body }: Asked,
): Promise<Response> {
  const { hostname, port } = new URL(origin)
  const message = (body ?? {}) as { method?: string; params?: { name?: string } }
  const headers = {
    host,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(message.method !== undefined && { 'mcp-method': message.method }),
    ...(message.params?.name !== undefined && { 'mcp-name': message.params.name }),
  }
  const asked = request({ hostname, port, method, path, headers, agent: false })
  asked.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const lines = Object.entries(answer.headersDistinct).map(([name, values = []]): [string, string] => [
    name,
    values.join(', '),
  ])
  return new Response(await textOf(answer), { status: answer.statusCode ?? 0, headers: lines })
}

/** Signs in by the SDK; requests to the MCP host go through the proxy. */
function signInThere(node: TestNode): Promise<SignedInAgent> {
  return signedInAgent(node, everyScope, {
    url: ownUrl,
    fetch: (address, init = {}) => {
      const url = new URL(address)
      if (url.origin !== new URL(ownUrl).origin) return fetch(url, init)
      return ask(node, { method: init.method ?? 'GET', path: url.pathname })
    },
  })
}

const list = rpc('tools/list')

describe('an MCP server at a host of its own', () => {
  let token: string

  const node = suiteNode(() => inputFor(ownUrl))
  beforeAll(async () => {
    const agent = await signInThere(node)
    token = agent.token
    await keyOf(node, agent)
  })

  test('is where the refusal points to the metadata, which names the host', async () => {
    const refused = await ask(node, { host: 'MCP.example', body: list })
    expect(refused.status).toBe(401)
    const metadata = 'http://mcp.example/.well-known/oauth-protected-resource'
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`)
    const answer = await ask(node, { method: 'GET', path: new URL(metadata).pathname })
    expect(await answer.json()).toMatchObject({
      resource: 'http://mcp.example',
      authorization_servers: [`${node.origin}/oidc`],
    })
  })

  test('accepts the token that a client got through the metadata, for every tool', async () => {
    const answer = await ask(node, { token, body: list })
    expect(answer.status).toBe(200)
    const { result } = (await answer.json()) as RpcAnswer
    expect(result!['tools']).toHaveLength(18)
    const body = rpc('tools/call', { name: 'balance', arguments: {} })
    const called = (await (await ask(node, { token, body })).json()) as RpcAnswer
    expect(called.result).toMatchObject({ structuredContent: { balance_usd: '5' } })
  })

  test('does not exist at another path', async () => {
    for (const path of ['/mcp', '//', '/x'])
      expect([path, (await ask(node, { path, token, body: list })).status]).toEqual([path, 404])
  })

  test('is the only one: the token is refused at the gateway’s own address', async () => {
    const { host } = new URL(node.origin)
    for (const elsewhere of [{ host }, { host, path: '/mcp' }, { host: 'mcp.example:81' }])
      expect((await ask(node, { ...elsewhere, token, body: list })).status).toBe(404)
    expect((await ask(node, { method: 'GET', path: '/api/v1/me', host, token })).status).toBe(401)
  })

  test.each(['evil.example', 'mcp.example.evil.example', 'example'])('refuses the host %s', async (host) => {
    expect((await ask(node, { host, token, body: list })).status).toBe(421)
  })
})

test('a token for a former address of the server is refused, and told where to get another', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-own-host-'))
  const before = await startTestNode({ input: inputFor(ownUrl), dataDir })
  const { token } = await signInThere(before)
  await before.stop()
  const moved = await startTestNode({ input: inputFor('http://tools.example/'), dataDir })
  const refused = await ask(moved, { host: 'tools.example', token, body: list })
  const atOldHost = await ask(moved, { token, body: list })
  await moved.stop()
  rmSync(dataDir, { recursive: true })
  expect([refused.status, atOldHost.status]).toEqual([401, 421])
  const challenge = refused.headers.get('www-authenticate')
  expect(challenge).toContain('error="invalid_token"')
  expect(challenge).toContain('"http://tools.example/.well-known/oauth-protected-resource"')
})
