import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer, type SecureVersion, type TLSSocket } from 'node:tls'
import { selfSigned } from '@turnpike/simulators/clouds/self-signed'
import { afterEach, describe, expect, it } from 'vitest'
import { connector } from './connector.ts'

const open: { close(): unknown }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

type Connect = ReturnType<typeof connector>

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

/** A server that does this with each connection. */
const plain = (serve: (socket: Socket) => void): Promise<number> =>
  portOf(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      serve(socket)
    }),
  )

const certificate = selfSigned('127.0.0.1').pem

const secure = (version: SecureVersion, serve: (socket: Socket) => void): Promise<number> =>
  portOf(
    createSecureServer(
      { key: certificate, cert: certificate, minVersion: version, maxVersion: version },
      (socket) => {
        socket.on('error', () => socket.destroy())
        serve(socket)
      },
    ),
  )

const plainConnector = (): Connect => connector({ timeout: 5_000 })
const secureConnector = (): Connect => connector({ timeout: 5_000, rejectUnauthorized: false })

function connection(connect: Connect, port: number, protocol = 'http:'): Promise<Socket> {
  const target = { hostname: '127.0.0.1', host: `127.0.0.1:${port}`, protocol, port: String(port) }
  return new Promise((resolve, reject) => {
    connect(target, (error, socket) => {
      if (error !== null) return reject(error)
      open.push({ close: () => socket.destroy() })
      resolve(socket)
    })
  })
}

async function allOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

/** Different for each connection, and longer than one read. */
const partsOf = (name: string): string[] =>
  Array.from({ length: 8 }, (_, part) => `${name}${part}`.repeat(5_000 * part + 1))

/** Answers a name with its parts, in turns of the event loop of their own. */
function speak(socket: Socket): void {
  socket.once('data', (name) => {
    const parts = partsOf(String(name))
    const next = (): void => {
      const part = parts.shift()
      if (part === undefined) socket.end()
      else socket.write(part, () => setImmediate(next))
    }
    next()
  })
}

async function expectOwnBytes(connect: Connect, port: number, protocol: string): Promise<void> {
  const names = Array.from({ length: 20 }, (_, at) => `connection ${at}, `)
  const texts = names.map(async (name) => {
    const socket = await connection(connect, port, protocol)
    socket.write(name)
    return allOf(socket)
  })
  expect(await Promise.all(texts)).toEqual(names.map((name) => partsOf(name).join('')))
}

describe('a connection to a vendor', () => {
  it('has no listener of the connect phase', async () => {
    const socket = await connection(plainConnector(), await plain(() => undefined))
    expect(socket.listenerCount('error')).toBe(0)
  })

  it('is refused with the reason', async () => {
    const port = await plain(() => undefined)
    const [server] = open.splice(0)
    server!.close()
    await once(server as Server, 'close')
    await expect(connection(plainConnector(), port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('gets its own bytes, whatever others read at the same time', async () => {
    await expectOwnBytes(plainConnector(), await plain(speak), 'http:')
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('gets its own bytes over %s', async (version) => {
    await expectOwnBytes(secureConnector(), await secure(version, speak), 'https:')
  })

  it('keeps bytes that it has read when others are read', async () => {
    const port = await plain((socket) => socket.pipe(socket))
    const connect = plainConnector()
    const [first, second] = [await connection(connect, port), await connection(connect, port)]
    first.write('first')
    await once(first, 'readable')
    second.write('other')
    await once(second, 'readable')
    expect([String(first.read()), String(second.read())]).toEqual(['first', 'other'])
  })

  it('is not read on while nobody takes its bytes', async () => {
    const bytes = 64 * 1024 * 1024
    const port = await plain((socket) => socket.end(Buffer.alloc(bytes, 'x')))
    const socket = await connection(plainConnector(), port)
    await once(socket, 'readable')
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(socket.readableLength).toBeLessThan(1024 * 1024)
    expect((await allOf(socket)).length).toBe(bytes)
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'resumes the session of the one before, over %s',
    async (version) => {
      const port = await secure(version, (socket) => socket.end('hello'))
      const connect = secureConnector()
      const isReused: boolean[] = []
      for (let turn = 0; turn < 3; turn++) {
        const socket = await connection(connect, port, 'https:')
        isReused.push((socket as TLSSocket).isSessionReused())
        expect(await allOf(socket)).toBe('hello')
      }
      expect(isReused).toEqual([false, true, true])
    },
  )
})
