import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { suiteKey, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'

const maxRequests = 4
const maxBodiesBytes = 100_000

describe('a node at its limits', () => {
  const vendor = suiteVendor()
  const node = suiteNode(() => ({
    server: { body_seconds: 1 },
    overload: {
      max_requests: maxRequests,
      max_bodies_bytes: maxBodiesBytes,
      max_upstream_connections: 1,
      max_upstream_waiting: 1,
    },
    providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
    models: {
      'vendor/echo': { pricing: { prompt: '0', completion: '0.000001' } },
      'sandbox/echo': {},
    },
  }))
  const key = suiteKey(node)

  const ask = (knobs: string, model = 'sandbox/echo', signal?: AbortSignal): Promise<Response> =>
    node.chat(
      key,
      { model, stream: true, messages: [{ role: 'user', content: `one two three [sandbox: ${knobs}]` }] },
      signal === undefined ? {} : { signal },
    )

  const metric = async (name: string): Promise<number> => {
    const text = await (await node.metrics()).text()
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)![1])
  }

  /** A request of which only the head and this much of the body is sent. */
  async function unfinished(announced: number, sent: number): Promise<Socket> {
    const { host, port } = new URL(node.origin)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key.raw}\r\n` +
        `content-type: application/json\r\ncontent-length: ${announced}\r\n\r\n${' '.repeat(sent)}`,
    )
    return socket
  }

  const answerTo = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

  it('refuses further requests before their bodies, and still reports its health', async () => {
    const abort = new AbortController()
    const open = Array.from({ length: maxRequests }, () => ask('pace=0 stall=2', undefined, abort.signal))
    await Promise.all(open)
    const socket = await unfinished(50_000, 0)
    const answer = await answerTo(socket)
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toMatch(/\r\nretry-after: [1-9]\d*\r\n/i)
    expect(answer).toContain('"type":"service_unavailable"')
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect((await fetch(node.origin + path)).status).toBe(200)
    expect(await metric('turnpike_open_requests')).toBe(maxRequests)
    expect(await metric('turnpike_requests_refused_total')).toBeGreaterThan(0)
    abort.abort()
    await vi.waitFor(async () => expect(await metric('turnpike_open_requests')).toBe(0), 20_000)
    const response = await ask('pace=0')
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('[DONE]')])
  })

  it('reads no more bodies than fit into its budget, and frees their memory afterwards', async () => {
    const first = await unfinished(60_000, 50_000)
    await vi.waitFor(async () => expect(await metric('turnpike_request_bodies_bytes')).toBe(50_000), 20_000)
    const second = await unfinished(60_000, 0)
    expect(await answerTo(second)).toMatch(/^HTTP\/1\.1 503 /)
    // The silent sender is cut off, which frees what it holds.
    expect(await answerTo(first)).toMatch(/^HTTP\/1\.1 408 /)
    await vi.waitFor(async () => expect(await metric('turnpike_request_bodies_bytes')).toBe(0), 20_000)
    const third = await ask('pace=0')
    expect(third.status).toBe(200)
    await third.text()
    for (const socket of [first, second]) socket.destroy()
  })

  it('charges a body that announces much for what it really sends', async () => {
    const slow = await Promise.all([unfinished(90_000, 10), unfinished(90_000, 10)])
    await vi.waitFor(async () => expect(await metric('turnpike_request_bodies_bytes')).toBe(20), 20_000)
    const response = await ask('pace=0')
    expect(response.status).toBe(200)
    await response.text()
    for (const socket of slow) socket.destroy()
  })

  it('lets only a limited number of requests wait for a connection to a vendor', async () => {
    const abort = new AbortController()
    const serving = await ask('pace=0 stall=2', 'vendor/echo', abort.signal)
    expect(serving.status).toBe(200)
    const waiting = ask('pace=0', 'vendor/echo')
    await vi.waitFor(async () => expect(await metric('turnpike_open_requests')).toBe(2), 20_000)
    const refused = await ask('pace=0', 'vendor/echo')
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    abort.abort()
    const served = await waiting
    expect([served.status, await served.text()]).toEqual([200, expect.stringContaining('[DONE]')])
  })
})
