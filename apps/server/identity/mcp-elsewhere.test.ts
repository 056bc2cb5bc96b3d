import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { authorizationUrl } from './testing/device-login.ts'
import { IssuerServer } from './testing/issuer-server.ts'
import { PageClient } from './testing/page-client.ts'

const path = '/.well-known/oauth-protected-resource'

let node: TestNode | undefined
let issuer: IssuerServer | undefined
let dataDir: string | undefined
afterEach(async () => {
  await node?.stop()
  await issuer?.stop()
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true })
  issuer = undefined
  dataDir = undefined
})

async function start(input: ConfigurationInput): Promise<TestNode> {
  node = await startTestNode({ input: { server: { port: 0 }, ...input } })
  return node
}

/** As a proxy in front of several hosts forwards it. */
function get(origin: string, host: string, at: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(origin + at, { headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    sent.on('error', reject).end()
  })
}

describe('the MCP server at a host of its own', { timeout: 60_000 }, () => {
  test.each([
    ['https://mcp.example.com/v2/mcp', '/v2/mcp'],
    ['https://MCP.example.com/', ''],
  ])('%s is served there, and is the audience of tokens', async (address, suffix) => {
    const { origin } = await start({ mcp: { public_url: address } })
    const resource = address.toLowerCase().replace(/\/$/, '')
    for (const at of ['', suffix]) {
      const { status, body } = await get(origin, 'mcp.example.com', path + at)
      expect(status).toBe(200)
      expect(JSON.parse(body)).toMatchObject({ resource, authorization_servers: [`${origin}/oidc`] })
    }
    expect((await get(origin, 'other.example.com', path)).status).toBe(421)
  })
})

describe('with an external issuer', { timeout: 60_000 }, () => {
  test('the metadata names it, and the embedded provider is not served', async () => {
    issuer = await IssuerServer.start()
    const { origin } = await start({ identity: { name: 'logto', issuer: issuer.address, client_id: 'cli' } })
    const metadata = (await (await fetch(`${origin}${path}/mcp`)).json()) as Record<string, unknown>
    expect(metadata).toMatchObject({
      resource: `${origin}/mcp`,
      authorization_servers: [issuer.address],
    })
    for (const at of ['/.well-known/oauth-authorization-server/oidc', '/oidc/register'])
      expect((await fetch(origin + at)).status).toBe(404)
  })
})

describe('apps that the operator does not allow', { timeout: 60_000 }, () => {
  const redirect = 'http://127.0.0.1:5000/callback'
  const registration = { client_name: 'Agent', redirect_uris: [redirect] }
  const register = (origin: string): Promise<Response> =>
    fetch(`${origin}/oidc/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(registration),
    })
  const metadataOf = async (origin: string): Promise<unknown> =>
    (await fetch(`${origin}/.well-known/oauth-authorization-server/oidc`)).json()
  const outcomeOf = async (origin: string, clientId: string): Promise<string> => {
    const url = authorizationUrl(origin, { client_id: clientId, redirect_uri: redirect, scope: 'chat' })
    return (await new PageClient().get(url)).text
  }

  test('are unknown if they have a document, and the metadata says so', async () => {
    const { origin } = await start({ mcp: { client_documents: false } })
    expect(await metadataOf(origin)).toMatchObject({
      registration_endpoint: `${origin}/oidc/register`,
      client_id_metadata_document_supported: false,
    })
    expect(await outcomeOf(origin, 'https://agent.example/client.json')).toContain('invalid_client')
    const { client_id: id } = (await (await register(origin)).json()) as { client_id: string }
    expect(await outcomeOf(origin, id)).toContain('Sign in')
  })

  test('are unknown if they are registered, also those that registered earlier', async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
    node = await startTestNode({ dataDir })
    const { client_id: id } = (await (await register(node.origin)).json()) as { client_id: string }
    expect(await outcomeOf(node.origin, id)).toContain('Sign in')
    await node.stop()
    node = await startTestNode({ input: { mcp: { client_registration: false } }, dataDir })
    expect(await metadataOf(node.origin)).not.toHaveProperty('registration_endpoint')
    expect((await register(node.origin)).status).toBe(404)
    expect(await outcomeOf(node.origin, id)).toContain('invalid_client')
  })
})

test('our own client still works', async () => {
  const { origin } = await start({})
  const page = await new PageClient().get(authorizationUrl(origin))
  expect(page.text).toContain('Turnpike command line')
})
