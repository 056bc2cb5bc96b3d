import { afterEach, describe, expect, test } from 'vitest'
import { operationAt } from '../openapi/operation-table.ts'
import { suiteFullServer } from '../testing/full-server.ts'
import { startManagementServer, type Answer } from '../testing/management-server.ts'
import { unknownPath } from '../../unknown-path.ts'

const accounts = '/api/v1/admin/accounts'

const server = await suiteFullServer()
const ops = await accountOf('ops')
await accountOf('ada')
afterEach(() => mark(false))

async function accountOf(as: string): Promise<string> {
  return (await server.call('GET', '/api/v1/me', { as })).json.id
}

const mark = (operator: boolean): Promise<Answer> =>
  server.call('PATCH', `${accounts}/${ops}`, { body: { operator } })

function adminRoutes(): { method: string; path: string }[] {
  return server.routes.filter(
    ({ method, path }) =>
      method !== 'HEAD' && path.startsWith('/api/') && operationAt(method, path)?.surface === 'operator',
  )
}

/** What a caller can distinguish two responses by. */
const visibleParts = ({ status, json }: Answer): unknown => [status, { ...json.error, request_id: null }]

describe('a user token at the admin endpoints', () => {
  test('of somebody who is no operator gets the same 404 for every path', async () => {
    const nothing = visibleParts(await server.call('GET', '/api/v1/admin/nothing', { as: 'ada' }))
    expect(adminRoutes().length).toBeGreaterThan(20)
    for (const { method, path } of adminRoutes())
      for (const id of ['x', ops]) {
        const answer = await server.call(method, path.replaceAll(/:\w+/g, id), { as: 'ada' })
        expect([method, path, visibleParts(answer)]).toEqual([method, path, nothing])
      }
  })

  test('of an operator works like the secret, until the mark is removed', async () => {
    expect((await mark(true)).json).toMatchObject({ id: ops, operator: true })
    expect((await server.call('GET', '/api/v1/me', { as: 'ops' })).json).toMatchObject({ operator: true })
    const list = await server.call('GET', accounts, { as: 'ops' })
    expect([list.status, list.json]).toEqual([200, (await server.call('GET', accounts)).json])
    for (const { method, path } of adminRoutes().filter((route) => route.method === 'GET')) {
      const answer = await server.call(method, path.replaceAll(/:account_id/g, ops), { as: 'ops' })
      expect([path, answer.json.error?.message]).not.toEqual([path, unknownPath().message])
    }
    await mark(false)
    expect((await server.call('GET', '/api/v1/me', { as: 'ops' })).json).toMatchObject({ operator: false })
    expect((await server.call('GET', accounts, { as: 'ops' })).status).toBe(404)
  })

  test('leaves its subject in the audit log', async () => {
    await mark(true)
    const key = await server.call('POST', `${accounts}/${ops}/keys`, { as: 'ops', body: { name: 'k' } })
    expect(key.status).toBe(201)
    const [entry] = (await server.call('GET', '/api/v1/admin/audit')).json.data
    expect(entry).toMatchObject({
      actor: 'operator',
      subject: 'ops',
      action: 'createKey',
      account_id: ops,
      target: key.json.id,
    })
    const mine = await server.call('GET', '/api/v1/admin/audit?actor=operator&subject=ops', { as: 'ops' })
    expect(mine.json.data).toHaveLength(1)
  })

  test('makes nobody an operator', async () => {
    await mark(true)
    const path = `${accounts}/${await accountOf('ada')}`
    const answer = await server.call('PATCH', path, { as: 'ops', body: { operator: true } })
    expect([answer.status, answer.json.error.param]).toEqual([403, 'operator'])
    const renamed = await server.call('PATCH', path, { as: 'ops', body: { tier: 'gold' } })
    expect([renamed.status, renamed.json['operator']]).toEqual([200, false])
    expect((await server.call('PATCH', '/api/v1/me', { as: 'ada', body: { operator: true } })).status).toBe(
      400,
    )
  })

  test('of a suspended operator is not accepted', async () => {
    await mark(true)
    const set = (status: string): Promise<Answer> =>
      server.call('PATCH', `${accounts}/${ops}`, { body: { status } })
    await set('suspended')
    expect((await server.call('GET', accounts, { as: 'ops' })).status).toBe(404)
    await set('active')
    expect((await server.call('GET', accounts, { as: 'ops' })).status).toBe(200)
  })

  test('does not get the responses to the secret’s idempotency keys', async () => {
    await mark(true)
    const call = (as?: string): Promise<Answer> =>
      server.call('POST', `${accounts}/${ops}/keys`, {
        ...(as !== undefined && { as }),
        body: { name: 'k' },
        headers: { 'idempotency-key': 'the-same' },
      })
    const [first, second] = [await call(), await call('ops')]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json.id).not.toBe(first.json.id)
    expect((await call('ops')).json).toEqual(second.json)
  })

  test('is not tried if the secret is wrong; without a valid token a missing secret is 401', async () => {
    await mark(true)
    expect((await server.call('GET', accounts, { as: 'ops', secret: 'wrong' })).status).toBe(401)
    expect((await server.call('GET', accounts, { secret: null })).status).toBe(401)
    const odd = await server.call('GET', accounts, { secret: null, headers: { authorization: 'Basic x' } })
    expect(odd.status).toBe(401)
  })
})

describe('without an internal secret', () => {
  test.each([
    [true, 401, 200],
    [false, 404, 404],
  ])('and operators configured: %s', async (operatorsByToken, stranger, operator) => {
    const other = await startManagementServer(({ storage }) => ({
      internalSecret: undefined,
      operatorsByToken,
      accountOf: async (request) => {
        const { authorization } = request.headers
        if (authorization === undefined) return server.services.accountOf!(request)
        const { account } = await storage.accounts.provision({ subject: 'ops', tier: 'free' }, 0)
        return { ...account, operator: true }
      },
    }))
    expect((await other.call('GET', accounts, { secret: null })).status).toBe(stranger)
    expect((await other.call('GET', accounts, { secret: 'any' })).status).toBe(stranger)
    expect((await other.call('GET', accounts, { as: 'ops' })).status).toBe(operator)
    await other.close()
  })
})
