import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { publicInternet } from '../media/media-fetcher.ts'
import { readPublicDocument } from './public-document.ts'

/** Allows the test's own server, which is otherwise forbidden. */
const here = { allowsAddress: () => true, allowsPort: () => true, protocols: ['http:'] }

let server: Server | undefined
afterEach(() => {
  server?.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`
}

describe('a document of an untrusted server', () => {
  test('is read as its server sends it', async () => {
    const address = await serve((request, response) => {
      const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=60' }
      response.writeHead(200, headers).end(JSON.stringify({ accept: request.headers.accept }))
    })
    expect(await readPublicDocument(address, here)).toEqual({
      status: 200,
      contentType: 'application/json',
      cacheControl: 'max-age=60',
      body: '{"accept":"application/json"}',
    })
  })

  test('does not follow redirects', async () => {
    const address = await serve((request, response) => {
      if (request.url === '/client.json') response.writeHead(302, { location: '/secret' }).end()
      else response.end('secret')
    })
    expect(await readPublicDocument(address, here)).toMatchObject({ status: 302, body: '' })
  })

  test('is rejected if it is too large or incomplete', async () => {
    const large = await serve((_, response) => void response.end('x'.repeat(17 * 1024)))
    await expect(readPublicDocument(large, here)).rejects.toThrow('its server gave no response of at most')
    server!.close()
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{')
      setImmediate(() => response.destroy())
    })
    await expect(readPublicDocument(broken, here)).rejects.toThrow('its server gave no response of at most')
  })

  test.each([
    'http://example.com/client.json',
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://localhost/client.json',
    'https://name.localhost/client.json',
    'https://10.1.2.3/client.json',
    'https://169.254.169.254/client.json',
    'https://[64:ff9b::7f00:1]/client.json',
    'https://0.0.0.0/client.json',
    'https://example.com:8443/client.json',
    'https://user@example.com/client.json',
    'no address',
  ])('is not requested from %s', async (address) => {
    await expect(readPublicDocument(address)).rejects.toThrow('its host is not on the public internet')
  })

  test('is only read over https, from the public internet', async () => {
    let asked = 0
    const address = await serve((_, response) => {
      asked++
      response.end()
    })
    const rules = { ...publicInternet, allowsPort: () => true, protocols: ['http:'] }
    for (const url of [address, address.replace('127.0.0.1', 'localhost')])
      await expect(readPublicDocument(url, rules)).rejects.toThrow('not on the public internet')
    expect(asked).toBe(0)
  })
})
