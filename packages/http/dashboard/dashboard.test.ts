import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Dashboard } from './dashboard.ts'

const script = 'console.log(1)'
const page = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><p>here</p>'
const asPage = { accept: 'text/html,application/xhtml+xml' }

let directory: string
let server: Server
let origin: string
let connectOrigins: () => Promise<string[]>

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'dashboard-'))
  connectOrigins = async () => ['https://issuer.example']
  const dashboard = new Dashboard({
    directory: join(directory, 'dist'),
    otherPaths: new Set(['/v1', '/api', '/oidc', '/docs', '/openapi.json', '/healthz', '/metrics']),
    connectOrigins: () => connectOrigins(),
  })
  server = createServer((request, response) => {
    if (!dashboard.handle(request, response)) response.writeHead(418).end('not the dashboard')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(directory, { recursive: true })
})

function build(name = 'index-a1.js', html = page): void {
  const dist = join(directory, 'dist')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  writeFileSync(join(dist, 'index.html'), html)
  writeFileSync(join(dist, 'assets', name), script)
  writeFileSync(join(dist, 'assets', `${name}.gz`), gzipSync(script))
  writeFileSync(join(dist, 'not-listed.js'), 'secret')
  const files = [
    { path: 'index.html', encodings: [] },
    { path: `assets/${name}`, encodings: ['gzip'] },
  ]
  writeFileSync(join(dist, 'manifest.json'), JSON.stringify({ fingerprint: name, files }))
}

const get = (path: string, headers: Record<string, string> = asPage, method = 'GET'): Promise<Response> =>
  fetch(origin + path, { headers, method })

/** Sends the path as it is; `fetch` would normalise it. */
function statusOfRaw(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(origin, { path, headers: asPage }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('before the dashboard is built', () => {
  test('a page says so and reloads; it appears without a restart', async () => {
    const before = await get('/')
    expect([before.status, before.headers.get('retry-after')]).toEqual([503, '3'])
    expect(await before.text()).toContain('being built')
    build()
    expect((await get('/')).status).toBe(200)
  })

  test('its files are 404', async () => expect((await get('/assets/index-a1.js')).status).toBe(404))
})

describe('pages', () => {
  beforeEach(() => build())

  test.each(['/', '/keys', '/requests/req_1', '/usage?by=tag', '/dashboard/callback?code=x'])(
    '%s is the page',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(await answer.text()).toContain('<p>here</p>')
    },
  )

  test.each(['/v1/models', '/api/v1/me', '/oidc/auth', '/docs', '/openapi.json', '/healthz', '/metrics'])(
    '%s is not a page',
    async (path) => expect((await get(path)).status).toBe(418),
  )

  test('an unknown path is a page only for browsers; the root is one for every client', async () => {
    expect((await get('/nothing', { accept: 'application/json' })).status).toBe(418)
    expect((await get('/', { accept: '*/*' })).status).toBe(200)
    expect((await get('/', asPage, 'POST')).status).toBe(418)
  })

  test('the content security policy is strict, with a new nonce each time', async () => {
    const policies = new Set<string>()
    for (let count = 0; count < 3; count++) {
      const answer = await get('/')
      const policy = answer.headers.get('content-security-policy')!
      const [, nonce] = /'nonce-([^']+)'/.exec(policy)!
      expect(await answer.text()).toContain(`nonce="${nonce}"`)
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self' https://issuer.example;")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('referrer-policy')).toBe('same-origin')
      policies.add(policy)
    }
    expect(policies.size).toBe(3)
  })

  test('an unavailable identity provider does not affect the page', async () => {
    connectOrigins = () => Promise.reject(new Error('away'))
    expect((await get('/')).headers.get('content-security-policy')).toContain("connect-src 'self';")
  })

  test('HEAD returns the length and no body', async () => {
    const answer = await get('/', asPage, 'HEAD')
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(page.length)
    expect(await answer.text()).toBe('')
  })
})

describe('files', () => {
  beforeEach(() => build())

  test('are cached for ever, and not sent twice', async () => {
    const first = await get('/assets/index-a1.js')
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(first.headers.get('etag')).toMatch(/^W\/"[\w-]{22}"$/)
    const again = await get('/assets/index-a1.js', { 'if-none-match': first.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await get('/assets/index-a1.js', {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test.each([
    ['gzip', 'gzip'],
    ['br;q=1.0, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
  ])('are packed for who takes it: %s', async (accepted, encoding) => {
    const bytes = await new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve) => {
      httpRequest(`${origin}/assets/index-a1.js`, { headers: { 'accept-encoding': accepted } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }))
      }).end()
    })
    expect([bytes.headers['content-encoding'], bytes.headers['vary']]).toEqual([encoding, 'accept-encoding'])
    expect((encoding === undefined ? bytes.body : gunzipSync(bytes.body)).toString()).toBe(script)
  })

  test('of the previous build stay available to open pages', async () => {
    await get('/')
    await new Promise((resolve) => setTimeout(resolve, 5))
    rmSync(join(directory, 'dist'), { recursive: true })
    build('index-b2.js', page.replace('here', 'there'))
    expect(await (await get('/')).text()).toContain('there')
    expect((await get('/assets/index-a1.js')).status).toBe(200)
    expect((await get('/assets/index-b2.js')).status).toBe(200)
  })

  test.each([
    '/assets/../not-listed.js',
    '/assets/%2e%2e/not-listed.js',
    '/assets/..%2fmanifest.json',
    '/assets/../../../../etc/passwd',
    '/assets//etc/passwd',
    '/assets/',
    '/assets/index-a1.js.gz',
    '/assets/__proto__',
  ])('%s leads nowhere', async (path) => expect(await statusOfRaw(path)).toBe(404))
})
