import { afterAll, describe, expect, test } from 'vitest'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { freePort } from '../nodes/free-port.ts'
import { startTestNode, type TestNode } from '../nodes/test-node.ts'
import { converse, head } from './raw-http.ts'

/**
 * Host names that a request may use. A web page whose own name resolves to the gateway has the same origin as
 * the gateway for its browser (DNS rebinding).
 */

const nodes: TestNode[] = []
afterAll(async () => {
  for (const node of nodes) await node.stop()
})

async function started(input: ConfigurationInput): Promise<TestNode> {
  const node = await startTestNode({ input })
  nodes.push(node)
  return node
}

async function statusOf(origin: string, line: string, ...hosts: string[]): Promise<number> {
  const pieces = [
    head(line, [...hosts.map((host): [string, string] => ['host', host]), ['accept', 'text/html']]),
  ]
  const { answers } = await converse(origin, pieces)
  return answers[0]!.status
}

const surfaces = [
  'GET /v1/models',
  'GET /v1/nothing',
  'GET /api/v1/auth/discovery',
  'GET /api/v1/admin/accounts',
  'GET /oidc/.well-known/openid-configuration',
  'POST /oidc/token',
  'GET /',
  'GET /assets/index.js',
  'GET /any/page',
  'GET /docs',
  'GET /openapi.json',
  'GET /metrics',
  'GET /healthz',
  'GET /readyz',
  'POST /webhooks/stripe',
  'GET /sandbox-checkout/top_1',
  'OPTIONS /v1/chat/completions',
]

describe('a gateway on loopback', async () => {
  const metricsPort = await freePort()
  const node = await started({ telemetry: { metrics_port: metricsPort } })
  const { port } = new URL(node.origin)

  test.each(surfaces)('refuses a foreign host at %s', async (line) => {
    for (const host of ['evil.example', `evil.example:${port}`])
      expect(await statusOf(node.origin, `${line} HTTP/1.1`, host)).toBe(421)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'evil.localhost',
    'localhost@evil.example',
    'user@localhost',
    '10.0.0.1',
    '128.0.0.1',
    '0.0.0.0',
    '[::2]',
    '[fe80::1]',
    '127.1',
    '0x7f000001',
    '[::1',
    'localhost/',
    'localhost ',
    '',
    'xn--lcalhost-54a',
    'l\u00f6calhost',
    'localhost%2e',
    '%31',
  ])('refuses "%s" with the port: 421', async (name) => {
    const { answers } = await converse(node.origin, [
      Buffer.from(head('GET /v1/models HTTP/1.1', [['host', `${name}:${port}`]]), 'latin1'),
    ])
    expect(answers[0]!.status).toBe(421)
    expect(JSON.parse(answers[0]!.body)).toMatchObject({
      error: { type: 'invalid_request_error', code: 421, param: 'host' },
    })
    expect(answers[0]!.headers.get('x-request-id')).toMatch(/^req_/)
  })

  test.each([
    '127.0.0.1:1',
    'localhost:1',
    '[::1]:1',
    'localhost:80:80',
    'localhost:',
    'localhost:x',
    '',
    ':',
  ])('refuses "%s": 421', async (host) =>
    expect(await statusOf(node.origin, 'GET /v1/models HTTP/1.1', host)).toBe(421),
  )

  test('refuses a name without the port, which is another address', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(await statusOf(node.origin, 'GET /healthz HTTP/1.1', host)).toBe(421)
  })

  test.each(['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.9.8.7', '[::1]', '[0:0:0:0:0:0:0:1]'])(
    'accepts %s',
    async (name) => {
      for (const line of ['GET /healthz', 'GET /api/v1/auth/discovery', 'GET /docs'])
        expect(await statusOf(node.origin, `${line} HTTP/1.1`, `${name}:${port}`)).toBe(200)
    },
  )

  test('accepts HTTP/1.0 without a host, and HTTP/1.1 with exactly one', async () => {
    expect(await statusOf(node.origin, 'GET /healthz HTTP/1.0')).toBe(200)
    expect(await statusOf(node.origin, 'GET /healthz HTTP/1.0', 'evil.example')).toBe(421)
    expect(await statusOf(node.origin, 'GET /healthz HTTP/1.1')).toBe(400)
    const own = `127.0.0.1:${port}`
    for (const hosts of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ])
      expect(await statusOf(node.origin, 'GET /healthz HTTP/1.1', ...hosts)).toBe(400)
  })

  test('checks the host in the target, and in the header', async () => {
    const own = `127.0.0.1:${port}`
    const ask = (authority: string, host: string): Promise<number> =>
      statusOf(node.origin, `GET http://${authority}/healthz HTTP/1.1`, host)
    expect(await ask(own, own)).toBe(200)
    expect(await ask('evil.example', own)).toBe(421)
    expect(await ask(own, 'evil.example')).toBe(421)
    expect(await ask(`user@${own}`, own)).toBe(421)
  })

  test('answers 421 rather than 417 if the host is foreign', async () => {
    const headers: [string, string][] = [
      ['host', 'evil.example'],
      ['expect', 'wonders'],
    ]
    const { answers } = await converse(node.origin, [head('GET /healthz HTTP/1.1', headers)])
    expect(answers[0]!.status).toBe(421)
  })

  test('applies the same rule to its metrics port', async () => {
    const origin = `http://127.0.0.1:${metricsPort}`
    const ask = async (host: string): Promise<number> => {
      const { answers } = await converse(origin, [head('GET /metrics HTTP/1.1', [['host', host]])])
      return answers[0]!.status
    }
    expect(await ask(`evil.example:${metricsPort}`)).toBe(421)
    expect(await ask(`10.0.0.1:${metricsPort}`)).toBe(421)
    const text = await fetch(`${origin}/metrics`)
    expect([text.status, (await text.text()).includes('turnpike_')]).toEqual([200, true])
  })
})

