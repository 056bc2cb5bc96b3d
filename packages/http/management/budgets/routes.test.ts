import { beforeEach, describe, expect, test } from 'vitest'
import { newRecord } from '../../../storage/testing/fixtures.ts'
import { nowMs, suiteManagementServer } from '../testing/management-server.ts'

const path = '/api/v1/budgets'
const dayMs = 86_400_000
let as: string
let account: string
let key: string

const server = await suiteManagementServer()

beforeEach(async () => {
  as = crypto.randomUUID()
  account = (await server.call('GET', '/api/v1/me', { as })).json.id
  key = (await server.call('POST', '/api/v1/me/keys', { as, body: { name: 'k' } })).json.id
})

const daily = { name: 'All of it', scope: 'organization', period: 'day', limit_usd: '5' }

async function made(body: object = daily): Promise<string> {
  const { status, json } = await server.call('POST', path, { as, body })
  expect(status).toBe(201)
  return json.id
}

async function spend(usd: number, startedAtMs = nowMs, tags: string[] = []): Promise<void> {
  const chargePico = BigInt(Math.round(usd * 1e6)) * 1_000_000n
  await server.write(newRecord({ id: key, accountId: account }, { chargePico, startedAtMs, tags }))
}

describe('a budget', () => {
  test('includes spending from before it was created', async () => {
    await spend(2)
    await spend(9, nowMs - dayMs)
    const { json } = await server.call('POST', path, { as, body: daily })
    expect(json).toEqual({
      id: expect.stringMatching(/^bud_[0-9a-z]{26}$/),
      object: 'budget',
      name: 'All of it',
      scope: 'organization',
      subject: null,
      period: 'day',
      limit_usd: '5',
      hard: true,
      notify: [50, 80, 100],
      spent_usd: '2',
      reserved_usd: '0',
      left_usd: '3',
      resets_at: Date.UTC(2026, 2, 11) / 1000,
      created_at: nowMs / 1000,
      updated_at: nowMs / 1000,
    })
    await spend(4)
    expect((await server.call('GET', `${path}/${json.id}`, { as })).json).toMatchObject({
      spent_usd: '6',
      left_usd: '0',
    })
  })

  test('makes nodes read keys again and return its leases when it changes', async () => {
    server.told.length = 0
    const id = await made()
    expect(server.told.filter((one) => one !== 'flush')).toEqual([`changed ${account}`])
    server.told.length = 0
    const changed = await server.call('PATCH', `${path}/${id}`, { as, body: { limit_usd: 8.5, hard: false } })
    expect(changed.json).toMatchObject({ limit_usd: '8.5', hard: false, name: 'All of it' })
    expect(server.told.filter((one) => one !== 'flush')).toEqual([`changed ${account}`, `release ${id}`])
    server.told.length = 0
    expect((await server.call('DELETE', `${path}/${id}`, { as })).status).toBe(200)
    expect(server.told.filter((one) => one !== 'flush')).toEqual([`changed ${account}`, `release ${id}`])
    for (const method of ['GET', 'DELETE'])
      expect((await server.call(method, `${path}/${id}`, { as })).status, method).toBe(404)
    expect((await server.call('PATCH', `${path}/${id}`, { as, body: {} })).status).toBe(404)
    expect((await server.call('GET', path, { as })).json.data).toEqual([])
  })

  test('is the same for operators', async () => {
    const id = await made()
    const admin = `/api/v1/admin/accounts/${account}/budgets`
    expect((await server.call('GET', admin)).json.data).toMatchObject([{ id }])
    const { json } = await server.call('POST', admin, { body: { ...daily, period: 'month' } })
    const listed = (await server.call('GET', path, { as })).json.data.map((one) => one.id)
    expect(new Set(listed)).toEqual(new Set([id, json.id]))
  })

  test.each([
    ['name', { name: '' }],
    ['scope', { scope: 'planet' }],
    ['subject', { subject: 'x' }],
    ['subject', { scope: 'tag' }],
    ['subject', { scope: 'tag', subject: ' ' }],
    ['subject', { scope: 'tag', subject: 'x'.repeat(65) }],
    ['subject', { scope: 'tag', subject: 'half a pair \ud800' }],
    ['subject', { scope: 'key', subject: 'key_1' }],
    ['period', { period: 'year' }],
    ['limit_usd', { limit_usd: '-1' }],
    ['limit_usd', { limit_usd: '0.0000000000001' }],
    ['limit_usd', { limit_usd: '99999999999' }],
    ['notify[0]', { notify: [0] }],
    ['hard', { hard: 'yes' }],
  ])('with a wrong `%s` is 400: %j', async (param, wrong) => {
    const { status, json } = await server.call('POST', path, { as, body: { ...daily, ...wrong } })
    expect([status, json.error.param]).toEqual([400, param])
  })

  test("is 404 for another account's things, and 409 if it already exists", async () => {
    const body = { ...daily, scope: 'key', subject: `key_${'0'.repeat(26)}` }
    const foreign = await server.call('POST', path, { as, body })
    expect([foreign.status, foreign.json.error.param]).toEqual([404, 'subject'])
    const id = await made()
    const again = await server.call('POST', path, { as, body: daily })
    expect([again.status, again.json.error.message]).toEqual([409, expect.stringContaining(id)])
  })

  test('on a tag matches the tag as requests write it', async () => {
    const { json } = await server.call('POST', path, {
      as,
      body: { ...daily, scope: 'tag', subject: ' team:search ' },
    })
    expect(json['subject']).toBe('team:search')
  })
})

describe('the report of a budget', () => {
  test('has its days, a sum that matches the ledger, and a forecast', async () => {
    const id = await made({ ...daily, scope: 'tag', subject: 'team:search', period: 'month' })
    for (const daysAgo of [0, 1, 2, 9]) await spend(2, nowMs - daysAgo * dayMs, ['team:search'])
    await spend(50, nowMs, ['team:other'])
    const { json } = await server.call('GET', `${path}/${id}/report`, { as })
    expect(json).toMatchObject({
      object: 'budget_report',
      budget: { id, spent_usd: '8' },
      from: Date.UTC(2026, 2, 1) / 1000,
      to: Date.UTC(2026, 2, 11) / 1000,
      days: [
        { day: '2026-03-01', cost_usd: '2', requests: 1 },
        { day: '2026-03-08', cost_usd: '2', requests: 1 },
        { day: '2026-03-09', cost_usd: '2', requests: 1 },
        { day: '2026-03-10', cost_usd: '2', requests: 1 },
      ],
      cost_usd: '8',
      ledger_usage_usd: '8',
      // 2 a day since the 8th, for the 21.5 remaining days.
      forecast_usd: '51',
    })
  })

  test.each([
    ['to', '?from=2000&to=1000'],
    ['from', '?from=0&to=1773144000'],
    ['from', '?from=1873144000'],
  ])('with a wrong `%s` is 400', async (param, query) => {
    const id = await made()
    const { status, json } = await server.call('GET', `${path}/${id}/report${query}`, { as })
    expect([status, json.error.param]).toEqual([400, param])
  })
})
