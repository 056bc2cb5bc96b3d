import { describe, expect, test } from 'vitest'
import { nowMs, requestRecord, suiteManagementServer } from '../testing/management-server.ts'

const dayMs = 86_400_000

const server = await suiteManagementServer()
const accounts = '/api/v1/admin/accounts'
const account = (await server.call('POST', accounts, { body: { oidc_sub: 'ada' } })).json.id
const key = (await server.call('POST', `${accounts}/${account}/keys`, { body: { name: 'k' } })).json.id
const usage = `${accounts}/${account}/usage`
const own = { accountId: account, keyId: key }
await server.write(
  requestRecord({ ...own, startedAtMs: nowMs }),
  requestRecord({ ...own, startedAtMs: nowMs - dayMs, provider: 'sandbox', tags: ['a'] }),
  requestRecord({ ...own, startedAtMs: nowMs - 2 * dayMs, tier: 'SIMPLE' }),
  requestRecord({ ...own, startedAtMs: Date.parse('2020-01-01'), outcome: 'failed', chargePico: 0n }),
)

describe('a range by its first and last day', () => {
  test.each([
    ['from=2026-03-10&to=2026-03-10', 1, 1],
    ['from=2026-03-08&to=2026-03-09', 2, 2],
    ['from=2025-03-11&to=2026-03-10', 365, 3],
    ['from=2024-02-29&to=2024-02-29', 1, 0],
  ])('%s has %i days', async (query, days, requests) => {
    const { json } = await server.call('GET', `${usage}?${query}`)
    expect(json).toMatchObject({ range_days: days, total_requests: requests })
    const list = await server.call('GET', `${usage}/requests?${query}`)
    expect(list.json.data).toHaveLength(requests)
  })

  test.each([
    ['from=2026-03-10', 'to'],
    ['to=2026-03-10', 'from'],
    ['from=2026-03-10&to=2026-03-09', 'to'],
    ['from=2025-03-10&to=2026-03-10', 'to'],
    ['from=2026-02-30&to=2026-03-10', 'from'],
    ['from=2026-3-1&to=2026-03-10', 'from'],
    ['from=2026-03-01&to=2026-03-10&days=3', 'days'],
  ])('%s is refused for its `%s`', async (query, param) => {
    const { status, json } = await server.call('GET', `${usage}?${query}`)
    expect([status, json.error.param]).toEqual([400, param])
  })
})

test.each([
  ['provider=sandbox', 1],
  ['provider=sandbox&tag=a', 1],
  ['provider=elsewhere', 0],
  ['tier=SIMPLE', 1],
])('%s leaves %i', async (query, requests) => {
  expect((await server.call('GET', `${usage}?${query}`)).json).toMatchObject({ total_requests: requests })
  expect((await server.call('GET', `${usage}/requests?${query}`)).json.data).toHaveLength(requests)
})

test.each([
  ['', 0, 1],
  ['&outcome=failed', 1, 1],
  ['&outcome=completed', 0, 0],
])('what failed counts in figures where it is asked for: "%s"', async (outcome, counted, listed) => {
  const query = `from=2020-01-01&to=2020-01-02${outcome}`
  expect((await server.call('GET', `${usage}?${query}`)).json.total_requests).toBe(counted)
  expect((await server.call('GET', `${usage}/breakdown?by=day&${query}`)).json.data).toHaveLength(counted)
  expect((await server.call('GET', `${usage}/requests?${query}`)).json.data).toHaveLength(listed)
})
