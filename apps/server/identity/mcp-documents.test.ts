import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LazyProvider, ProviderKeys, type ClientDocument } from '@turnpike/identity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, McpClient, newPersonAt } from './testing/mcp-client.ts'
import { PageClient } from './testing/page-client.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'

const address = 'https://agent.example/oauth/client.json'

/** The provider on a node's own stores, with client documents that the test serves. */
describe('a client whose identifier is the address of its document', { timeout: 60_000 }, () => {
  let server: Server
  let origin: string
  let document: ClientDocument
  let newNode: () => LazyProvider
  let provider: LazyProvider

  const metadata = (more: Record<string, unknown> = {}): ClientDocument => ({
    status: 200,
    contentType: 'application/json',
    cacheControl: undefined,
    body: JSON.stringify({
      client_id: address,
      client_name: 'Agent with a document',
      redirect_uris: ['http://localhost/callback', 'https://agent.example/callback'],
      token_endpoint_auth_method: 'none',
      ...more,
    }),
  })

  const node = suiteNode()
  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    document = metadata()
    const clock = (): number => Date.now()
    const stores = node.storage.identity
    newNode = () =>
      new LazyProvider(() => ({
        publicUrl: origin,
        resource: origin,
        mcpResource: `${origin}/mcp`,
        mcpClients: { documents: true, registration: true },
        readClientDocument: async (url) => (url === address ? document : { ...document, status: 404 }),
        rules: { registration: 'open', allowedEmailDomains: [], isOperatorAddress: () => false },
        mailed: undefined,
        keys: new ProviderKeys(stores.secrets, clock),
        stores,
        organizationsOf: async () => [],
        clock,
        onError: (error) => {
          throw error
        },
      }))
    provider = newNode()
    server.on('request', (request, response) => {
      if (provider.serves(request.url)) void provider.handle(request, response, '192.0.2.1')
      else if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true)
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/oidc`] }))
      else response.writeHead(404).end()
    })
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('needs no registration, and is shown with its host', async () => {
    const client = new McpClient(`${origin}/mcp`)
    client.clientMetadataUrl = address
    const url = await client.begin()
    expect(url.searchParams.get('client_id')).toBe(address)
    const pages = new PageClient()
    const consent = await newPersonAt(url, pages)
    for (const text of [
      'Agent with a document',
      'agent.example',
      'localhost:49321',
      'any program can use this name',
    ])
      expect(consent.text).toContain(text)
    const tokens = await client.finish(await allow(pages, consent, ['chat']))
    expect(tokens.scope).toBe('chat')
    expect((await client.refresh()).scope).toBe('chat')
  })

  test('is reported if its document no longer exists, on a node that has not cached it', async () => {
    const client = new McpClient(`${origin}/mcp`)
    client.clientMetadataUrl = address
    const pages = new PageClient()
    const signIn = await pages.get((await client.begin()).href)
    expect(signIn.title).toBe('Sign in')
    const served = provider
    provider = newNode()
    document = { ...metadata(), status: 503 }
    const page = await pages.get(signIn.url)
    expect(page).toMatchObject({ status: 400, title: 'Something went wrong' })
    expect(page.text).toContain('temporarily_unavailable')
    provider = served
    document = metadata()
    expect((await pages.get(signIn.url)).title).toBe('Sign in')
  })

  test('may use only the redirect addresses in its document', async () => {
    const client = new McpClient(`${origin}/mcp`)
    client.clientMetadataUrl = address
    const url = await client.begin()
    const at = async (redirect: string): Promise<string> => {
      url.searchParams.set('redirect_uri', redirect)
      const page = await new PageClient().get(url.href)
      return page.title + page.text
    }
    expect(await at('https://agent.example/callback')).toContain('Sign in')
    expect(await at('http://localhost:1234/callback')).toContain('Sign in')
    for (const redirect of ['https://agent.example/callback/', 'https://evil.example/callback'])
      expect(await at(redirect)).toContain('invalid_redirect_uri')
    url.searchParams.set('client_id', 'https://agent.example/none.json')
    expect(await at('https://agent.example/callback')).toContain('invalid_client')
  })
})
