import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { signDelivery } from '../../../packages/billing/topups/testing/sign-delivery.ts'
import { internalSecret } from '../../../tests/nodes/test-node.ts'
import { suiteKey, suiteNode } from '../../../tests/nodes/suite.ts'

const webhookSecret = 'whsec_of_a_test'
const bodySeconds = 1
const patience = { timeout: 20_000, interval: 20 }

const open: Dialled[] = []

const node = suiteNode({
  server: { body_seconds: bodySeconds },
  payments: {
    stripe: { secret_key: 'sk_test_1', webhook_secret: webhookSecret, api_base: 'http://127.0.0.1:9' },
  },
})
const key = suiteKey(node)
// Loads everything that is loaded with the first request.
beforeAll(() => fetch(`${node.origin}/oidc/.well-known/openid-configuration`).then((one) => one.text()))
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy()
})

interface Dialled {
  socket: Socket
  received: string
  closed: boolean
}

/** Opens a connection, sends this text, and sends nothing more on its own. */
async function dial(text: string): Promise<Dialled> {
  const socket = connect(Number(new URL(node.origin).port), '127.0.0.1')
  const dialled: Dialled = { socket, received: '', closed: false }
  socket.on('data', (bytes: Buffer) => (dialled.received += bytes.toString('latin1')))
  socket.on('close', () => (dialled.closed = true))
  socket.on('error', () => (dialled.closed = true))
  await once(socket, 'connect')
  socket.write(text)
  open.push(dialled)
  return dialled
}

function post(path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\nhost: ${new URL(node.origin).host}\r\n${lines.join('')}\r\n`
}

const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 1_000 }
const json = { 'content-type': 'application/json', 'content-length': 1_000 }

async function webhook(): Promise<number> {
  const { body, signature } = signDelivery({ id: 'evt_1', type: 'nothing.of.ours' }, webhookSecret)
  const response = await fetch(`${node.origin}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: new Uint8Array(body),
  })
  await response.text()
  return response.status
}

async function device(): Promise<number> {
  const body = new URLSearchParams({ client_id: 'turnpike-cli', scope: 'openid' })
  const response = await fetch(`${node.origin}/oidc/device/auth`, { method: 'POST', body })
  await response.text()
  return response.status
}

/** The responses of the management API to each kind of caller. */
async function everybody(): Promise<Record<string, unknown>> {
  const admin = await fetch(`${node.origin}/api/v1/admin/accounts`, {
    method: 'POST',
    headers: { 'x-internal-secret': internalSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${Math.random()}@a.test` }),
  })
  await admin.text()
  const document = await fetch(`${node.origin}/openapi.json`)
  await document.text()
  const health = await fetch(`${node.origin}/healthz`)
  await health.text()
  return {
    admin: admin.status,
    document: document.status,
    health: health.status,
    webhook: await webhook(),
    form: (await device()) < 500,
  }
}

const served = { admin: 201, document: 200, health: 200, webhook: 200, form: true }

describe('half-sent requests to the management API', () => {
  it.each([
    ['of forms', () => post('/oidc/token', form), 1_100],
    [
      'of forms, with a credential that is not checked',
      () => post('/oidc/token', { authorization: 'Bearer x', ...form }),
      1_100,
    ],
    ['of events', () => post('/webhooks/stripe', json), 1_100],
    ['with a wrong credential', () => post('/api/v1/me/keys', { authorization: 'Bearer x', ...json }), 1_100],
    ['to nowhere', () => post('/nothing', json), 1_100],
    ['in chunks', () => `${post('/webhooks/stripe', { 'transfer-encoding': 'chunked' })}1\r\n{\r\n`, 1_100],
  ])('block no other caller: %s', async (_what, text, count) => {
    for (let sent = 0; sent < count; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => dial(text())))
    expect(await everybody()).toEqual(served)
    const ended = (): number => open.filter(({ closed }) => closed).length
    await vi.waitFor(() => expect(ended()).toBe(count), patience)
    for (const { received } of open) expect(received).toMatch(/^HTTP\/1\.1 (?:408|40[14]) /)
  })
})

describe('a slow sender is cut off after the time limit:', () => {
  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${key.raw}` })

  it.each([
    ['a form', () => post('/oidc/token', form), 'a'],
    ['an event', () => post('/webhooks/stripe', json), ' '],
    [
      'an operator',
      () => post('/api/v1/admin/accounts', { 'x-internal-secret': internalSecret, ...json }),
      ' ',
    ],
    ['a caller with a key', () => post('/v1/chat/completions', { ...bearer(), ...json }), ' '],
    [
      'a caller with a key, in chunks',
      () =>
        post('/v1/chat/completions', {
          ...bearer(),
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        }),
      '1\r\n \r\n',
    ],
    ['a caller without a key, after its 401', () => post('/v1/chat/completions', json), ' '],
    [
      'one that sent Expect: 100-continue',
      () => post('/v1/chat/completions', { ...bearer(), ...json, expect: '100-continue' }),
      ' ',
    ],
  ])('%s', async (_who, text, piece) => {
    const startedAtMs = performance.now()
    const dialled = await dial(text())
    while (!dialled.closed && performance.now() - startedAtMs < 10_000) {
      dialled.socket.write(piece)
      await delay(100)
    }
    expect(dialled.closed).toBe(true)
    expect(performance.now() - startedAtMs).toBeLessThan(bodySeconds * 1_000 + 4_000)
    expect(dialled.received).toMatch(/HTTP\/1\.1 (?:408|401) /)
  })
})

it('accepts a body that arrives in time, in however many pieces', async () => {
  const body = JSON.stringify({
    model: 'sandbox/echo',
    messages: [{ role: 'user', content: 'a [sandbox: pace=0]' }],
  })
  const headers = {
    authorization: `Bearer ${key.raw}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const dialled = await dial(post('/v1/chat/completions', headers))
  for (const character of body) {
    dialled.socket.write(character)
    await delay(2)
  }
  await vi.waitFor(() => expect(dialled.received).toMatch(/^HTTP\/1\.1 200 /), patience)
})

it('sends 100 Continue only if the body is needed', async () => {
  const body = JSON.stringify({
    model: 'sandbox/echo',
    messages: [{ role: 'user', content: 'a [sandbox: pace=0]' }],
  })
  const asking = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const stranger = await dial(post('/v1/chat/completions', asking))
  await vi.waitFor(() => expect(stranger.received).toMatch(/^HTTP\/1\.1 401 /), patience)
  const caller = await dial(post('/v1/chat/completions', { authorization: `Bearer ${key.raw}`, ...asking }))
  await vi.waitFor(() => expect(caller.received).toMatch(/^HTTP\/1\.1 100 /), patience)
  caller.socket.write(body)
  await vi.waitFor(() => expect(caller.received).toMatch(/HTTP\/1\.1 200 /), patience)
})
