import { UpstreamFailure, UndiciUpstreamClient, type UpstreamCall } from '@turnpike/gateway'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandboxVendor } from '../sandbox/vendor.ts'
import { collect, echoBody, type Collected } from './testing/collect.ts'
import { Director, planHeader } from './director.ts'
import { startVendorServer, type VendorServer } from './http-server.ts'
import { createInProcessClient } from './in-process.ts'
import { billedOf } from './journal.ts'

const options = { now: () => 1_770_000_000_000 }
const streamed = { stream: true, stream_options: { include_usage: true } }
const overSockets = new UndiciUpstreamClient()
let server: VendorServer
let origin: string

beforeAll(async () => {
  server = await startVendorServer({ vendor: createSandboxVendor(options) })
  origin = server.origin
})

afterAll(async () => {
  await overSockets.close()
  await server.close()
})

describe('answers over HTTP and in-process are the same', () => {
  const director = new Director(createSandboxVendor(options))
  const inProcess = createInProcessClient({
    perform: (request) => director.perform(request),
    Failure: UpstreamFailure,
  })
  const ending = (result: Collected): unknown => [
    result.order.at(-1),
    (result.error as UpstreamFailure)?.reason,
  ]

  test.concurrent.each([
    ['pace=0', {}],
    ['pace=0', streamed],
    ['pace=200/s delay=5ms', streamed],
    ['pace=0 tokens=300 reasoning=20', { ...streamed, n: 2 }],
    ['error=429 retry_after=3 delay=1ms', {}],
    ['pace=0 cut=3', streamed],
    ['pace=0 cut=0', streamed],
    ['pace=0 cut=0', {}],
    ['pace=0 no_finish', streamed],
    ['pace=0 error_after=2', streamed],
    ['pace=0 malformed', streamed],
    ['hang', {}],
    ['pace=0 stall=2', streamed],
    ['bad_knob', {}],
  ])('[sandbox: %s] %j', async (knobs, more) => {
    const timeouts = { connectMs: 1000, firstByteMs: 1200, idleMs: 1200, totalMs: 9000 }
    const body = echoBody(`Grüße 世界 [sandbox: ${knobs}]`, more)
    const [left, right] = await Promise.all([
      collect(inProcess, { body, timeouts }),
      collect(overSockets, { body, origin, timeouts }),
    ])
    expect(right.body).toBe(left.body)
    expect(right.status).toBe(left.status)
    expect(right.headers).toMatchObject(left.headers)
    expect(ending(right)).toEqual(ending(left))
  })

  test('the journals are the same', async () => {
    await Promise.all([director.journal.awaitSettled(), server.journal.awaitSettled()])
    const books = (journal: typeof server.journal): string[] =>
      journal.entries
        .map((entry) =>
          JSON.stringify([entry.request.body.toString(), entry.ending, entry.bytesSent, billedOf(entry)]),
        )
        .toSorted((left, right) => left.localeCompare(right))
    expect(books(server.journal)).toEqual(books(director.journal))
  })
})

