import { beforeEach, expect, test } from 'vitest'
import { nowMs, suiteManagementServer } from '../testing/management-server.ts'

const path = '/api/v1/vendor-keys'
const secret = 'sk-vendor-0123456789abcdef-aB3d'
let as: string
let account: string

const server = await suiteManagementServer()

beforeEach(async () => {
  as = crypto.randomUUID()
  account = (await server.call('GET', '/api/v1/me', { as })).json.id
})

const add = (more: object = {}) =>
  server.call('POST', path, { as, body: { provider: 'openai', secret, ...more } })

test('only the last characters of a key are ever shown', async () => {
  const { status, json, text } = await add({ name: 'prod' })
  expect(status).toBe(201)
  expect(json).toEqual({
    id: expect.stringMatching(/^vky_[0-9a-z]{26}$/),
    object: 'vendor_key',
    provider: 'openai',
    name: 'prod',
    last4: 'aB3d',
    status: 'active',
    allow_fallback_to_shared: true,
    position: 1,
    created_at: nowMs / 1000,
    updated_at: nowMs / 1000,
    last_used_at: null,
    refused_at: null,
  })
  const audit = await server.call('GET', `/api/v1/admin/audit?account_id=${account}`)
  expect(audit.text).toContain('createVendorKey')
  const told = [text, audit.text, (await server.call('GET', path, { as })).text, server.told.join('\n')]
  for (const one of told) expect(one).not.toContain('0123456789')
  expect(server.told).toContain(`changed ${account}`)
})

test('a key is changed, replaced and removed', async () => {
  const { id } = (await add()).json
  const changed = await server.call('PATCH', `${path}/${id}`, {
    as,
    body: { name: 'other', status: 'disabled', allow_fallback_to_shared: false, position: 7 },
  })
  expect(changed.json).toMatchObject({
    name: 'other',
    status: 'disabled',
    allow_fallback_to_shared: false,
    position: 7,
  })
  const body = { secret: 'sk-vendor-0123456789abcdef-xY9z' }
  const replaced = await server.call('POST', `${path}/${id}/replace`, { as, body })
  expect(replaced.json).toMatchObject({ id, last4: 'xY9z', name: 'other' })
  expect((await server.call('DELETE', `${path}/${id}`, { as })).json).toMatchObject({ id })
  for (const [method, tail, sent] of [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['POST', '/replace', body],
  ] as const)
    expect((await server.call(method, `${path}/${id}${tail}`, { as, body: sent })).status).toBe(404)
})

test.each([
  [{ provider: 'nobody' }, 'provider'],
  [{ secret: 'short' }, 'secret'],
  [{ secret: 'sk with spaces in between' }, 'secret'],
  [{ secret: `${secret}\r\nx-more: 1` }, 'secret'],
  [{ secret: 'sk-turnpike-0123456789abcdef0123456789' }, 'secret'],
  [{ secret: 'k'.repeat(4_097) }, 'secret'],
  [{ name: '' }, 'name'],
  [{ base_url: 'http://169.254.169.254/' }, 'base_url'],
])('%j is refused by its field, and told to nobody', async (more, param) => {
  const { status, json, text } = await add(more)
  expect([status, json.error.param]).toEqual([400, param])
  if ('secret' in more && more.secret.length > 10) expect(text).not.toContain(more.secret.slice(0, 12))
})

test('refuses a second key with the same name, and a fifty-first key', async () => {
  expect((await add()).status).toBe(201)
  expect((await add()).json.error).toMatchObject({ type: 'conflict_error', param: 'name' })
  for (let number = 1; number < 50; number++) expect((await add({ name: `k${number}` })).status).toBe(201)
  expect((await add({ name: 'one more' })).status).toBe(409)
  expect((await server.call('GET', path, { as })).json.data).toHaveLength(50)
})

test('creates one key for a repeated request, and stores no secret in the kept response', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const body = { provider: 'openai', secret }
  const [one, other] = [
    await server.call('POST', path, { as, headers, body }),
    await server.call('POST', path, { as, headers, body }),
  ]
  expect(other.json.id).toBe(one.json.id)
})

test('in an organization only owners and admins manage the keys', async () => {
  const made = await server.call('POST', '/api/v1/organizations', { as, body: { name: 'Engines' } })
  const headers = { 'x-turnpike-org': made.json.id }
  const body = { provider: 'openai', secret }
  const { id } = (await server.call('POST', path, { as, headers, body })).json
  expect((await server.call('GET', `${path}/${id}`, { as, headers })).status).toBe(200)
  // The person's own account has none of them.
  expect((await server.call('GET', `${path}/${id}`, { as })).status).toBe(404)
  for (const [role, status] of [
    ['admin', 200],
    ['developer', 403],
    ['billing', 403],
    ['viewer', 403],
  ] as const) {
    const member = crypto.randomUUID()
    const invited = await server.call('POST', '/api/v1/organization/invitations', {
      as,
      headers,
      body: { role },
    })
    const [, code] = String(invited.json['url']).split('#')
    await server.call('POST', '/api/v1/organization-invitations/accept', { as: member, body: { code } })
    expect((await server.call('GET', path, { as: member, headers })).status, role).toBe(status)
    const doings: [string, string, object?][] = [
      ['GET', `/${id}`],
      ['GET', '/providers'],
      ['POST', '', { ...body, name: role }],
      ['PATCH', `/${id}`, { name: `of ${role}` }],
      ['POST', `/${id}/replace`, { secret }],
    ]
    for (const [method, tail, sent] of doings) {
      const done = await server.call(method, `${path}${tail}`, { as: member, headers, body: sent })
      expect(done.status, `${role} ${method} ${tail}`).toBe(
        status === 403 ? 403 : method === 'POST' && tail === '' ? 201 : 200,
      )
      // Acting for the own account instead does not help either.
      if (tail.includes(id))
        expect((await server.call(method, `${path}${tail}`, { as: member, body: sent })).status).toBe(404)
    }
    if (status === 403)
      expect((await server.call('DELETE', `${path}/${id}`, { as: member, headers })).status).toBe(403)
    // A former member finds nothing.
    const leaving = { as: member, headers, body: { keys: 'revoked' } }
    expect((await server.call('POST', '/api/v1/organization/leave', leaving)).status).toBe(200)
    expect((await server.call('GET', path, { as: member, headers })).status, `${role}, gone`).toBe(404)
  }
  const stranger = crypto.randomUUID()
  for (const [method, tail] of [
    ['GET', ''],
    ['DELETE', `/${id}`],
  ] as const)
    expect((await server.call(method, `${path}${tail}`, { as: stranger, headers })).status).toBe(404)
})

test('an operator sees and deletes keys, but cannot set a secret', async () => {
  const { id } = (await add()).json
  const of = `/api/v1/admin/accounts/${account}/vendor-keys`
  expect((await server.call('GET', of)).json.data).toMatchObject([{ id, last4: 'aB3d' }])
  expect((await server.call('POST', of, { body: { provider: 'openai', secret } })).status).toBe(405)
  expect((await server.call('PATCH', `${of}/${id}`, { body: { status: 'disabled' } })).status).toBe(200)
  expect((await server.call('DELETE', `${of}/${id}`)).status).toBe(200)
})

test('lists the providers that accept own keys, with the fee', async () => {
  expect((await server.call('GET', `${path}/providers`, { as })).json).toEqual({
    object: 'vendor_key_providers',
    fee_percent: '5',
    data: [{ name: 'openai', title: 'OpenAI' }],
  })
})
