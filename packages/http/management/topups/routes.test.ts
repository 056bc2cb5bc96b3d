import { GatewayError } from '@turnpike/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { nowMs, startManagementServer } from '../testing/management-server.ts'
import { failingProcessor, publicUrl, startTopupServer } from './testing/topup-server.ts'

const server = await startTopupServer()
afterAll(() => server.close())
const user = await server.newAccount()

describe('a new top-up', () => {
  test('is 201 with the address of the checkout, and is then found and listed', async () => {
    const { subject, keyId } = await server.newAccount()
    const { status, json } = await server.buy(subject, { amount_usd: '25.50', key_id: keyId })
    expect(status).toBe(201)
    expect(json).toEqual({
      object: 'topup',
      session_id: expect.stringMatching(/^top_[0-9a-z]{26}$/),
      status: 'open',
      checkout_url: `${publicUrl}/sandbox-checkout/${String(json['session_id'])}`,
      amount_usd: '25.5',
      paid_usd: '0',
      tax_usd: '0',
      refunded_usd: '0',
      disputed_usd: '0',
      key_id: keyId,
      origin: 'checkout',
      sandbox: true,
      created_at: nowMs / 1000,
      expires_at: nowMs / 1000 + 86_400,
      paid_at: null,
    })
    const one = await server.call('GET', `/api/v1/topup/${String(json['session_id'])}`, { as: subject })
    expect([one.status, one.json]).toEqual([200, json])
    const list = await server.call('GET', '/api/v1/topups', { as: subject })
    expect(list.json).toEqual({ object: 'list', data: [json], has_more: false, next_cursor: null })
  })

  test.each([
    [5, '5'],
    ['10000.00', '10000'],
    [5.01, '5.01'],
    ['007.10', '7.1'],
    [1e3, '1000'],
  ])('of %j is one of %s USD', async (amount, shown) => {
    const { status, json } = await server.buy(user.subject, { amount_usd: amount })
    expect([status, json['amount_usd'], json['key_id']]).toEqual([201, shown, null])
  })

  test.each([
    ['"4.99"', { amount_usd: '4.99' }, 'amount_usd', '5 to 10000 USD'],
    ['4.99', { amount_usd: 4.99 }, 'amount_usd', '5 to 10000 USD'],
    ['"10000.01"', { amount_usd: '10000.01' }, 'amount_usd', '5 to 10000 USD'],
    ['1e9', { amount_usd: 1e9 }, 'amount_usd', ''],
    ['"1e9"', { amount_usd: '1e9' }, 'amount_usd', ''],
    ['-5', { amount_usd: -5 }, 'amount_usd', 'more than 0'],
    ['"-25"', { amount_usd: '-25' }, 'amount_usd', ''],
    ['0', { amount_usd: 0 }, 'amount_usd', ''],
    ['5.001', { amount_usd: 5.001 }, 'amount_usd', 'whole cents'],
    ['"5.000000000001"', { amount_usd: '5.000000000001' }, 'amount_usd', 'whole cents'],
    ['13 decimals', { amount_usd: '5.0000000000001' }, 'amount_usd', ''],
    ['"abc"', { amount_usd: 'abc' }, 'amount_usd', ''],
    ['""', { amount_usd: '' }, 'amount_usd', ''],
    ['"25 USD"', { amount_usd: '25 USD' }, 'amount_usd', ''],
    ['null', { amount_usd: null }, 'amount_usd', ''],
    ['true', { amount_usd: true }, 'amount_usd', ''],
    ['a list', { amount_usd: [25] }, 'amount_usd', ''],
    ['nothing', {}, 'amount_usd', 'missing'],
    ['a text of 10 kB', { amount_usd: '1'.repeat(10_000) }, 'amount_usd', ''],
    ['no identifier of a key', { amount_usd: 25, key_id: 'mine' }, 'key_id', ''],
    ['another field', { amount_usd: 25, currency: 'EUR' }, 'currency', ''],
  ])('of %s is 400', async (_, body, param, words) => {
    const { status, json } = await server.buy(user.subject, body)
    expect([status, json.error.param]).toEqual([400, param])
    expect(json.error.message).toContain(words)
  })

  test("is 404 for another account's key or an unknown one, and 400 for a revoked one", async () => {
    const { keyId: theirs } = await server.newAccount()
    for (const key_id of [theirs, `key_${'0'.repeat(26)}`]) {
      const { status, json } = await server.buy(user.subject, { amount_usd: 25, key_id })
      expect([status, json.error.param]).toEqual([404, 'key_id'])
    }
    const { subject, keyId: key_id } = await server.newAccount()
    await server.call('DELETE', `/api/v1/me/keys/${key_id}`, { as: subject })
    const { status, json } = await server.buy(subject, { amount_usd: 25, key_id })
    expect([status, json.error.param]).toEqual([400, 'key_id'])
  })

  test('needs a user token', async () => {
    const { status } = await server.call('POST', '/api/v1/topup', { body: { amount_usd: 25 }, secret: null })
    expect(status).toBe(401)
  })
})

