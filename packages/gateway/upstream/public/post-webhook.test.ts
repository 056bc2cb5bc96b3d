import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { nameServers } from '../media/testing/name-server.ts'
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

test('a receiver gets the event, and its response is returned', async () => {
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

test('a long response is truncated, and a redirect is not followed', async () => {
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
])('%s is neither called nor accepted', async (url) => {
  await expect(stranger.post(url, {}, '')).rejects.toThrow('its host is not on the public internet')
  await expect(stranger.check(url)).rejects.toThrow(/^its? /)
})

test('http is only allowed for the operator’s networks', async () => {
  await expect(here.post('http://8.8.8.8/', {}, '')).rejects.toThrow('not on the public internet')
  await expect(here.check('http://10.0.0.1/')).rejects.toThrow('not on the public internet')
  await expect(here.check('https://127.0.0.1:8443/')).resolves.toBeUndefined()
})

describe('a name that resolves to another address each time', () => {
  const { nameServer, close } = nameServers()
  afterEach(close)

  /** Two receivers on one port: one on an allowed address, one on another. */
  async function twoServers(): Promise<{ port: number; asked: string[]; stop: () => void }> {
    const asked: string[] = []
    const serverOf = (address: string): Server =>
      createServer((request, response) => {
        asked.push(`${address} ${request.url}`)
        response.end()
      })
    const [allowed, forbidden] = [serverOf('127.0.0.1'), serverOf('127.0.0.2')]
    await new Promise<void>((resolve) => allowed.listen(0, '127.0.0.1', resolve))
    const { port } = allowed.address() as AddressInfo
    await new Promise<void>((resolve) => forbidden.listen(port, '127.0.0.2', resolve))
    const stop = (): void => {
      for (const one of [allowed, forbidden]) one.close().closeAllConnections()
    }
    return { port, asked, stop }
  }

  test('is connected to at the address that was checked: it is looked up once', async () => {
    const { port, asked, stop } = await twoServers()
    let lookUps = 0
    // Both families are queried each time.
    const zone = () => ({ 'rebinds.example': { A: [[127, 0, 0, ++lookUps <= 2 ? 1 : 2]] } })
    const dns = await nameServer(zone)
    const client = new WebhookClient(['127.0.0.1'], { nameServers: dns.servers })
    const answer = await client.post(`http://rebinds.example:${port}/hook`, {}, '{}')
    expect([answer.status, asked]).toEqual([200, ['127.0.0.1 /hook']])
    expect(dns.asked.toSorted()).toEqual(['A rebinds.example', 'AAAA rebinds.example'])
    // It was valid when the target was created, and is checked again at each attempt.
    await expect(client.post(`http://rebinds.example:${port}/hook`, {}, '{}')).rejects.toThrow(
      'its host is not on the public internet',
    )
    expect(asked).toHaveLength(1)
    stop()
  })

  test('is rejected if one of its addresses is not allowed', async () => {
    const { port, asked, stop } = await twoServers()
    const addresses = [
      [127, 0, 0, 1],
      [127, 0, 0, 2],
    ]
    const dns = await nameServer(() => ({ 'both.example': { A: addresses } }))
    const client = new WebhookClient(['127.0.0.1'], { nameServers: dns.servers })
    const url = `http://both.example:${port}/hook`
    for (const refused of [client.check(url), client.post(url, {}, '{}')])
      await expect(refused).rejects.toThrow('its host is not on the public internet')
    expect(asked).toEqual([])
    stop()
  })
})

describe('a malicious receiver', () => {
  const shortMs = 400
  const impatient = new WebhookClient(['127.0.0.0/8'], {
    timeouts: { connectMs: shortMs, firstByteMs: shortMs, idleMs: shortMs, totalMs: shortMs },
  })

  /** Starts a receiver with this behaviour; `closed` waits until our side ends the connection. */
  async function receive(
    act: (socket: Socket) => void,
  ): Promise<{ url: string; closed: () => Promise<void> }> {
    const { promise, resolve: close } = Promise.withResolvers<void>()
    let last: Socket | undefined
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('close', () => close())
      last = socket
      act(socket)
    })
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    void promise.then(() => tcp.close())
    // A socket that is not read does not notice the end of the connection.
    const closed = (): Promise<void> => (last?.resume(), promise)
    return { url: `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`, closed }
  }

  /** Sends chunks as long as the connection takes them. */
  function endless(socket: Socket, chunk: string): void {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  }

  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

  test.each([
    ['takes the connection and reads nothing', (socket: Socket) => void socket.pause()],
    ['reads and never answers', (socket: Socket) => void socket.resume()],
    [
      'sends its answer a byte at a time',
      (socket: Socket) => {
        socket.resume().write(`${head}\r\n`)
        const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 20)
      },
    ],
    [
      'sends its headers a byte at a time',
      (socket: Socket) => {
        socket.resume().write(`${head}x-slow: `)
        const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 20)
      },
    ],
  ])('that %s is disconnected', async (_, act) => {
    const { url, closed } = await receive(act)
    await expect(impatient.post(url, {}, 'x'.repeat(100_000))).rejects.toThrow(
      'its server takes too long to respond',
    )
    await closed()
  })

  test('that sends an endless body is cut off after the beginning', async () => {
    const { url, closed } = await receive((socket) => {
      socket.resume().write(`${head}\r\n`)
      endless(socket, 'y'.repeat(64 * 1024))
    })
    expect(await here.post(url, {}, '{}')).toMatchObject({ status: 200, body: 'y'.repeat(1_024) })
    await closed()
  })

  test('that sends endless headers gives no response', async () => {
    const { url, closed } = await receive((socket) => {
      socket.resume().write(head)
      endless(socket, `x-more: ${'y'.repeat(1_000)}\r\n`)
    })
    await expect(here.post(url, {}, '{}')).rejects.toThrow('its server gave no response')
    await closed()
  })

  test('that speaks no HTTP, or hangs up, gives no response', async () => {
    for (const act of [
      (socket: Socket) => void socket.end('220 mail.example ESMTP\r\n'),
      (socket: Socket) => void socket.destroy(),
    ]) {
      const { url } = await receive(act)
      await expect(here.post(url, {}, '{}')).rejects.toThrow('its server gave no response')
    }
  })

  test.each([301, 302, 303, 307, 308])(
    'that redirects (%i) to a private address is not followed',
    async (status) => {
      let asked = 0
      const inner = createServer((_, response) => {
        asked++
        response.end('secret')
      })
      await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
      const { port } = inner.address() as AddressInfo
      const url = await serve((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${port}/latest/meta-data` }).end()
      })
      expect(await here.post(url, {}, '{}')).toMatchObject({ status, body: '' })
      expect(asked).toBe(0)
      inner.close()
    },
  )
})
