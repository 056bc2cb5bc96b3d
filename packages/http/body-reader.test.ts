import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { readBody } from './body-reader.ts'

/** Reads the body of a request only after all of it has arrived, as happens while its key is looked up. */
async function readLate(body: Buffer): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`)
    client.write(body)
    const [request] = (await once(server, 'request')) as [IncomingMessage]
    await vi.waitFor(() => expect(request.complete).toBe(true), 10_000)
    return await readBody(request, {
      maxBytes: body.length,
      bodyMs: 60_000,
      refusalOf: () => undefined,
      take: () => undefined,
    })
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

it.each([0, 1, 60_000, 70_000, 100_000, 120_000])(
  'reads all %i bytes of a body that has already arrived',
  async (length) => {
    const body = Buffer.from(Array.from({ length }, (_, index) => index % 251))
    expect((await readLate(body)).equals(body)).toBe(true)
  },
)

const bounds = { maxBytes: 1_000, bodyMs: 5_000, refusalOf: () => undefined, take: () => undefined }
/** Reads the bodies of requests sent in these pieces on one connection, and whether each ended. */
async function bodiesOf(writes: readonly (readonly string[])[]): Promise<[string, boolean][]> {
  const bodies: [string, boolean][] = []
  const server = createServer()
  server.on('request', (request: IncomingMessage, response) => {
    // As in the pipeline, where a microtask turn separates the head from reading the body.
    void Promise.resolve()
      .then(() => readBody(request, bounds))
      .then((body) => {
        setImmediate(() => {
          bodies.push([body.toString(), request.readableEnded])
          response.end()
        })
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  for (const pieces of writes) {
    const answered = once(socket, 'data')
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await answered
  }
  socket.destroy()
  server.close()
  return bodies
}

const head = (more: string): string => `POST / HTTP/1.1\r\nhost: x\r\n${more}\r\n\r\n`

it('reads bodies that arrive together with their head, also on a reused connection', async () => {
  const request = [`${head('content-length: 5')}hello`]
  const hello = ['hello', true]
  expect(await bodiesOf([request, request, request])).toEqual([hello, hello, hello])
})

it('reads bodies in pieces and in chunks', async () => {
  const pieces = [`${head('content-length: 5')}he`, 'll', 'o']
  const chunks = [`${head('transfer-encoding: chunked')}3\r\nhel\r\n`, '2\r\nlo\r\n0\r\n\r\n']
  const none = [head('content-length: 0')]
  expect(await bodiesOf([pieces, chunks, none, pieces])).toEqual([
    ['hello', true],
    ['hello', true],
    ['', true],
    ['hello', true],
  ])
})
