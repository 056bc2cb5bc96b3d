import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { freePort } from '../../../tests/nodes/free-port.ts'
import { runDoctor } from './doctor.ts'

/** Simulates vendors, an issuer and Stripe, by the first part of the path. */
let server: Server
let origin: string
let clockAheadMs: number
let webhooks: object[]
const directory = mkdtempSync(join(tmpdir(), 'turnpike-test-'))

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('date', new Date(Date.now() + clockAheadMs).toUTCString())
    const [status, body] = answer(request)
    send(response, status, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  clockAheadMs = 0
  webhooks = []
})
afterAll(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function answer({ url = '', headers }: IncomingMessage): [number, object] {
  const key = headers.authorization ?? headers['x-api-key']
  if (url.startsWith('/openai/v1/models')) return [key === 'Bearer good' ? 200 : 401, {}]
  if (url.startsWith('/anthropic/v1/models'))
    return [key === 'good' && headers['anthropic-version'] === '2023-06-01' ? 200 : 401, {}]
  if (url.startsWith('/open/v1/models')) return [200, {}]
  if (url.startsWith('/signed/v1/models'))
    return [/^AWS4-HMAC-SHA256 Credential=AKIA\/\d+\/eu-west-1\/bedrock/.test(String(key)) ? 200 : 403, {}]
  if (url === '/moved/v1/models') return [302, {}]
  if (url.startsWith('/issuer/.well-known/openid-configuration')) return [200, { issuer: `${origin}/other` }]
  if (headers.authorization !== 'Bearer sk_test_good') return [401, { error: { message: 'Invalid API Key' } }]
  if (url.startsWith('/v1/checkout/sessions')) return [200, { object: 'list', data: [], has_more: false }]
  if (url.startsWith('/v1/webhook_endpoints'))
    return [200, { object: 'list', data: webhooks, has_more: false }]
  return [404, {}]
}

/** The doctor's findings by subject, and its exit code. */
async function examine(input: ConfigurationInput): Promise<{ lines: Record<string, string>; code: number }> {
  const path = join(directory, 'turnpike.yaml')
  const port = await freePort()
  writeFileSync(path, stringify({ ...input, server: { port, ...input.server } }))
  let text = ''
  const code = await runDoctor({ path, environment: {}, directory }, (part) => (text += part))
  const lines = text.split('\n').flatMap((line) => {
    const [, mark = '', of = '', says = ''] = /^([✓!✗-]) (.+?) {2,}(.*)$/.exec(line) ?? []
    return mark === '' ? [] : [[of, `${mark} ${says}`]]
  })
  return { lines: Object.fromEntries(lines) as Record<string, string>, code }
}

test('a machine without problems and without a vendor', async () => {
  const { lines, code } = await examine({})
  expect(code).toBe(0)
  expect(lines).toMatchObject({
    Node: `✓ ${process.versions.node}`,
    Disk: expect.stringMatching(/^[✓!] \d+\.\d GB free at /),
    Clock: '- no time source available',
    Database: expect.stringMatching(/^✓ SQLite; .*turnpike\.db is created on first start$/),
    Payments: '✓ play money',
    Vendors: expect.stringMatching(/^! none, so only the sandbox works/),
  })
})

describe('the keys of vendors', () => {
  test('are tried one by one, and a rejected key is named', async () => {
    const { lines, code } = await examine({
      providers: {
        openai: { base_url: `${origin}/openai/v1`, api_keys: ['good', 'bad'] },
        anthropic: { base_url: `${origin}/anthropic`, api_keys: ['good'] },
      },
    })
    expect(code).toBe(1)
    expect(lines).toMatchObject({
      'openai, key 1 of 2': '✓ the key works',
      'openai, key 2 of 2': '✗ the key was rejected (401): create a new one at the vendor, or remove it',
      anthropic: '✓ the key works',
      Clock: expect.stringContaining('✓ within'),
    })
  })

  test('are read from files, and calls are signed if that is configured', async () => {
    writeFileSync(join(directory, 'key'), 'good\n')
    const { lines, code } = await examine({
      providers: {
        openai: { base_url: `${origin}/openai/v1`, api_key_files: ['key'] },
        cloud: {
          style: 'openai',
          base_url: `${origin}/signed/v1`,
          aws: { region: 'eu-west-1', access_key_id: 'AKIA', secret_access_key: 'secret' },
        },
      },
    })
    expect(code).toBe(0)
    expect(lines).toMatchObject({
      openai: '✓ the key works',
      cloud: '✓ the signature (AWS: keys) works',
    })
  })

  test('are not reported as working if the list of models is public', async () => {
    const { lines, code } = await examine({
      providers: { openai: { base_url: `${origin}/open/v1`, api_keys: ['bad'] } },
    })
    expect(code).toBe(0)
    expect(lines['openai']).toMatch(/^- it is reachable; its list of models needs no key/)
  })

  test('are reported as missing, with the variable to set', async () => {
    const { lines, code } = await examine({ providers: { openai: { base_url: `${origin}/openai/v1` } } })
    expect(code).toBe(1)
    expect(lines['openai']).toBe('✗ it needs a key: set api_keys, or OPENAI_API_KEY in the environment')
  })

  test('are not sent along a redirect', async () => {
    const { lines } = await examine({
      providers: { openai: { base_url: `${origin}/moved/v1`, api_keys: ['good'] } },
    })
    expect(lines['openai']).toBe('! it is reachable, but returns 302 for its list of models')
  })

  test('are not checked if the vendor cannot be reached', async () => {
    const base = `http://127.0.0.1:${await freePort()}/v1`
    const { lines, code } = await examine({ providers: { openai: { base_url: base, api_keys: ['good'] } } })
    expect(code).toBe(1)
    expect(lines['openai']).toMatch(/^✗ unreachable \(.*ECONNREFUSED/)
  })
})

test('a clock that is an hour slow is reported', async () => {
  clockAheadMs = 3_600_000
  const { lines, code } = await examine({
    providers: { openai: { base_url: `${origin}/openai/v1`, api_keys: ['good'] } },
  })
  expect(code).toBe(1)
  expect(lines['Clock']).toMatch(
    /^✗ (3599|3600|3601) s behind 127\.0\.0\.1:\d+: sign-ins will fail; synchronize it with NTP$/,
  )
})

test('an issuer with another name is reported', async () => {
  const { lines, code } = await examine({
    identity: { issuer: `${origin}/issuer`, client_id: 'turnpike' },
  })
  expect(code).toBe(1)
  expect(lines['Issuer']).toBe(
    `✗ ${origin}/issuer identifies itself as ${origin}/other: set identity.issuer to exactly that`,
  )
})

describe('an address', () => {
  test('that another program uses is reported', async () => {
    const port = Number(new URL(origin).port)
    const { lines, code } = await examine({ server: { port } })
    expect(code).toBe(1)
    expect(lines['Address']).toMatch(/is in use by another program: set server\.port to a free one$/)
  })
})

test('a database and a Redis that cannot be reached are reported', async () => {
  const port = await freePort()
  const { lines, code } = await examine({
    database: { url: `postgres://nobody@127.0.0.1:${port}/none` },
    redis: { url: `redis://127.0.0.1:${port}` },
  })
  expect(code).toBe(1)
  expect(lines['Database']).toMatch(/^✗ cannot be opened: .*ECONNREFUSED/)
  expect(lines['Redis']).toMatch(/^✗ .*: check redis\.url; until then each node counts limits separately$/)
})

describe('Stripe', () => {
  const publicUrl = 'https://llm.example.com'
  const events = [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'charge.refunded',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
  ]
  const endpoint = { url: `${publicUrl}/webhooks/stripe`, status: 'enabled', enabled_events: events }
  const withKey = (secret_key: string) =>
    examine({
      server: { public_url: publicUrl },
      payments: { stripe: { secret_key, webhook_secret: 'whsec_test', api_base: origin } },
    })

  test('accepts the key, and reports every payment', async () => {
    webhooks = [endpoint]
    const { lines } = await withKey('sk_test_good')
    expect(lines['Stripe']).toBe('✓ the key works, with test money')
    expect(lines['Webhook']).toBe(`✓ Stripe notifies ${endpoint.url} of every payment`)
  })

  test.each([
    [
      [],
      '! Stripe has no webhook endpoint for https://llm.example.com/webhooks/stripe: add it in ' +
        "Stripe's dashboard; until then",
    ],
    [[{ ...endpoint, status: 'disabled' }], 'is disabled at Stripe: enable it'],
    [
      [{ ...endpoint, enabled_events: events.slice(1) }],
      '! Stripe does not send checkout.session.completed: add',
    ],
  ])('is reported if events would arrive late or never (%#)', async (registered, message) => {
    webhooks = registered
    expect((await withKey('sk_test_good')).lines['Webhook']).toContain(message)
  })

  test('is reported if it rejects the key', async () => {
    const { lines, code } = await withKey('sk_test_bad')
    expect(code).toBe(1)
    expect(lines['Stripe']).toBe('✗ Invalid API Key: check payments.stripe.secret_key')
  })
})