describe('splits and faults', () => {
  test('each piece of a split arrives separately', async () => {
    const body = echoBody('one two [sandbox: pace=0]', streamed)
    const whole = await collect(overSockets, { body, origin })
    const at = [1, 7, 8, 100]
    const path = `${new URL(server.baseUrl({ split: { at } })).pathname}/chat/completions`
    const result = await collect(overSockets, { body, origin, path })
    expect(result.body).toBe(whole.body)
    const ends = new Set<number>()
    let total = 0
    for (const chunk of result.chunks) ends.add((total += chunk.length))
    expect([...ends]).toEqual(expect.arrayContaining(at))
  })

  test.concurrent.each([
    [{ kind: 'reset', at: 'start' }, ['onCall', 'onError'], 'connection-lost'],
    [{ kind: 'reset', at: 0 }, ['onCall', 'onHead', 'onError'], 'connection-lost'],
    [{ kind: 'reset', at: 0.5 }, ['onCall', 'onHead', 'onData', 'onError'], 'connection-lost'],
    [{ kind: 'close', at: 'start' }, ['onCall', 'onError'], 'connection-lost'],
    [{ kind: 'close', at: 0.5 }, ['onCall', 'onHead', 'onData', 'onEnd'], undefined],
    [{ kind: 'stall', at: 'start' }, ['onCall', 'onError'], 'first-byte-timeout'],
    [{ kind: 'stall', at: 0.5 }, ['onCall', 'onHead', 'onData', 'onError'], 'idle-timeout'],
  ] as const)('%j', async (fault, order, reason) => {
    for (const more of [{}, streamed]) {
      const path = `${new URL(server.baseUrl({ fault })).pathname}/chat/completions`
      const timeouts = { connectMs: 1000, firstByteMs: 1100, idleMs: 1100, totalMs: 9000 }
      const body = echoBody('one two [sandbox: pace=0]', more)
      const result = await collect(overSockets, { body, origin, path, timeouts })
      expect(result.order).toEqual(order)
      expect((result.error as UpstreamFailure)?.reason).toBe(reason)
    }
  })

  test('a plan from the queue or the header is used once', async () => {
    const body = echoBody('x [sandbox: pace=0]')
    const script = createSandboxVendor().answer({ method: 'GET', path: '/nothing', headers: {}, body })
    server.next({ script })
    expect((await collect(overSockets, { body, origin })).status).toBe(404)
    expect((await collect(overSockets, { body, origin })).status).toBe(200)
    const headers = { 'content-type': 'application/json', [planHeader]: '/reset/start' }
    expect((await collect(overSockets, { body, origin, headers })).error).toBeDefined()
  })

  test('refuses connections, and accepts them again', async () => {
    const other = await startVendorServer()
    const body = echoBody('x [sandbox: pace=0]')
    await other.refuse()
    const refused = await collect(overSockets, { body, origin: other.origin })
    expect(refused.error).toMatchObject({ reason: 'connect-failed' })
    await other.listen()
    expect((await collect(overSockets, { body, origin: other.origin })).status).toBe(200)
    await other.close()
  })
})

describe('the journal', () => {
  test('records that the client left, and what it had received', async () => {
    const path = `${new URL(server.baseUrl({ label: 'left' })).pathname}/chat/completions`
    const body = echoBody('a b c d e f g h [sandbox: delay=1ms pace=50/s]', streamed)
    const onChunk = (call: UpstreamCall, _chunk: Buffer, count: number): void => {
      if (count === 4) call.abort(new Error('enough'))
    }
    await collect(overSockets, { body, origin, path, onChunk })
    await server.journal.awaitSettled()
    const [entry] = server.journal.findByLabel('left')
    expect(entry!.ending).toBe('client-closed')
    expect(entry!.tokensSent).toBeGreaterThanOrEqual(2)
    expect(entry!.tokensSent).toBeLessThan(8)
    expect(JSON.parse(entry!.request.body.toString())).toMatchObject({ model: 'echo' })
    expect(server.journal.open).toBe(0)
  })

  test('records that the client left before the head', async () => {
    const body = echoBody('a [sandbox: delay=5s]')
    const onCall = (call: UpstreamCall): void => void setTimeout(() => call.abort(new Error('enough')), 30)
    await collect(overSockets, { body, origin, path: '/label/early/v1/chat/completions', onCall })
    await server.journal.awaitSettled()
    expect(server.journal.findByLabel('early')[0]).toMatchObject({ ending: 'client-closed', headSent: false })
  })

  test('shows that a client that stops reading stops the vendor too', async () => {
    const path = `/label/slow/v1/chat/completions`
    const messages = [{ role: 'user', content: '[sandbox: pace=0 tokens=8192]' }]
    const body = JSON.stringify({ model: 'lorem', messages, stream: true, n: 8 })
    const call = httpRequest(`${origin}${path}`, { method: 'POST', agent: false })
    const response = await new Promise<NodeJS.ReadableStream>((resolve) =>
      call.once('response', resolve).end(body),
    )
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const [entry] = server.journal.findByLabel('slow')
    const sent = entry!.bytesSent
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(entry!.bytesSent).toBe(sent)
    expect(entry!.ending).toBe('open')
    response.resume()
    await server.journal.awaitSettled()
    expect(entry!).toMatchObject({ ending: 'ended', tokensSent: 8 * 8192 })
  })
})
