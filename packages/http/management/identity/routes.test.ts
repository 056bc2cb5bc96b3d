import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import { nowMs, startManagementServer } from '../testing/management-server.ts'

const path = '/api/v1/admin/identity'

const server = await suiteFullServer()

describe('invitations', () => {
  test('are created with a code that is shown once, are listed, and can be deleted', async () => {
    const body = { email: 'Ada@Example.com', expires_in_days: 2 }
    const made = await server.call('POST', `${path}/invites`, { body })
    expect(made.status).toBe(201)
    expect(made.json).toEqual({
      id: expect.stringMatching(/^inv_/),
      object: 'invite',
      email: 'ada@example.com',
      code: expect.stringMatching(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/),
      created_at: nowMs / 1000,
      expires_at: nowMs / 1000 + 2 * 86_400,
      used_at: null,
    })
    const { code: _, ...shown } = made.json
    expect((await server.call('GET', `${path}/invites`)).json.data).toEqual([shown])
    const removed = await server.call('DELETE', `${path}/invites/${made.json.id}`)
    expect([removed.status, removed.json]).toEqual([200, { id: made.json.id, deleted: true }])
    expect((await server.call('DELETE', `${path}/invites/${made.json.id}`)).status).toBe(404)
  })

  test('are for anybody and valid for a week by default', async () => {
    const { json } = await server.call('POST', `${path}/invites`, { body: {} })
    expect(json).toMatchObject({ email: null, expires_at: nowMs / 1000 + 7 * 86_400 })
  })

  test.each<[Record<string, unknown>, string]>([
    [{ email: 'nobody' }, 'email'],
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ expires_in_days: 366 }, 'expires_in_days'],
    [{ uses: 3 }, 'uses'],
  ])('refuse %j', async (body, param) => {
    const answer = await server.call('POST', `${path}/invites`, { body })
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
  })

  test('are for operators only', async () => {
    expect((await server.call('GET', `${path}/invites`, { secret: null })).status).toBe(401)
    expect((await server.call('GET', `${path}/invites`, { as: 'ada' })).status).toBe(404)
  })
})

test('rotates signing keys', async () => {
  const answer = await server.call('POST', `${path}/keys/rotate`)
  expect([answer.status, answer.json]).toEqual([201, { key_id: 'signing-key', created_at: nowMs / 1000 }])
})

test('offers no administration with an external identity provider', async () => {
  const other = await startManagementServer()
  expect((await other.call('POST', `${path}/keys/rotate`)).status).toBe(404)
  expect((await other.call('GET', '/api/v1/auth/discovery')).status).toBe(404)
  await other.close()
})

test('serves discovery to everybody', async () => {
  const answer = await server.call('GET', '/api/v1/auth/discovery', { secret: null })
  expect([answer.status, Object.keys(answer.json).toSorted()]).toEqual([
    200,
    [
      'authorization_endpoint',
      'client_id',
      'device_authorization_endpoint',
      'issuer',
      'public_models',
      'resource',
      'scopes',
      'token_endpoint',
    ],
  ])
})
