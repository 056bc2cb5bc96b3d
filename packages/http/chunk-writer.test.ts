import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ChunkWriter } from './chunk-writer.ts'

let server: Server
let client: Socket
afterEach(async () => {
  client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const request = (path: string, version = '1.1'): string => `GET ${path} HTTP/${version}\r\nhost: x\r\n\r\n`

/** Connects to a server that responds with this function. */
async function talk(
  answer: (path: string, response: ServerResponse) => void | Promise<void>,
): Promise<Socket> {
  server = createServer((request, response) => void answer(request.url!, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  return client
}

async function receivedText(until: (text: string) => boolean): Promise<string> {
  let text = ''
  for await (const bytes of client.iterator({ destroyOnReturn: false })) {
    text += (bytes as Buffer).toString('latin1')
    if (until(text)) break
  }
  return text
}

const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)

function startStream(response: ServerResponse, onDrain = (): void => undefined): ChunkWriter {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return new ChunkWriter(response, { onDrain })
}

describe('ChunkWriter', () => {
  it('writes pieces as chunks behind the head, in order, in whichever turn they are written', async () => {
    await talk(async (_, response) => {
      const chunks = startStream(response)
      expect([chunks.write('a'), chunks.write('\xe9'.repeat(16))]).toEqual([true, true])
      await delay(5)
      expect(chunks.write('c')).toBe(true)
      response.end(Buffer.from('d'))
    })
    client.write(request('/'))
    const text = await receivedText((all) => all.endsWith('0\r\n\r\n'))
    expect(text.startsWith('HTTP/1.1 200 OK\r\n')).toBe(true)
    expect(bodyOf(text)).toBe(`1\r\na\r\n10\r\n${'\xe9'.repeat(16)}\r\n1\r\nc\r\n1\r\nd\r\n0\r\n\r\n`)
  })

  it('waits for the earlier responses on its connection', async () => {
    let first: ServerResponse | undefined
    await talk(async (path, response) => {
      if (path === '/first') {
        first = response
        return
      }
      const chunks = startStream(response)
      chunks.write('a')
      first!.end('first')
      chunks.write('b')
      await delay(5)
      chunks.write('c')
      response.end()
    })
    client.write(request('/first') + request('/second'))
    const text = await receivedText((all) => all.endsWith('0\r\n\r\n'))
    const second = text.slice(text.indexOf('first') + 5)
    expect(second.startsWith('HTTP/1.1 200 OK\r\n')).toBe(true)
    expect(bodyOf(second)).toBe('1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n')
  })

  it('writes no chunk frames for an HTTP/1.0 client', async () => {
    await talk((_, response) => {
      const chunks = startStream(response)
      chunks.write('a')
      chunks.write('b')
      response.end()
    })
    client.write(request('/', '1.0'))
    expect(bodyOf(await receivedText(() => false))).toBe('ab')
  })

  it('reports when the client is too slow, and when it has caught up', async () => {
    const piece = 'x'.repeat(64 * 1024)
    let written = 0
    const drained = Promise.withResolvers<void>()
    await talk((_, response) => {
      const chunks = startStream(response, () => {
        drained.resolve()
        response.end()
      })
      do written++
      while (chunks.write(piece))
    })
    client.write(request('/'))
    const text = await receivedText((all) => all.endsWith('0\r\n\r\n'))
    await drained.promise
    expect(written).toBeGreaterThan(1)
    expect(text.split(piece).length - 1).toBe(written)
  })
})
