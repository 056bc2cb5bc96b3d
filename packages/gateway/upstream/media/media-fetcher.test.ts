import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GatewayError } from '@turnpike/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MediaFetcher, publicInternet, type MediaRules, type RemoteMedia } from './media-fetcher.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const mebibyte = 1024 * 1024

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const sending =
  (type: string | undefined, body: Buffer, more: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(200, { ...(type === undefined ? {} : { 'content-type': type }), ...more }).end(body)
  }
const redirecting =
  (location: string): Handler =>
  (_request, response) =>
    response.writeHead(302, { location }).end()

const handlers: Record<string, Handler> = {
  '/a.png': sending('image/png; charset=binary', png),
  '/unknown': sending('application/octet-stream', png),
  '/untyped': sending(undefined, Buffer.from('%PDF-1.7')),
  '/a.wav': sending('audio/x-wav', Buffer.from('RIFF')),
  '/page': sending('text/html', Buffer.from('<html>')),
  '/text': sending('application/octet-stream', Buffer.from('secret')),
  '/zipped': sending('image/png', png, { 'content-encoding': 'gzip' }),
  '/missing': (_request, response) => response.writeHead(404).end('not here'),
  '/announced': sending('image/png', png, { 'content-length': String(21 * mebibyte) }),
  '/endless': (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(mebibyte)));
    }
    response.on('drain', more)
    more()
  },
  '/crumbs': (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'transfer-encoding': 'chunked' })
    response.flushHeaders()
    response.socket!.end('1\r\na\r\n'.repeat(500_000))
  },
  '/silent': () => undefined,
  '/reset': (request) => request.socket.destroy(),
  '/1': redirecting('/2'),
  '/2': redirecting('3'),
  '/3': redirecting('./a.png?x=1'),
  '/0': redirecting('/1'),
  '/round': redirecting('/round'),
  '/to-file': redirecting('file:///etc/passwd'),
  '/to-private': redirecting('http://169.254.169.254/latest/meta-data'),
  '/to-port': redirecting('http://127.0.0.1:22/'),
  '/big': sending('image/png', Buffer.alloc(17 * mebibyte)),
}

describe('the media fetcher', () => {
  let server: Server
  let port: number
  const asked: string[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const path = (request.url ?? '').split('?')[0]!
      handlers[path]!(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })

  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  /** Allows only this test's own server, and whatever a test adds. */
  const rules = (): MediaRules => ({
    allowsAddress: (address) => address === '127.0.0.1',
    allowsPort: (testPort) => testPort === String(port) || testPort === '',
  })
  const media = (url: string, kind: RemoteMedia['kind'] = 'image'): RemoteMedia => ({
    url,
    kind,
    param: 'field',
  })
  const here = (path: string): string => `http://127.0.0.1:${port}${path}`

  async function fetched(
    remote: RemoteMedia,
    more: { rules?: MediaRules; signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const { signal = new AbortController().signal, rules: mediaRules = rules() } = more
    const fetcher = new MediaFetcher({ signal, keep: () => undefined, rules: mediaRules })
    try {
      return await fetcher.fetch(remote)
    } finally {
      await fetcher.close()
    }
  }

  async function refusalOf(remote: RemoteMedia, mediaRules?: MediaRules): Promise<string> {
    const error: unknown = await fetched(remote, mediaRules === undefined ? {} : { rules: mediaRules }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ status: 400, param: 'field' })
    return (error as GatewayError).message
  }

  it.each([
    ['/a.png', 'image', 'image/png'],
    ['/unknown', 'image', 'image/png'],
    ['/untyped', 'document', 'application/pdf'],
    ['/a.wav', 'audio', 'wav'],
    ['/1', 'image', 'image/png'],
  ] as const)('reads %s', async (path, kind, format) => {
    const source = await fetched(media(here(path), kind))
    expect(source).toMatchObject({ type: 'base64', format })
    if (kind === 'image') expect(source).toMatchObject({ data: png.toString('base64') })
  })

  it('resolves a host by its name', async () => {
    expect(
      await fetched(media(`http://localhost:${port}/a.png`), {
        rules: { ...rules(), allowsAddress: (address) => ['127.0.0.1', '::1'].includes(address) },
      }),
    ).toMatchObject({ format: 'image/png' })
  })

  it.each([
    ['/page', 'image', 'expected an image, got text/html'],
    ['/a.png', 'document', 'expected a PDF document, got image/png'],
    ['/text', 'image', 'expected an image, got another kind of file'],
    ['/zipped', 'image', 'compressed'],
    ['/missing', 'image', 'returned status 404'],
    ['/announced', 'image', 'larger than 20 MiB'],
    ['/endless', 'image', 'larger than 20 MiB'],
    ['/crumbs', 'image', 'in very small pieces'],
    ['/reset', 'image', 'did not respond'],
    ['/0', 'image', 'redirects more than 3 times'],
    ['/round', 'image', 'redirects more than 3 times'],
    ['/to-file', 'image', 'http or https'],
    ['/to-private', 'image', 'not on the public internet'],
    ['/to-port', 'image', 'port 80 or 443'],
  ] as const)('refuses %s as %s', async (path, kind, reason) => {
    expect(await refusalOf(media(here(path), kind))).toContain(reason)
  })

  it('fetches only a limited amount for one request', async () => {
    const { signal } = new AbortController()
    const fetcher = new MediaFetcher({ signal, keep: () => undefined, rules: rules() })
    await fetcher.fetch(media(here('/big')))
    await expect(fetcher.fetch(media(here('/big?again')))).rejects.toThrow(
      'all media together are larger than 32 MiB',
    )
    await fetcher.close()
  })

  it('fails with the reason for which it is aborted', async () => {
    const stop = new AbortController()
    const reason = new GatewayError('client_closed_request', 'gone')
    setTimeout(() => stop.abort(reason), 20)
    await expect(fetched(media(here('/silent')), { signal: stop.signal })).rejects.toBe(reason)
  })

  it('sends nothing if the first look-up is rejected, whatever a second one would return', async () => {
    const looked: string[] = []
    const moody: MediaRules = {
      allowsPort: () => true,
      allowsAddress: (address) => {
        looked.push(address)
        return looked.length > 1
      },
    }
    const before = asked.length
    expect(await refusalOf(media(`http://localhost:${port}/a.png`), moody)).toContain(
      'not on the public internet',
    )
    expect(asked.length).toBe(before)
  })

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fc00::1]/',
    'http://[64:ff9b::a00:1]/',
    'http://10.0.0.1:443/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/',
    'http://localhost./',
    'https://LOCALHOST/',
  ])('refuses %s as an address that is not public', async (url) => {
    const message = await refusalOf(media(url), publicInternet)
    // Not every system resolves `localhost` with a final dot.
    expect(message).toMatch(/not on the public internet|its host name does not resolve/)
  })

  it.each([
    ['ftp://example.com/a.png', 'http or https'],
    ['gs://bucket/a.png', 'http or https'],
    ['file:///etc/passwd', 'http or https'],
    ['http://example.com:8080/', 'port 80 or 443'],
    ['https://user:secret@example.com/', 'user name or password'],
    ['/a.png', 'not a valid URL'],
    ['http://', 'not a valid URL'],
  ])('refuses %s', async (url, reason) => {
    const message = await refusalOf(media(url), publicInternet)
    expect(message).toContain(reason)
    expect(message).not.toContain('secret')
  })
})