describe('an Idempotency-Key', () => {
  test('returns the same session, even if the first response was lost', async () => {
    const { subject } = await server.newAccount()
    const headers = { 'idempotency-key': 'order-1' }
    const first = await server.buy(subject, { amount_usd: '25' }, headers)
    expect((await server.buy(subject, { amount_usd: '25' }, headers)).json).toEqual(first.json)
    server.clock.nowMs += 25 * 60 * 60 * 1000
    const later = await server.buy(subject, { amount_usd: '25' }, headers)
    expect([later.status, later.json['session_id']]).toEqual([201, first.json['session_id']])
    server.clock.nowMs += 25 * 60 * 60 * 1000
    const other = await server.buy(subject, { amount_usd: '26' }, headers)
    expect([other.status, other.json.error.param]).toEqual([409, 'Idempotency-Key'])
    server.clock.nowMs = nowMs
    expect((await server.call('GET', '/api/v1/topups', { as: subject })).json.data).toHaveLength(1)
  })

  test('is separate for each account', async () => {
    const headers = { 'idempotency-key': 'order-2' }
    const mine = await server.buy(user.subject, { amount_usd: '25' }, headers)
    const theirs = await server.buy((await server.newAccount()).subject, { amount_usd: '25' }, headers)
    expect(theirs.json['session_id']).not.toBe(mine.json['session_id'])
  })
})

describe('reading top-ups', () => {
  test("is 404 for another account's session, as for one that never existed", async () => {
    const { json } = await server.buy(user.subject, { amount_usd: '25' })
    const other = await server.newAccount()
    for (const id of [json['session_id'], `top_${'0'.repeat(26)}`, 'cs_test_1', 'x'.repeat(200)]) {
      const answer = await server.call('GET', `/api/v1/topup/${String(id)}`, { as: other.subject })
      expect([answer.status, answer.json.error.type]).toEqual([404, 'not_found_error'])
    }
  })

  test('continues a list by its cursor, which no other list accepts', async () => {
    const { subject } = await server.newAccount()
    for (const amount_usd of [5, 6, 7]) {
      server.clock.nowMs++
      await server.buy(subject, { amount_usd })
    }
    const amounts = (answer: { json: { data: { amount_usd: string }[] } }): string[] =>
      answer.json.data.map(({ amount_usd }) => amount_usd)
    const first = await server.call('GET', '/api/v1/topups?limit=2', { as: subject })
    expect(amounts(first)).toEqual(['7', '6'])
    const query = `?limit=2&cursor=${first.json.next_cursor}`
    expect(amounts(await server.call('GET', `/api/v1/topups${query}`, { as: subject }))).toEqual(['5'])
    for (const path of [`/api/v1/ledger${query}`, '/api/v1/topups?limit=0', '/api/v1/topups?days=3'])
      expect((await server.call('GET', path, { as: subject })).status).toBe(400)
    const others = await server.call('GET', `/api/v1/topups${query}`, { as: user.subject })
    expect([others.status, others.json.error.param]).toEqual([400, 'cursor'])
  })
})

