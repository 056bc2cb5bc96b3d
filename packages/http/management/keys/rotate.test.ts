import { isWellFormedApiKey } from '@turnpike/identity'
import { beforeEach, expect, test } from 'vitest'
import { nowMs, suiteManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
let account: string
let keys: string
let key: string

const server = await suiteManagementServer()

beforeEach(async () => {
  account = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id
  keys = `${accounts}/${account}/keys`
  const body = { name: 'ci', allowed_models: ['a/b'] }
  key = (await server.call('POST', keys, { body })).json.id
})

const rotate = (body: unknown = {}, id = key, headers: Record<string, string> = {}) =>
  server.call('POST', `${keys}/${id}/rotate`, { body, headers })

test('answers 201 with a new key that has the name, limits and credit of the old one', async () => {
  const credit = { amount_usd: '5', kind: 'grant', reason: 'test' }
  await server.call('POST', `${accounts}/${account}/credits`, { body: credit })
  server.told.length = 0
  const { status, json } = await rotate()
  expect(status).toBe(201)
  expect(json).toMatchObject({ name: 'ci', allowed_models: ['a/b'], balance_usd: '5', status: 'active' })
  expect(isWellFormedApiKey(json.raw)).toBe(true)
  const hash: unknown = expect.stringMatching(/^created [0-9a-f]{64}$/)
  expect(server.told.filter((line) => line !== 'flush')).toEqual([hash, `changed ${key}`, `release ${key}`])
  const old = await server.call('GET', `${keys}/${key}`)
  expect(old.json).toMatchObject({ status: 'revoked', balance_usd: '0', revoked_at: nowMs / 1000 })
})

test('needs no body', async () => {
  const { status, json } = await server.call('POST', `${keys}/${key}/rotate`)
  expect([status, json.name]).toEqual([201, 'ci'])
})

test('lets the old key work during its grace period', async () => {
  expect((await rotate({ grace_seconds: 600 })).status).toBe(201)
  const old = await server.call('GET', `${keys}/${key}`)
  expect(old.json).toMatchObject({ status: 'active', expires_at: nowMs / 1000 + 600, balance_usd: '0' })
})

test('happens once: again is 409, a revoked key 400, an unknown or another account’s key 404', async () => {
  const first = await rotate({ grace_seconds: 600 })
  const again = await rotate()
  expect([again.status, again.json.error.type]).toEqual([409, 'conflict_error'])
  expect(again.json.error.message).toContain(first.json.id)
  await server.call('DELETE', `${keys}/${first.json.id}`)
  const revoked = await rotate({}, first.json.id)
  expect([revoked.status, revoked.json.error.param]).toEqual([400, 'key_id'])
  expect((await rotate({}, `key_${'0'.repeat(26)}`)).status).toBe(404)
  const other = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id
  expect((await server.call('POST', `${accounts}/${other}/keys/${key}/rotate`, { body: {} })).status).toBe(
    404,
  )
})

test('creates no second key if an Idempotency-Key is repeated, and returns the same response', async () => {
  const headers = { 'idempotency-key': 'rotation-1' }
  const first = await rotate({}, key, headers)
  const again = await rotate({}, key, headers)
  expect([again.status, again.json.raw]).toEqual([201, first.json.raw])
})

test.each([
  [{ grace_seconds: -1 }, 'grace_seconds'],
  [{ grace_seconds: 0.5 }, 'grace_seconds'],
  [{ grace_seconds: '60' }, 'grace_seconds'],
  [{ grace_seconds: 2_592_001 }, 'grace_seconds'],
  [{ grace_seconds: null }, 'grace_seconds'],
  [{ grace: 60 }, 'grace'],
])('of %j is 400', async (body, param) => {
  const { status, json } = await rotate(body)
  expect([status, json.error.param]).toEqual([400, param])
})

test('refuses credit for a replaced key, and transfers from or to it, with 400', async () => {
  const fresh = (await rotate({ grace_seconds: 600 })).json.id
  const credit = { amount_usd: '5', kind: 'grant', reason: 'test', key_id: key }
  const granted = await server.call('POST', `${accounts}/${account}/credits`, { body: credit })
  expect([granted.status, granted.json.error.param]).toEqual([400, 'key_id'])
  for (const [from, to, param] of [
    [key, fresh, 'key_id'],
    [fresh, key, 'to_key_id'],
  ]) {
    const body = { to_key_id: to, amount_usd: '1' }
    const { status, json } = await server.call('POST', `${keys}/${from}/transfer`, { body })
    expect([status, json.error.param]).toEqual([400, param])
  }
})