describe('a gateway behind a balancer', async () => {
  const node = await started({
    server: {
      public_url: 'https://llm.example.com',
      allowed_hosts: ['gateway', 'GATEWAY.internal:8787', '[fd00::7]', '10.1.2.3:8787'],
    },
  })
  const { port } = new URL(node.origin)
  const line = 'GET /api/v1/auth/discovery HTTP/1.1'

  test.each([
    'llm.example.com',
    'LLM.example.com:443',
    'llm.example.com.',
    'gateway',
    'gateway:9999',
    'gateway.internal:8787',
    '[fd00:0::7]:80',
    '10.1.2.3:8787',
    // A domain owner cannot register one of these.
    `127.0.0.1:${port}`,
    `localhost:${port}`,
  ])('accepts %s', async (host) => expect(await statusOf(node.origin, line, host)).toBe(200))

  test.each([
    'llm.example.com:80',
    'llm.example.com.evil.example',
    'gateway.internal',
    'evil.example',
    '10.1.2.3',
    '10.9.9.9',
    'example.com',
  ])('refuses %s', async (host) => expect(await statusOf(node.origin, line, host)).toBe(421))

  test('reports its health, and nothing else, to a monitor that uses its address', async () => {
    for (const host of ['10.9.9.9:8787', '[2001:db8::1]:8787', '192.0.2.1']) {
      expect(await statusOf(node.origin, 'GET /healthz HTTP/1.1', host)).toBe(200)
      expect(await statusOf(node.origin, 'GET /readyz HTTP/1.1', host)).toBe(200)
      expect(await statusOf(node.origin, 'GET /metrics HTTP/1.1', host)).toBe(401)
      expect(await statusOf(node.origin, 'GET /v1/models HTTP/1.1', host)).toBe(421)
    }
    expect(await statusOf(node.origin, 'GET /healthz HTTP/1.1', 'evil.example')).toBe(421)
    expect(await statusOf(node.origin, 'GET /readyz HTTP/1.0')).toBe(200)
  })
})

test('a gateway on all addresses without a configured name accepts only addresses', async () => {
  const node = await started({
    server: { host: '0.0.0.0' },
    admin: { internal_secret: '0123456789abcdef0123456789abcdef' },
  })
  const line = 'GET /api/v1/auth/discovery HTTP/1.1'
  for (const host of ['192.0.2.1:9000', 'localhost:9000', '[2001:db8::1]'])
    expect(await statusOf(node.origin, line, host)).toBe(200)
  for (const host of ['evil.example', 'evil.example:8787'])
    expect(await statusOf(node.origin, line, host)).toBe(421)
})
