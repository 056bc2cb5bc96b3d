import { isWellFormedApiKey } from '@turnpike/identity'
import { beforeEach, describe, expect, test } from 'vitest'
import { nowMs, suiteManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
const unknownKey = `key_${'0'.repeat(26)}`
let account: string
let keys: string

const server = await suiteManagementServer()

beforeEach(async () => {
  account = await newAccount()
  keys = `${accounts}/${account}/keys`
})

async function newAccount(): Promise<string> {
  const body = { oidc_sub: crypto.randomUUID() }
  return (await server.call('POST', accounts, { body })).json.id
}

async function newKey(name = 'a key', path = keys): Promise<string> {
  return (await server.call('POST', path, { body: { name } })).json.id
}

async function grant(amount: string, key: string): Promise<void> {
  const body = { amount_usd: amount, kind: 'grant', key_id: key, reason: 'test' }
  const { status } = await server.call('POST', `${accounts}/${account}/credits`, { body })
  expect(status).toBe(201)
}

async function balance(key: string): Promise<string> {
  return (await server.call('GET', `${keys}/${key}`)).json.balance_usd
}

describe('creation', () => {
  test('is 201 with the record and, only this once, the key itself', async () => {
    const { status, json } = await server.call('POST', keys, { body: { name: 'laptop' } })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      object: 'key',
      member_id: null,
      project_id: null,
      handed_over: false,
      name: 'laptop',
      key_prefix: json.raw.slice(0, 16),
      status: 'active',
      balance_usd: '0',
      created_at: nowMs / 1000,
      last_used_at: null,
      revoked_at: null,
      expires_at: null,
      allowed_models: null,
      spend_limit_usd: null,
      spend_limit_period: null,
      spent_usd: null,
      spend_limit_resets_at: null,
      draws_on: null,
      replaced_by: null,
      unsupported_fields: null,
      log_prompts: null,
      may_top_up: null,
      raw: expect.any(String),
    })
    expect(isWellFormedApiKey(json.raw)).toBe(true)
    expect(server.told.at(-1)).toMatch(/^created [0-9a-f]{64}$/)
    const { raw, ...record } = json
    const list = await server.call('GET', keys)
    expect(list.json).toEqual({ object: 'list', data: [record], has_more: false, next_cursor: null })
    expect((await server.call('GET', `${keys}/${json.id}`)).json).toEqual(record)
    expect(list.text).not.toContain(raw)
  })

  test('takes limits', async () => {
    const limits = {
      expires_at: nowMs / 1000 + 60,
      allowed_models: ['openai/gpt-5-mini', 'sandbox/echo', 'sandbox/echo'],
    }
    const { status, json } = await server.call('POST', keys, { body: { name: 'ci', ...limits } })
    const allowed = ['openai/gpt-5-mini', 'sandbox/echo']
    expect(status).toBe(201)
    expect(json).toMatchObject({ ...limits, allowed_models: allowed })
  })

  test.each([
    [{}, 'name', /`name` is missing: expected a text of 1 to 100 characters/],
    [{ name: '' }, 'name', /1 to 100/],
    [{ name: 'n'.repeat(10_240) }, 'name', /1 to 100/],
    [{ name: 7 }, 'name', /a text/],
    [{ name: 'a\0' }, 'name', /NUL/],
    [{ name: '\udc00' }, 'name', /surrogate/],
    [{ name: 'x', raw: 'sk-mine' }, 'raw', /Unknown field `raw`/],
    [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at', /Unix epoch seconds/],
    [{ name: 'x', expires_at: nowMs / 1000 }, 'expires_at', /a future time/],
    [{ name: 'x', expires_at: nowMs + 1000 }, 'expires_at', /Unix epoch seconds/],
    [{ name: 'x', allowed_models: [] }, 'allowed_models', /a list of 1 to 200 entries/],
    [{ name: 'x', allowed_models: 'a/b' }, 'allowed_models', /a list/],
    [{ name: 'x', allowed_models: ['a/b', 'c\0d'] }, 'allowed_models[1]', /NUL/],
    [{ name: 'x', allowed_models: ['a/b', 'c', 3] }, 'allowed_models[2]', /a text of 1 to 256/],
    [{ name: 'x', allowed_models: Array.from({ length: 201 }, String) }, 'allowed_models', /1 to 200/],
    [{ name: 'x', spend_limit_usd: '-1' }, 'spend_limit_usd', /0 or more/],
    [{ name: 'x', spend_limit_usd: '1e3' }, 'spend_limit_usd', /`spend_limit_usd`/],
    [{ name: 'x', spend_limit_usd: '0.0000000000001' }, 'spend_limit_usd', /decimals/],
    [{ name: 'x', spend_limit_usd: '99999999999' }, 'spend_limit_usd', /`spend_limit_usd`/],
    [{ name: 'x', spend_limit_period: 'day' }, 'spend_limit_usd', /is missing/],
    [{ name: 'x', spend_limit_usd: null, spend_limit_period: 'day' }, 'spend_limit_usd', /is missing/],
    [{ name: 'x', spend_limit_usd: '5', spend_limit_period: null }, 'spend_limit_period', /a period/],
    [{ name: 'x', spend_limit_usd: true }, 'spend_limit_usd', /an amount of USD/],
    [{ name: 'x', spend_limit_usd: '5', spend_limit_period: 'year' }, 'spend_limit_period', /"day", "week"/],
  ])('refuses %j', async (body, param, message) => {
    const answer = await server.call('POST', keys, { body })
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
    expect(answer.json.error.message).toMatch(message)
    expect((await server.call('GET', keys)).json.data).toEqual([])
  })
})

