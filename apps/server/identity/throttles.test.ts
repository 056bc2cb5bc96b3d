import { afterEach, describe, expect, test } from 'vitest'
import { converse, head } from '../../../tests/conformance/raw-http.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { authorizationUrl } from './testing/device-login.ts'
import { PageClient } from './testing/page-client.ts'

/** Limits count what a request means, however it is written. */

let node: TestNode
afterEach(() => node.stop())

async function start(): Promise<void> {
  node = await startTestNode({ input: { server: { port: 0, trusted_proxies: ['127.0.0.1'] } } })
}

const startsAllowed = 200

async function statusOf(line: string, address: string, body = ''): Promise<number> {
  const { answers } = await converse(node.origin, [
    head(`${line} HTTP/1.1`, [
      ['host', new URL(node.origin).host],
      ['x-forwarded-for', address],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['content-length', body.length],
    ]) + body,
  ])
  return answers[0]!.status
}

describe('starting sign-ins', { timeout: 60_000 }, () => {
  test('is counted however the path is written, or returns 404', async () => {
    await start()
    const address = '203.0.113.7'
    const form = 'client_id=turnpike'
    for (let count = 0; count < startsAllowed; count++)
      expect(await statusOf('POST /oidc/device/auth', address, form)).toBe(200)
    expect(await statusOf('POST /oidc/device/auth', address, form)).toBe(429)
    for (const target of [
      '/oidc/device/auth/',
      '/oidc/device/AUTH',
      '/oidc/DEVICE/auth',
      '/OIDC/device/auth',
      '/oidc//device/auth',
      '//oidc/device/auth',
      '/oidc/./device/auth',
      '/oidc/x/../device/auth',
      '/oidc/%2e/device/auth',
      '/oidc/device%2fauth',
      '/oidc/device%2Fauth',
      '/oidc\\device\\auth',
      '/oidc/device\\auth',
      '/oidc/device/auth;x=1',
      '/oidc;x=1/device/auth',
      '/oidc/device/auth%3Bx=1',
      '/oidc/%2564evice/auth',
      '/oidc/device/auth%20',
      '/oidc/device/auth%00',
      '/oidc/device/auth#x',
      '/oidc/device/auth%23x',
      '/oidc/device/%C4%B1',
    ])
      expect([target, await statusOf(`POST ${target}`, address, form)]).toEqual([target, 404])
    for (const target of [
      '/oidc/%64evice/auth',
      '/oidc/device/%61%75th',
      '/%6f%69dc/device/auth',
      '/oidc/device/auth?x=1',
      '/oidc/device/auth?',
      `${node.origin}/oidc/device/auth`,
      `${node.origin.replace('http', 'HTTP')}/oidc/%64evice/auth`,
    ])
      expect([target, await statusOf(`POST ${target}`, address, form)]).toEqual([target, 429])
    for (const same of ['::ffff:203.0.113.7', '::FFFF:CB00:7107', '203.0.113.7:99', '1.1.1.1, 203.0.113.7'])
      expect(await statusOf('POST /oidc/device/auth', same, form)).toBe(429)
    expect(await statusOf('POST /oidc/device/auth', '203.0.113.8', form)).toBe(200)
  })
})

describe('user codes', { timeout: 60_000 }, () => {
  test('are counted if they are wrong, even if many are tried at once', async () => {
    await start()
    const browsers = Array.from({ length: 40 }, () => new PageClient())
    const entries = await Promise.all(browsers.map((browser) => browser.get(`${node.origin}/oidc/device`)))
    const letters = 'BCDFGHJKLMNPQRSTVWXZ'
    const tried = await Promise.all(
      browsers.map((browser, index) => {
        const userCode = `BCDF-GH${letters[index % letters.length]}${index < letters.length ? 'B' : 'C'}`
        return browser.submit(entries[index]!, '/device', { user_code: userCode })
      }),
    )
    const statuses = tried.map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})

describe('a sign-in that was never begun', () => {
  test('is not reported as our failure', async () => {
    await start()
    const address = '203.0.113.7'
    for (const form of ['', 'user_code=BCDF-GHJK', 'user_code=BCDF-GHJK&confirm=yes&xsrf=a', 'abort=yes'])
      expect(await statusOf('POST /oidc/device', address, form)).toBe(400)
    for (const path of ['/oidc/auth', '/oidc/device']) {
      const resumed = `GET ${path}/${'a'.repeat(43)}`
      expect(await statusOf(resumed, address)).toBe(400)
      for (const query of ['', 'x', 'client_id=turnpike', 'client_id=a&client_id=b'])
        expect(await statusOf(`${resumed}?${query}`, address)).toBe(404)
    }
    expect(node.log.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('passwords', { timeout: 60_000 }, () => {
  test('of one account are counted together, however its address is written', async () => {
    await start()
    const client = new PageClient()
    const page = await client.get(authorizationUrl(node.origin))
    const spellings = [
      'j\u00e9r\u00f4me@b\u00fccher.example',
      'JE\u0301ro\u0302me@B\u00dcCHER.example',
      ' j\u00e9r\u00f4me@xn--bcher-kva.example ',
      'j\u00e9r\u00f4me@xn--bcher-kva.example.',
      '\u00a0j\u00e9r\u00f4me@BU\u0308CHER.EXAMPLE',
    ]
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) {
      const email = spellings[count % spellings.length]!
      const fields = { ...page.forms[0]!.hidden, email, password: 'wrong' }
      const from = { 'x-forwarded-for': `203.0.113.${count}` }
      statuses.push((await client.post(`${page.url}/sign-in`, fields, from)).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  })
})
