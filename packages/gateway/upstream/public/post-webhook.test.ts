import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebhookClient } from './post-webhook.ts'

const here = new WebhookClient(['127.0.0.0/8'])
const stranger = new WebhookClient([])

let server: Server | undefined
afterEach(() => {
  server?.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

test('what a receiver is sent, and what it answers', async () => {
  const url = await serve((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () =>
      response
        .writeHead(503, { 'retry-after': '7' })
        .end(`${request.method} ${String(request.headers['webhook-id'])} ${body}`),
    )
  })
  expect(await here.post(url, { 'webhook-id': 'evt_1' }, '{"a":1}')).toEqual({
    status: 503,
    retryAfter: '7',
    body: 'POST evt_1 {"a":1}',
  })
})

test('a long answer is cut, and is one; a redirect is not followed', async () => {
  const long = await serve((_, response) => void response.end('x'.repeat(1_000_000)))
  const answer = await here.post(long, {}, '')
  expect([answer.status, answer.body]).toEqual([200, 'x'.repeat(1_024)])
  server!.close()
  let asked = 0
  const away = await serve((_, response) => {
    asked++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect([(await here.post(away, {}, '')).status, asked]).toEqual([307, 1])
})

test.each([
  'http://127.0.0.1:8080/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://localhost/',
  'https://name.localhost:8443/',
  'http://example.com/',
  'https://user:word@example.com/',
  'https://example.com:25/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'no address',
])('%s is not called, nor taken', async (url) => {
  await expect(stranger.post(url, {}, '')).rejects.toThrow('its host is not on the public internet')
  await expect(stranger.check(url)).rejects.toThrow(/^its? /)
})

test('http is for the networks of the operator alone', async () => {
  await expect(here.post('http://8.8.8.8/', {}, '')).rejects.toThrow('not on the public internet')
  await expect(here.check('http://10.0.0.1/')).rejects.toThrow('not on the public internet')
  await expect(here.check('https://127.0.0.1:8443/')).resolves.toBeUndefined()
})