describe('spend limits', () => {
  const limit = { spend_limit_usd: '12.5', spend_limit_period: 'month' }
  const month = { ...limit, spent_usd: '0' }

  test('apply to a period, in total by default, and report when the period ends', async () => {
    const made = await server.call('POST', keys, {
      body: { name: 'x', spend_limit_usd: 12.5, spend_limit_period: 'month' },
    })
    const nextMonth = new Date(nowMs)
    nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1, 1)
    nextMonth.setUTCHours(0, 0, 0, 0)
    const record = { ...month, spend_limit_resets_at: nextMonth.getTime() / 1000 }
    expect([made.status, made.json]).toMatchObject([201, record])
    const forever = await server.call('POST', keys, { body: { name: 'y', spend_limit_usd: '0' } })
    const total = { spend_limit_usd: '0', spend_limit_period: 'total', spent_usd: '0' }
    expect(forever.json).toMatchObject({ ...total, spend_limit_resets_at: null })
    const { data } = (await server.call('GET', keys)).json
    expect(data).toContainEqual(expect.objectContaining(record))
    expect(data).toContainEqual(expect.objectContaining(total))
  })

  test('change amount and period separately, and make nodes return their leases', async () => {
    const key = await newKey()
    const change = (body: object) => server.call('PATCH', `${keys}/${key}`, { body })
    const early = await change({ spend_limit_period: 'day' })
    expect([early.status, early.json.error.param]).toEqual([400, 'spend_limit_usd'])
    const alone = await change({ spend_limit_usd: '3' })
    expect(alone.json).toMatchObject({ spend_limit_usd: '3', spend_limit_period: 'total' })
    expect(server.told.slice(-2)).toEqual([`changed ${key}`, `release ${key}`])
    const daily = await change({ spend_limit_period: 'day' })
    expect(daily.json).toMatchObject({ spend_limit_usd: '3', spend_limit_period: 'day' })
    const less = await change({ spend_limit_usd: '2' })
    expect(less.json).toMatchObject({ spend_limit_usd: '2', spend_limit_period: 'day' })
    const none = await change({ spend_limit_usd: null, spend_limit_period: null })
    expect(none.json).toMatchObject({ spend_limit_usd: null, spend_limit_period: null, spent_usd: null })
    server.told.length = 0
    await change({ name: 'same limits' })
    expect(server.told).not.toContain(`release ${key}`)
  })

  test('carry over to a replacement key', async () => {
    const { id } = (await server.call('POST', keys, { body: { name: 'x', ...limit } })).json
    const rotated = await server.call('POST', `${keys}/${id}/rotate`, { body: {} })
    expect(rotated.json).toMatchObject(month)
  })
})

