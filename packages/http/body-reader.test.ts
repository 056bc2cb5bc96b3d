import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { readBody } from './body-reader.ts'

/** The body of a request that nobody has read until all of it was there, as while its key is looked up. */
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
      stallMs: 60_000,
      refusalOf: () => undefined,
      take: () => undefined,
    })
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

it.each([0, 1, 60_000, 70_000, 100_000, 120_000])('reads all of %i bytes that wait', async (length) => {
  const body = Buffer.from(Array.from({ length }, (_, index) => index % 251))
  expect((await readLate(body)).equals(body)).toBe(true)
})
