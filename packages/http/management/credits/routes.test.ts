import { beforeEach, describe, expect, test } from 'vitest'
import { nowMs, suiteManagementServer, type Answer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
let account: string
let key: string

const server = await suiteManagementServer()

beforeEach(async () => {
  account = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id
  key = (await server.call('POST', `${accounts}/${account}/keys`, { body: { name: 'default' } })).json.id
})

function credit(fields: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
  const body = { amount_usd: '5', kind: 'grant', reason: 'test', ...fields }
  return server.call('POST', `${accounts}/${account}/credits`, { body, headers })
}

async function balance(): Promise<string> {
  return (await server.call('GET', `${accounts}/${account}`)).json.balance_usd
}

describe('a credit movement', () => {
  test('is 201 with its ledger entry', async () => {
    const { status, json } = await credit({ amount_usd: '5.00', reason: 'welcome' })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(/^led_/),
      object: 'ledger_entry',
      kind: 'grant',
      amount_usd: '5',
      change_usd: '5',
      debit_account: 'grants',
      credit_account: `key:${key}`,
      reference: expect.stringMatching(`^credit:${account}:led_`),
      request_id: null,
      topup_id: null,
      reason: 'welcome',
      corrects: null,
      created_at: nowMs / 1000,
    })
    const list = await server.call('GET', `${accounts}/${account}/ledger`)
    expect(list.json).toEqual({ object: 'list', data: [json], has_more: false, next_cursor: null })
  })

  test.each([
    ['grant', '5', '5', '15'],
    ['grant', 0.1, '0.1', '10.1'],
    ['grant', 1e-7, '0.0000001', '10.0000001'],
    ['grant', '0.000000000001', '0.000000000001', '10.000000000001'],
    ['refund', '4', '-4', '6'],
    ['refund', '12', '-12', '-2'],
    ['adjustment', '1', '1', '11'],
    ['adjustment', '-1.5', '-1.5', '8.5'],
  ])('%s of %s changes the credit by %s', async (kind, amount, change, after) => {
    await credit({ amount_usd: '10' })
    const { status, json } = await credit({ kind, amount_usd: amount })
    expect([status, json.kind, json.change_usd]).toEqual([201, kind, change])
    expect(await balance()).toBe(after)
  })

  test('stays exact for an amount that no double holds, also as a JSON number', async () => {
    const body = '{"amount_usd": 4503599.627370496001, "kind": "grant", "reason": "large"}'
    const answer = await server.call('POST', `${accounts}/${account}/credits`, { body })
    expect(answer.json.amount_usd).toBe('4503599.627370496001')
  })

  test('goes to the key that it names, or stays unassigned without a key', async () => {
    const other = (await server.call('POST', `${accounts}/${account}/keys`, { body: { name: 'other' } })).json
      .id
    expect((await credit({ key_id: other })).json.credit_account).toBe(`key:${other}`)
    account = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id
    expect((await credit({})).json.credit_account).toBe(`unassigned:${account}`)
  })

  test.each([
    ['"4.99x"', { amount_usd: '4.99x' }, 'amount_usd'],
    ['"abc"', { amount_usd: 'abc' }, 'amount_usd'],
    ['an empty text', { amount_usd: '' }, 'amount_usd'],
    ['"1e3"', { amount_usd: '1e3' }, 'amount_usd'],
    ['" 5"', { amount_usd: ' 5' }, 'amount_usd'],
    ['"+5"', { amount_usd: '+5' }, 'amount_usd'],
    ['"5,00"', { amount_usd: '5,00' }, 'amount_usd'],
    ['"Infinity"', { amount_usd: 'Infinity' }, 'amount_usd'],
    ['Arabic digits', { amount_usd: '٥' }, 'amount_usd'],
    ['NUL', { amount_usd: '5\0' }, 'amount_usd'],
    ['null', { amount_usd: null }, 'amount_usd'],
    ['a list', { amount_usd: ['5'] }, 'amount_usd'],
    ['an object', { amount_usd: { usd: 5 } }, 'amount_usd'],
    ['true', { amount_usd: true }, 'amount_usd'],
    ['nothing', { amount_usd: undefined }, 'amount_usd'],
    ['"-5" for a grant', { amount_usd: '-5' }, 'amount_usd'],
    ['-5 for a grant', { amount_usd: -5 }, 'amount_usd'],
    ['0 for a grant', { amount_usd: '0' }, 'amount_usd'],
    ['-0.00 for a grant', { amount_usd: '-0.00' }, 'amount_usd'],
    ['"-5" for a refund', { amount_usd: '-5', kind: 'refund' }, 'amount_usd'],
    ['0 for an adjustment', { amount_usd: 0, kind: 'adjustment' }, 'amount_usd'],
    ['13 decimals', { amount_usd: '0.1234567890123' }, 'amount_usd'],
    ['13 decimals as a number', { amount_usd: 0.1234567890123 }, 'amount_usd'],
    ['ten million', { amount_usd: '10000000' }, 'amount_usd'],
    ['a text of 10 kB', { amount_usd: '1'.repeat(10_000) }, 'amount_usd'],
    ['another kind', { kind: 'topup' }, 'kind'],
    ['no kind', { kind: undefined }, 'kind'],
    ['no reason', { reason: undefined }, 'reason'],
    ['an empty reason', { reason: '' }, 'reason'],
    ['a reason of 10 kB', { reason: 'r'.repeat(10_000) }, 'reason'],
    ['a reason with half a pair', { reason: '\ud83d' }, 'reason'],
    ['no identifier of a key', { key_id: 'mine' }, 'key_id'],
    ['another field', { currency: 'EUR' }, 'currency'],
  ])('of %s is 400', async (_, fields, param) => {
    const { status, json } = await credit(fields)
    expect([status, json.error.param]).toEqual([400, param])
    expect(json.error.message).not.toMatch(/must|schema|anyOf|pattern/)
    expect(await balance()).toBe('0')
  })

  test.each(['1e999', '-1e999', '1e-999', '01', '.5', '5.', 'NaN', '1e-13'])(
    'of the JSON number %s is 400',
    async (number) => {
      const body = `{"amount_usd": ${number}, "kind": "grant", "reason": "x"}`
      expect((await server.call('POST', `${accounts}/${account}/credits`, { body })).status).toBe(400)
    },
  )

  test('is 400 if the balance could not hold it', async () => {
    expect((await credit({ amount_usd: '9000000' })).status).toBe(201)
    const more = await credit({ amount_usd: '9000000' })
    expect([more.status, more.json.error.param]).toEqual([400, 'amount_usd'])
    expect(await balance()).toBe('9000000')
  })

  test("is 404 for another account's key or an unknown one, and 400 for a revoked one", async () => {
    const other = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id
    const theirs = (await server.call('POST', `${accounts}/${other}/keys`, { body: { name: 'x' } })).json.id
    for (const id of [theirs, `key_${'0'.repeat(26)}`])
      expect((await credit({ key_id: id })).status).toBe(404)
    await server.call('DELETE', `${accounts}/${account}/keys/${key}`)
    const revoked = await credit({ key_id: key })
    expect([revoked.status, revoked.json.error.param]).toEqual([400, 'key_id'])
    const path = `${accounts}/acct_${'0'.repeat(26)}/credits`
    const body = { amount_usd: '5', kind: 'grant', reason: 'x' }
    expect((await server.call('POST', path, { body })).status).toBe(404)
  })
})