describe('changes', () => {
  test('affect only the given fields, and null removes a limit', async () => {
    const body = {
      name: 'before',
      expires_at: nowMs / 1000 + 9,
    }
    const { raw: _, ...made } = (await server.call('POST', keys, { body })).json
    const path = `${keys}/${made.id}`
    const renamed = await server.call('PATCH', path, { body: { name: 'after' } })
    expect([renamed.status, renamed.json]).toEqual([200, { ...made, name: 'after' }])
    expect(server.told.at(-1)).toBe(`changed ${made.id}`)
    expect((await server.call('PATCH', path, { body: {} })).json).toEqual(renamed.json)
    const free = await server.call('PATCH', path, { body: { spend_limit_usd: null, expires_at: null } })
    expect(free.json).toMatchObject({ spend_limit_usd: null, spend_limit_period: null, expires_at: null })
  })

  test('set how unsupported fields are handled, and a rotation keeps that', async () => {
    const { id } = (await server.call('POST', keys, { body: { name: 'x', unsupported_fields: 'drop' } })).json
    const rotated = await server.call('POST', `${keys}/${id}/rotate`, { body: {} })
    expect(rotated.json).toMatchObject({ unsupported_fields: 'drop' })
    const path = `${keys}/${rotated.json.id}`
    for (const rule of ['refuse', null])
      expect((await server.call('PATCH', path, { body: { unsupported_fields: rule } })).json).toMatchObject({
        unsupported_fields: rule,
      })
  })

  test('of an expired key do not require a new expiry', async () => {
    const { id } = (await server.call('POST', keys, { body: { name: 'x', expires_at: nowMs / 1000 + 1 } }))
      .json
    server.clock.nowMs += 5000
    expect((await server.call('PATCH', `${keys}/${id}`, { body: { name: 'y' } })).status).toBe(200)
    server.clock.nowMs = nowMs
  })

  test.each([
    [{ status: 'revoked' }, 'status'],
    [{ name: null }, 'name'],
    [{ unsupported_fields: 'ignore' }, 'unsupported_fields'],
    [{ balance_usd: '9' }, 'balance_usd'],
  ])('refuse %j', async (body, param) => {
    const answer = await server.call('PATCH', `${keys}/${await newKey()}`, { body })
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
  })
})

describe('revocation', () => {
  test('is 200 with the record, and the same again, and notifies the request path', async () => {
    const heir = await newKey('heir')
    server.clock.nowMs += 1000
    const key = await newKey('going')
    await grant('5', key)
    server.told.length = 0
    const first = await server.call('DELETE', `${keys}/${key}`)
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ id: key, status: 'revoked', balance_usd: '0' })
    expect(first.json.revoked_at).toBe(nowMs / 1000 + 1)
    expect(server.told).toEqual(['flush', `changed ${key}`, `release ${key}`])
    server.clock.nowMs += 60_000
    const again = await server.call('DELETE', `${keys}/${key}`)
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(await balance(heir)).toBe('5')
    server.clock.nowMs = nowMs
  })

  test('of the last key leaves its credit unassigned in the account', async () => {
    const key = await newKey()
    await grant('2.5', key)
    await server.call('DELETE', `${keys}/${key}`)
    const { json } = await server.call('GET', `${accounts}/${account}`)
    expect([json.balance_usd, json.unassigned_usd]).toEqual(['0', '2.5'])
  })
})

