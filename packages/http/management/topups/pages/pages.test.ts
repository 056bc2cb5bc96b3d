import { createHash } from 'node:crypto'
import { GatewayError } from '@turnpike/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { nowMs } from '../../testing/management-server.ts'
import { failingProcessor, startTopupServer } from '../testing/topup-server.ts'

const server = await startTopupServer()
afterAll(() => server.close())

interface Checkout {
  subject: string
  id: string
  path: string
}

async function opened(): Promise<Checkout> {
  const { subject } = await server.newAccount()
  const { json } = await server.buy(subject, { amount_usd: '25' })
  const id = String(json['session_id'])
  return { subject, id, path: `/sandbox-checkout/${id}` }
}

/** Opens the page in a browser, and returns it with a function that submits its form. */
async function visit(
  path: string,
): Promise<{ text: string; headers: Headers; cookie: string; token: string }> {
  const response = await fetch(server.origin + path)
  const text = await response.text()
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
  return { text, headers: response.headers, cookie, token }
}

async function decide(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(server.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
}

async function press(path: string, decision: string): Promise<Response> {
  const { token, cookie } = await visit(path)
  return decide(path, { token, decision }, { cookie, 'sec-fetch-site': 'same-origin' })
}

async function statusOf({ subject, id }: Checkout): Promise<unknown> {
  const { json } = await server.call('GET', `/api/v1/topup/${id}`, { as: subject })
  return json['status']
}

async function balanceOf({ subject }: Checkout): Promise<unknown> {
  return (await server.call('GET', '/api/v1/balance', { as: subject })).json.balance_usd
}

describe('the sandbox checkout', () => {
  test('says that it is not real money, needs no script and allows nothing else', async () => {
    const { path } = await opened()
    const { text, headers } = await visit(path)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers.get('cache-control')).toBe('no-store')
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(text).toContain('This is not real money')
    expect(text).toContain('25 USD')
    expect(text).not.toMatch(/<script|javascript:| on[a-z]+=/i)
  })

  test('credits a payment once, and the result page says so', async () => {
    const checkout = await opened()
    const paid = await press(checkout.path, 'pay')
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `/checkout/${checkout.id}`])
    expect(await balanceOf(checkout)).toBe('25')
    const { text } = await visit(`/checkout/${checkout.id}`)
    expect(text).toContain('Payment received')
    expect(text).toContain('no real money')
    expect((await visit(checkout.path)).text).toContain('Payment received')
    const { cookie, token } = await visit((await opened()).path)
    await decide(checkout.path, { token, decision: 'pay' }, { cookie })
    expect(await balanceOf(checkout)).toBe('25')
    const { json } = await server.call('GET', '/api/v1/ledger', { as: checkout.subject })
    expect(json.data).toMatchObject([
      { kind: 'topup', reference: `topup:${checkout.id}`, reason: 'sandbox checkout: not real money' },
    ])
  })

  test('credits once if the button is pressed many times at once', async () => {
    const checkout = await opened()
    const { token, cookie } = await visit(checkout.path)
    await Promise.all(
      Array.from({ length: 10 }, () => decide(checkout.path, { token, decision: 'pay' }, { cookie })),
    )
    expect(await balanceOf(checkout)).toBe('25')
  })

  test('pays nothing if the card is declined, and lets the customer try again', async () => {
    const checkout = await opened()
    const declined = await press(checkout.path, 'decline')
    expect([declined.status, await declined.text()]).toEqual([200, expect.stringContaining('declined')])
    expect([await statusOf(checkout), await balanceOf(checkout)]).toEqual(['open', '0'])
    expect((await visit(`/checkout/${checkout.id}`)).text).toContain('Not paid yet')
    await press(checkout.path, 'pay')
    expect(await statusOf(checkout)).toBe('paid')
  })

  test('expires by the button, or by time, and can then not be paid', async () => {
    const checkout = await opened()
    expect((await press(checkout.path, 'expire')).status).toBe(303)
    expect(await statusOf(checkout)).toBe('expired')
    expect((await visit(`/checkout/${checkout.id}`)).text).toContain('expired')

    const late = await opened()
    const { token, cookie } = await visit(late.path)
    server.clock.nowMs += 24 * 60 * 60 * 1000
    const answer = await decide(late.path, { token, decision: 'pay' }, { cookie })
    server.clock.nowMs = nowMs
    expect(await answer.text()).toContain('expired')
    expect([await statusOf(late), await balanceOf(late)]).toEqual(['expired', '0'])
  })

  test.each([
    ['without its token', { token: '' }, {}],
    ['with another token', { token: 'x'.repeat(32) }, {}],
    ['without the cookie', {}, { cookie: '' }],
    ['from another site, for browsers that say so', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('refuses a form %s', async (_, fields, headers) => {
    const checkout = await opened()
    const { token, cookie } = await visit(checkout.path)
    const answer = await decide(checkout.path, { decision: 'pay', token, ...fields }, { cookie, ...headers })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('not sent from its own page')
    expect(await statusOf(checkout)).toBe('open')
  })

  test('shows mistakes as pages too', async () => {
    const checkout = await opened()
    expect((await press(checkout.path, 'steal')).status).toBe(400)
    const unknown = await fetch(`${server.origin}/sandbox-checkout/top_${'0'.repeat(26)}`)
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    for (const id of ['%00', 'x', '<b>'])
      expect((await fetch(`${server.origin}/sandbox-checkout/${id}`)).status).toBe(404)
    const json = await decide(checkout.path, {}, { 'content-type': 'application/json' })
    expect(json.status).toBe(415)
    const large = await decide(checkout.path, { token: 'x'.repeat(10_000) })
    expect(large.status).toBe(413)
    expect((await fetch(server.origin + checkout.path, { method: 'DELETE' })).status).toBe(405)
  })
})

test('with real payments there is no sandbox page, but there is a result page', async () => {
  const lookedUp: string[] = []
  const other = await startTopupServer({
    servesSandboxCheckout: false,
    processor: {
      ...failingProcessor(new GatewayError('service_unavailable', 'away')),
      open: async ({ id }) => ({
        id: `cs_${id}`,
        topupId: id,
        state: 'open',
        url: 'https://checkout.stripe.test/pay',
        expiresAtMs: nowMs + 1_000_000,
        amountPico: 25n,
        taxPico: 0n,
        currency: 'usd',
        paymentId: null,
      }),
      async sessionOf({ id }) {
        lookedUp.push(id)
        throw new GatewayError('service_unavailable', 'away')
      },
    },
  })
  const { subject } = await other.newAccount()
  const { json } = await other.buy(subject, { amount_usd: '25' })
  const id = String(json['session_id'])
  expect((await fetch(`${other.origin}/sandbox-checkout/${id}`)).status).toBe(404)
  other.clock.nowMs += 10_000
  for (let visits = 0; visits < 3; visits++) {
    const page = await fetch(`${other.origin}/checkout/${id}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Not paid yet')])
  }
  expect(lookedUp).toEqual([id])
  await other.close()
})
