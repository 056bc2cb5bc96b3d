import { beforeEach, describe, expect, test } from 'vitest'
import { operationAt } from '../openapi/operation-table.ts'
import { suiteFullServer } from '../testing/full-server.ts'
import { furnishedAccount } from '../testing/furnished-account.ts'

const server = await suiteFullServer()
const ada = await furnishedAccount(server, 'ada')

function userRoutes(): { method: string; path: string }[] {
  return server.routes.filter(
    ({ method, path }) => method !== 'HEAD' && operationAt(method, path)?.surface === 'user',
  )
}

describe('the token', () => {
  test('is required on every path of users; otherwise 401 says how to authenticate', async () => {
    expect(userRoutes().length).toBeGreaterThan(15)
    for (const { method, path } of userRoutes()) {
      const answer = await server.call(method, path.replaceAll(/:\w+/g, 'x'), { secret: null })
      expect([method, path, answer.status]).toEqual([method, path, 401])
      expect(answer.json.error.type).toBe('authentication_error')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  test("cannot be the operator's secret", async () => {
    expect((await server.call('GET', '/api/v1/me/keys')).status).toBe(401)
  })
})

describe('an account that is not active', () => {
  beforeEach(async () => {
    await server.call('PATCH', `/api/v1/admin/accounts/${ada.account_id}`, { body: { status: 'active' } })
  })

  test.each(['suspended', 'closed'])(
    'is 403 when %s, whatever is asked for, and nothing is lost',
    async (status) => {
      const path = `/api/v1/admin/accounts/${ada.account_id}`
      const before = await server.call('GET', '/api/v1/me/keys', { as: 'ada' })
      await server.call('PATCH', path, { body: { status } })
      for (const { method, path: one } of userRoutes()) {
        const answer = await server.call(method, one.replaceAll(/:\w+/g, 'x'), { as: 'ada' })
        expect([method, one, answer.status, answer.json.error.type]).toEqual([
          method,
          one,
          403,
          'permission_error',
        ])
        expect(answer.json.error.message).toBe(`The account is ${status}.`)
      }
      await server.call('PATCH', path, { body: { status: 'active' } })
      const after = await server.call('GET', '/api/v1/me/keys', { as: 'ada' })
      expect(after.json).toEqual(before.json)
    },
  )
})

describe('entity tags', () => {
  test.each(['/api/v1/me/keys', '/api/v1/topups', '/api/v1/usage?days=7', '/api/v1/balance'])(
    'GET %s is 304 until something changes',
    async (path) => {
      const first = await server.call('GET', path, { as: 'ada' })
      const headers = { 'if-none-match': first.headers.get('etag')! }
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      const same = await server.call('GET', path, { as: 'ada', headers })
      expect([same.status, same.text, same.headers.get('content-type')]).toEqual([304, '', null])
      expect(same.headers.get('x-request-id')).toMatch(/^req_/)
      await furnishedAccount(server, 'ada')
      const other = await server.call('GET', path, { as: 'ada', headers })
      expect([other.status, other.text === first.text]).toEqual([200, false])
    },
  )

  test('are not sent with unpolled operations, nor with errors', async () => {
    expect((await server.call('GET', '/api/v1/ledger', { as: 'ada' })).headers.get('etag')).toBeNull()
    const bad = await server.call('GET', '/api/v1/usage?days=0', {
      as: 'ada',
      headers: { 'if-none-match': '*' },
    })
    expect([bad.status, bad.headers.get('etag')]).toEqual([400, null])
  })
})

describe('idempotency', () => {
  const path = '/api/v1/me/keys'
  const send = (as: string, key: string, name = 'k') =>
    server.call('POST', path, { as, body: { name }, headers: { 'idempotency-key': key } })

  test('returns the same key for a repeated creation, though the database does not hold it', async () => {
    const first = await send('ada', 'one')
    const again = await send('ada', 'one')
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send('ada', 'one', 'other')).status).toBe(409)
    const claim = await server.storage.idempotency.claim('x', 'y', server.clock.nowMs)
    expect(claim.state).toBe('claimed')
  })

  test('distinguishes two users, and two paths', async () => {
    const first = await send('ada', 'two')
    const theirs = await send('grace', 'two')
    expect(theirs.status).toBe(201)
    expect(theirs.json.id).not.toBe(first.json.id)
    const topup = await server.call('POST', '/api/v1/topup', {
      as: 'ada',
      body: { amount_usd: '5' },
      headers: { 'idempotency-key': 'two' },
    })
    expect(topup.status).toBe(201)
  })

  test('runs one of several simultaneous requests; the others are 409 or get the same response', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('ada', 'three')))
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(1)
    expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    for (const { status, headers } of answers.filter((one) => one.status !== 201))
      expect([status, headers.get('retry-after')]).toEqual([409, '1'])
  })
})
