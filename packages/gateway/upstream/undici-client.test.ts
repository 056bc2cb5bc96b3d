import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UpstreamFailure, type UpstreamCall, type UpstreamTimeouts } from './client.ts'
import { UndiciUpstreamClient } from './undici-client.ts'

/** The client checks its limits in intervals of this length. */
const intervalMs = 250

/** A vendor that only does what a test tells it to. */
let vendor: Server
let sockets: Socket[]
let client: UndiciUpstreamClient

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  sockets = []
  vendor = createServer((socket) => sockets.push(socket.on('error', () => {})))
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  client = new UndiciUpstreamClient(undefined, { connectionsPerOrigin: 1, waitingPerOrigin: 10 })
})

afterEach(async () => {
  vi.useRealTimers()
  await client.close()
  for (const socket of sockets) socket.destroy()
  vendor.close()
})

/** Without moving the fake timers, as `vi.waitUntil` would. */
async function waitUntil(condition: () => boolean): Promise<void> {
  for (let rounds = 0; !condition(); rounds++) {
    if (rounds > 5_000) throw new Error('it did not happen')
    await delay(1)
  }
}

const generous: UpstreamTimeouts = { connectMs: 5_000, firstByteMs: 1e6, idleMs: 1e6, totalMs: 1e6 }

/** Sends a request, and notes what the receiver is told. */
function send(
  timeouts: Partial<UpstreamTimeouts>,
  origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
) {
  const told: string[] = []
  let call: UpstreamCall | undefined
  client.send(
    { method: 'GET', origin, path: '/', headers: {}, body: null, timeouts: { ...generous, ...timeouts } },
    {
      onCall: (started) => {
        call = started
        told.push('call')
      },
      onHead: (status) => told.push(String(status)),
      onData: (chunk) => told.push(chunk.toString()),
      onEnd: () => told.push('end'),
      onError: (error) => told.push(error instanceof UpstreamFailure ? error.reason : String(error)),
    },
  )
  return { told, call: () => call!, until: (last: string) => waitUntil(() => told.at(-1) === last) }
}

/** Lets the network's events happen between two checks of the limits. */
async function pass(intervals: number): Promise<void> {
  for (let interval = 0; interval < intervals; interval++) {
    vi.advanceTimersByTime(intervalMs)
    await turn()
  }
}

async function requestSent(count = 1): Promise<Socket> {
  await waitUntil(() => sockets.length === count)
  const socket = sockets[count - 1]!
  if (socket.bytesRead === 0) await once(socket, 'data')
  return socket
}

const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'

it('calls a vendor again that has closed all connections, or refused them', async () => {
  const { port } = vendor.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const whole = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'
  const first = send({})
  const socket = await requestSent()
  socket.write(whole)
  await first.until('end')
  socket.destroy()
  await once(socket, 'close')
  const second = send({})
  const other = await requestSent(2)
  other.write(whole)
  await second.until('end')
  expect([first.told, second.told]).toEqual(Array.from({ length: 2 }, () => ['call', '200', 'hi', 'end']))
  other.destroy()
  await new Promise((resolve) => vendor.close(resolve))
  for (let refused = 0; refused < 3; refused++) await send({}, origin).until('connect-failed')
  vendor.listen(port, '127.0.0.1')
  await once(vendor, 'listening')
  const last = send({})
  const third = await requestSent(3)
  third.write(whole)
  await last.until('end')
})

it('offers a vendor HTTP/1.1 only', async () => {
  const offered: string[][] = []
  const secure = createSecureServer({
    ALPNCallback({ protocols }) {
      offered.push(protocols)
      return undefined
    },
  })
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const { until } = send({}, `https://127.0.0.1:${(secure.address() as AddressInfo).port}`)
  await until('connection-lost')
  expect(offered).toEqual([['http/1.1']])
  secure.close()
})

describe('the time limits of a call to a vendor', () => {
  it('end it if no response comes', async () => {
    const { told, until } = send({ firstByteMs: 3 * intervalMs })
    await requestSent()
    await pass(3)
    expect(told).toEqual(['call'])
    await pass(1)
    await until('first-byte-timeout')
  })

  it('end it if only informational responses come', async () => {
    const { until } = send({ firstByteMs: 3 * intervalMs })
    const socket = await requestSent()
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')
    await pass(4)
    await until('first-byte-timeout')
  })

  it('end it after a silence within the response, however long the response takes', async () => {
    const { told, until } = send({ firstByteMs: intervalMs, idleMs: 3 * intervalMs })
    const socket = await requestSent()
    socket.write(head)
    await until('200')
    for (const text of ['a', 'b', 'c']) {
      await pass(3)
      socket.write(text)
      await until(text)
    }
    await pass(3)
    expect(told).toEqual(['call', '200', 'a', 'b', 'c'])
    await pass(1)
    await until('idle-timeout')
  })

  it('end it after the whole time, even if it is never silent', async () => {
    const { told, until } = send({ idleMs: 2 * intervalMs, totalMs: 6 * intervalMs })
    const socket = await requestSent()
    socket.write(head)
    await until('200')
    for (let interval = 0; interval < 6; interval++) {
      await pass(1)
      socket.write(String(interval))
      await until(String(interval))
    }
    expect(told).toHaveLength(8)
    await pass(1)
    await until('total-timeout')
  })

  it('do not count the time in which we do not read', async () => {
    const { told, call, until } = send({ idleMs: 2 * intervalMs })
    const socket = await requestSent()
    socket.write(head)
    await until('200')
    call().pause()
    await pass(20)
    call().resume()
    await pass(2)
    expect(told).toEqual(['call', '200'])
    await pass(1)
    await until('idle-timeout')
  })

  it('count the wait for a connection only for the whole time', async () => {
    const first = send({})
    const socket = await requestSent()
    const second = send({ firstByteMs: 2 * intervalMs })
    const third = send({ totalMs: 5 * intervalMs })
    await pass(6)
    expect(second.told).toEqual([])
    await third.until('total-timeout')
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx')
    await first.until('end')
    await second.until('call')
    await pass(3)
    await second.until('first-byte-timeout')
    expect(third.told).toEqual(['total-timeout'])
  })

  it('are no longer checked after its end', async () => {
    const { told, until } = send({ totalMs: intervalMs })
    const socket = await requestSent()
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx')
    await until('end')
    await pass(5)
    expect(told).toEqual(['call', '200', 'x', 'end'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
