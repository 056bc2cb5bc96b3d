import { describe, expect, test } from 'vitest'
import { requestRecord, suiteManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
const dayMs = 24 * 60 * 60 * 1000
const todayMs = Date.UTC(2026, 2, 10)

const server = await suiteManagementServer()
const body = { oidc_sub: crypto.randomUUID() }
const { id: accountId } = (await server.call('POST', accounts, { body })).json
const keyId = (await server.call('POST', `${accounts}/${accountId}/keys`, { body: { name: 'k' } })).json.id
const path = `${accounts}/${accountId}/usage/health`
const mine = { accountId, keyId }
const failed = {
  outcome: 'failed' as const,
  status: 502,
  errorType: 'upstream_error' as const,
  chargePico: 0n,
}
const left = { outcome: 'client_closed' as const, status: 499, errorType: 'client_closed_request' as const }
await server.storage.requests.write('node_h', [
  requestRecord({ ...mine, startedAtMs: todayMs, tags: ['team:a'] }),
  requestRecord({ ...mine, ...failed, startedAtMs: todayMs }),
  requestRecord({ ...mine, ...left, chargePico: 0n, startedAtMs: todayMs }),
  requestRecord({ ...mine, startedAtMs: todayMs - 2 * dayMs }),
])

describe('GET …/usage/health', () => {
  test('shows errors by type, compared with the same number of days before', async () => {
    const { status, json } = await server.call('GET', `${path}?days=2&by=model`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'health', range_days: 2, by: 'model', has_more: false })
    const errors = ['client_closed_request', 'upstream_error'].map((type) => ({ type, requests: 1 }))
    const total = { requests: 3, completed: 1, error_rate: 1 / 3, errors, cache_saved_usd: '0' }
    expect(json).toMatchObject({ total })
    expect(json.previous).toMatchObject({ requests: 1, errors: [], error_rate: 0 })
    expect(json).toMatchObject({ data: [{ previous: { requests: 1 } }] })
  })

  test.each([
    ['by=hour&days=92', 'by'],
    ['by=tag&key_id=KEY', 'by'],
    ['by=key&tag=team:a', 'by'],
    ['tag=a&key_id=KEY', 'tag'],
    ['by=tier', 'by'],
    ['outcome=failed', 'outcome'],
  ])('refuses %s by name', async (query, param) => {
    const { status, json } = await server.call('GET', `${path}?${query.replace('KEY', keyId)}`)
    expect(status).toBe(400)
    expect(json.error.param).toBe(param)
  })

  test('is 404 for a key of another account', async () => {
    const { status } = await server.call('GET', `${path}?key_id=key_00000000000000000000000000`)
    expect(status).toBe(404)
  })

  test('lists days in order, and all accounts for operators', async () => {
    const { json } = await server.call('GET', `${path}?days=3&by=day&limit=1`)
    expect(json).toMatchObject({ has_more: true, data: [{ group: '2026-03-08', requests: 1 }] })
    const all = await server.call('GET', '/api/v1/admin/usage/health?days=3&tag=team:a')
    expect(all.json.total).toMatchObject({ requests: 1 })
  })
})