describe('an Idempotency-Key', () => {
  test('moves credit once, and returns the same response', async () => {
    const headers = { 'idempotency-key': 'order-1' }
    const first = await credit({}, headers)
    const again = await credit({}, headers)
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await balance()).toBe('5')
  })

  test('is 409 with a different body, and moves nothing', async () => {
    const headers = { 'idempotency-key': 'order-2' }
    await credit({}, headers)
    const other = await credit({ amount_usd: '6' }, headers)
    expect([other.status, other.json.error.type, other.json.error.param]).toEqual([
      409,
      'conflict_error',
      'Idempotency-Key',
    ])
    expect(await balance()).toBe('5')
  })

  test('is separate for each account', async () => {
    const headers = { 'idempotency-key': 'order-3' }
    await credit({}, headers)
    account = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id
    expect((await credit({}, headers)).json.credit_account).toBe(`unassigned:${account}`)
  })

  test('moves credit once even if its response was lost: the ledger knows the reference', async () => {
    const headers = { 'idempotency-key': 'order-4' }
    const first = await credit({}, headers)
    server.clock.nowMs += 25 * 60 * 60 * 1000
    expect((await credit({}, headers)).json).toEqual(first.json)
    server.clock.nowMs += 25 * 60 * 60 * 1000
    const other = await credit({ amount_usd: '6' }, headers)
    expect([other.status, other.json.error.type]).toEqual([409, 'conflict_error'])
    server.clock.nowMs = nowMs
    expect(await balance()).toBe('5')
  })

  test('moves credit once for twenty simultaneous requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => credit({}, { 'idempotency-key': 'order-5' })),
    )
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    expect(await balance()).toBe('5')
  })

  test('can be reused if its request failed', async () => {
    const headers = { 'idempotency-key': 'order-6' }
    const body = { amount_usd: '5', kind: 'grant', reason: 'x', key_id: `key_${'0'.repeat(26)}` }
    const path = `${accounts}/${account}/credits`
    expect((await server.call('POST', path, { body, headers })).status).toBe(404)
    expect((await credit({}, headers)).status).toBe(201)
  })

  test('returns the raw key of a creation again, and creates no second key', async () => {
    const headers = { 'idempotency-key': 'key-1' }
    const path = `${accounts}/${account}/keys`
    const first = await server.call('POST', path, { body: { name: 'n' }, headers })
    const again = await server.call('POST', path, { body: { name: 'n' }, headers })
    expect(again.json.raw).toBe(first.json.raw)
    expect((await server.call('GET', path)).json.data).toHaveLength(2)
  })

  test.each(['', 'x'.repeat(256), 'two words', 'ümlaut'])('is 400 if it is %j', async (value) => {
    const { status, json } = await credit({}, { 'idempotency-key': value })
    expect([status, json.error.param]).toEqual([400, 'Idempotency-Key'])
  })
})