describe('a receipt', () => {
  const issuer = { name: 'Example GmbH', legalText: 'Hauptstraße 1\nBerlin' }

  test('shows what was paid, by whom, and what was refunded', async () => {
    const shop = await startTopupServer({ receiptIssuer: issuer })
    const { subject, accountId } = await shop.newAccount()
    const { json } = await shop.buy(subject, { amount_usd: '25.50' })
    const id = String(json['session_id'])
    const path = `/api/v1/topup/${id}/receipt`
    const unpaid = await shop.call('GET', path, { as: subject })
    expect([unpaid.status, unpaid.json.error.message]).toEqual([
      404,
      expect.stringContaining('nothing was paid'),
    ])
    const topup = (await shop.storage.topups.find(id))!
    const payment = { id: topup.checkout!.sessionId, topupId: id, paymentId: 'pi_1', currency: 'usd' }
    await shop.services.checkout!.topups.settle({
      about: 'session',
      session: {
        ...payment,
        ...topup.checkout!,
        id: payment.id,
        state: 'paid',
        amountPico: topup.amountPico,
        taxPico: 0n,
      },
    })
    const receipt = {
      object: 'receipt',
      number: id,
      issued_by: { name: 'Example GmbH', legal_text: 'Hauptstraße 1\nBerlin' },
      account: { id: accountId, display_name: null, email: null },
      billing_address: null,
      paid_at: nowMs / 1000,
      method: 'sandbox',
      currency: 'USD',
      paid_usd: '25.5',
      tax_usd: '0',
      credited_usd: '25.5',
      refunded_usd: '0',
      disputed_usd: '0',
      net_usd: '25.5',
    }
    expect((await shop.call('GET', path, { as: subject })).json).toEqual(receipt)
    await shop.services.checkout!.topups.settle({
      about: 'refund',
      payment: { topupId: id, paymentId: 'pi_1', chargeId: null },
      currency: 'usd',
      refundedPico: 5_000_000_000_000n,
      asOfMs: nowMs,
    })
    const after = await shop.call('GET', `/api/v1/admin/accounts/${accountId}/topup/${id}/receipt`)
    expect(after.json).toEqual({ ...receipt, refunded_usd: '5', net_usd: '20.5' })
    const other = await shop.newAccount()
    expect((await shop.call('GET', path, { as: other.subject })).status).toBe(404)
    await shop.close()
  })
})

test('operators can open and read an account’s top-ups', async () => {
  const { subject, accountId, keyId } = await server.newAccount()
  const account = `/api/v1/admin/accounts/${accountId}`
  const body = { amount_usd: '25', key_id: keyId }
  const { status, json } = await server.call('POST', `${account}/topup`, { body })
  expect(status).toBe(201)
  const one = await server.call('GET', `${account}/topup/${String(json['session_id'])}`)
  expect(one.json).toEqual(json)
  expect((await server.call('GET', `${account}/topups`)).json.data).toEqual([json])
  expect((await server.call('GET', '/api/v1/topups', { as: subject })).json.data).toEqual([json])
  expect((await server.call('GET', `/api/v1/admin/accounts/acct_${'0'.repeat(26)}/topups`)).status).toBe(404)
  const wrong = await server.call('DELETE', `${account}/topups`)
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('if the processor is unavailable, a top-up is a retryable 503 and is not listed', async () => {
  const away = new GatewayError('service_unavailable', 'The payment processor is away.', {
    retryAfterSeconds: 5,
  })
  const other = await startTopupServer({ processor: failingProcessor(away) })
  const { subject } = await other.newAccount()
  const { status, headers, json } = await other.buy(subject, { amount_usd: '25' })
  expect([status, headers.get('retry-after'), json.error.type]).toEqual([503, '5', 'service_unavailable'])
  expect((await other.call('GET', '/api/v1/topups', { as: subject })).json.data).toEqual([])
  await other.close()
})

test('without top-ups their paths do not exist', async () => {
  const other = await startManagementServer()
  for (const path of ['/api/v1/topups', '/webhooks/stripe', `/sandbox-checkout/top_${'0'.repeat(26)}`])
    expect((await other.call('GET', path, { as: 'somebody' })).status).toBe(404)
  await other.close()
})
