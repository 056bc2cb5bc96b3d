import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LongAnswers, neverUpgrade } from './long-answers.ts'
import { NodeExchange } from './node-exchange.ts'
import { Admission } from './overload/admission.ts'

const patience = { timeout: 10_000, interval: 5 }
const body = 'x'.repeat(1_000)

let server: Server
let admission: Admission
let longAnswers: LongAnswers
let client: Socket
let read: string
let exchange: NodeExchange
let counts: { taken: number; left: number }

beforeEach(async () => {
  const own = { taken: 0, left: 0 }
  counts = own
  read = ''
  admission = new Admission({ maxRequests: 10, maxBodiesBytes: 1_500, maxEventLoopDelayMs: 1_000 })
  server = createServer({ shouldUpgradeCallback: neverUpgrade }, (request, response) => {
    admission.enter()
    exchange = new NodeExchange(request, response, { bodyMs: 60_000, admission, longAnswers })
    exchange.listen({ onClientClosed: () => own.left++, onDrain: () => undefined })
    void Promise.resolve(exchange.readBody(10_000)).then(() => {
      exchange.startStream(200, { 'content-type': 'text/event-stream' })
      if (request.url === '/waits') return
      exchange.write('a')
    })
  })
  longAnswers = new LongAnswers(server, {
    isEnabled: true,
    keepAliveTimeoutMs: 60_000,
    onTaken: () => own.taken++,
    onAnswered: () => undefined,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('data', (bytes) => (read += bytes.toString('latin1')))
  await ask()
})

afterEach(async () => {
  client.destroy()
  longAnswers.close()
  longAnswers.cut()
  admission.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function ask(): Promise<void> {
  read = ''
  client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await vi.waitFor(() => expect(read.endsWith('1\r\na\r\n')).toBe(true), patience)
}

it('keeps its head until the first bytes are sent, however long that takes', async () => {
  const first = exchange
  first.endStream(undefined)
  read = ''
  client.write(`POST /waits HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await vi.waitFor(() => expect(exchange).not.toBe(first), patience)
  await vi.waitFor(() => expect(admission.bodies.bytes).toBe(body.length), patience)
  exchange.lasts()
  exchange.endStream(Buffer.from('late'))
  await vi.waitFor(() => expect(read).toContain('4\r\nlate\r\n'), patience)
  expect(read).toMatch(/HTTP\/1\.1 200 OK\r\n/)
})

const inside = (): object => ({ requests: admission.requests, bytes: admission.bodies.bytes })
const nothing = { requests: 0, bytes: 0 }

const endings: Record<string, () => void> = {
  'is whole': () => exchange.endStream(Buffer.from('b')),
  'is whole without more bytes': () => exchange.endStream(undefined),
  'is cut': () => exchange.cut(),
  'is given up by its client': () => client.destroy(),
  'fails behind its head': () => exchange.respond(500, {}, 'too late'),
}

for (const [when, lasts] of [
  ['an answer', false],
  ['an answer that lasts', true],
] as const)
  it.each(Object.entries(endings))(
    `${when} and %s gives its place and its room back once`,
    async (_, end) => {
      expect(inside()).toEqual({ requests: 1, bytes: body.length })
      exchange.releaseBody(600)
      expect(inside()).toEqual({ requests: 1, bytes: 400 })
      if (lasts) exchange.lasts()
      expect(counts.taken).toBe(lasts ? 1 : 0)
      end()
      await vi.waitFor(() => expect(inside()).toEqual(nothing), patience)
      exchange.releaseBody(1)
      exchange.cut()
      client.destroy()
      await vi.waitFor(async () => expect(await connections()).toBe(0), patience)
      expect(inside()).toEqual(nothing)
    },
  )

it('never returns more to the body budget than it has taken', () => {
  exchange.releaseBody(body.length + 1)
  expect(inside()).toEqual({ requests: 1, bytes: 0 })
})

it('counts fetched media as part of its body, and returns that when it ends', async () => {
  exchange.keepFetched(400)
  expect(inside()).toEqual({ requests: 1, bytes: body.length + 400 })
  expect(() => exchange.keepFetched(101)).toThrow(expect.objectContaining({ status: 503 }) as Error)
  expect(inside()).toEqual({ requests: 1, bytes: body.length + 400 })
  exchange.endStream(undefined)
  await vi.waitFor(() => expect(inside()).toEqual(nothing), patience)
})

it('makes room for others while its response continues', () => {
  expect(admission.bodies.refusalOf(body.length)).toBeDefined()
  exchange.releaseBody(body.length)
  expect(admission.bodies.refusalOf(body.length)).toBeUndefined()
})

it('reports a client that disconnects from a long response, and from no other', async () => {
  exchange.lasts()
  exchange.write('b')
  exchange.endStream(Buffer.from('c'))
  await vi.waitFor(() => expect(read.endsWith('1\r\nb\r\n1\r\nc\r\n0\r\n\r\n')).toBe(true), patience)
  await ask()
  exchange.lasts()
  expect([counts, exchange.clientClosed]).toEqual([{ taken: 2, left: 0 }, false])
  client.destroy()
  await vi.waitFor(() => expect([counts.left, exchange.clientClosed]).toEqual([1, true]), patience)
})

it('takes over a long response once, and none that has ended', async () => {
  exchange.lasts()
  exchange.lasts()
  expect(counts.taken).toBe(1)
  exchange.endStream(undefined)
  await vi.waitFor(() => expect(inside()).toEqual(nothing), patience)
  exchange.lasts()
  expect(counts.taken).toBe(1)
})

function connections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
}