describe('transfer', () => {
  test('moves credit between two keys', async () => {
    const [from, to] = [await newKey('from'), await newKey('to')]
    await grant('5', from)
    const body = { to_key_id: to, amount_usd: '1.25' }
    const { status, json } = await server.call('POST', `${keys}/${from}/transfer`, { body })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      object: 'ledger_entry',
      kind: 'transfer',
      amount_usd: '1.25',
      change_usd: '0',
      debit_account: `key:${from}`,
      credit_account: `key:${to}`,
    })
    expect([await balance(from), await balance(to)]).toEqual(['3.75', '1.25'])
    expect(server.told).toContain(`release ${from}`)
  })

  test('refuses an invalid transfer, and moves nothing', async () => {
    const [from, to, gone] = [await newKey('from'), await newKey('to'), await newKey('gone')]
    await server.call('DELETE', `${keys}/${gone}`)
    await grant('5', from)
    const foreign = await newKey('foreign', `${accounts}/${await newAccount()}/keys`)
    const cases = [
      [from, { to_key_id: to, amount_usd: '5.01' }, 402, 'amount_usd'],
      [from, { to_key_id: to, amount_usd: '-1' }, 400, 'amount_usd'],
      [from, { to_key_id: to, amount_usd: '0' }, 400, 'amount_usd'],
      [from, { to_key_id: to }, 400, 'amount_usd'],
      [from, { amount_usd: '1' }, 400, 'to_key_id'],
      [from, { to_key_id: 'other', amount_usd: '1' }, 400, 'to_key_id'],
      [from, { to_key_id: from, amount_usd: '1' }, 400, 'to_key_id'],
      [from, { to_key_id: gone, amount_usd: '1' }, 400, 'to_key_id'],
      [from, { to_key_id: foreign, amount_usd: '1' }, 404, 'to_key_id'],
      [from, { to_key_id: unknownKey, amount_usd: '1' }, 404, 'to_key_id'],
      [gone, { to_key_id: to, amount_usd: '1' }, 400, 'key_id'],
      [foreign, { to_key_id: to, amount_usd: '1' }, 404, null],
    ] as const
    for (const [key, body, status, param] of cases) {
      const answer = await server.call('POST', `${keys}/${key}/transfer`, { body })
      expect([body, answer.status, answer.json.error.param]).toEqual([body, status, param])
    }
    expect([await balance(from), await balance(to)]).toEqual(['5', '0'])
    const short = await server.call('POST', `${keys}/${from}/transfer`, { body: cases[0][1] })
    expect(short.json.error).toMatchObject({
      type: 'insufficient_quota',
      message: expect.stringMatching(/5 USD.*5\.01/),
    })
  })
})

describe("another account's key", () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'mine' }],
    ['DELETE', '', undefined],
    ['POST', '/transfer', { to_key_id: unknownKey, amount_usd: '1' }],
  ])('%s is 404, as one that never was', async (method, tail, body) => {
    const foreign = await newKey('theirs', `${accounts}/${await newAccount()}/keys`)
    for (const key of [foreign, unknownKey, 'key_x', `acct_${'0'.repeat(26)}`]) {
      const answer = await server.call(method, `${keys}/${key}${tail}`, body === undefined ? {} : { body })
      expect([answer.status, answer.json.error.type]).toEqual([404, 'not_found_error'])
    }
  })

  test('keys of an unknown account are 404', async () => {
    const path = `${accounts}/acct_${'0'.repeat(26)}/keys`
    expect((await server.call('GET', path)).status).toBe(404)
    expect((await server.call('POST', path, { body: { name: 'x' } })).status).toBe(404)
  })

  test("a cursor of another account's list is 400", async () => {
    await newKey()
    await newKey()
    const { next_cursor: cursor } = (await server.call('GET', `${keys}?limit=1`)).json
    expect((await server.call('GET', `${keys}?cursor=${cursor}`)).status).toBe(200)
    for (const path of [
      `${accounts}/${await newAccount()}/keys`,
      accounts,
      `${accounts}/${account}/ledger`,
    ]) {
      const answer = await server.call('GET', `${path}?cursor=${cursor}`)
      expect([answer.status, answer.json.error.param]).toEqual([400, 'cursor'])
    }
  })
})
