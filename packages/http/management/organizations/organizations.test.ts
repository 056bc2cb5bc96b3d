import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import type { Answer } from '../testing/management-server.ts'
import { requestRecord } from '../testing/management-server.ts'

const server = await suiteFullServer()

interface Asked {
  as: string
  org?: string
  body?: object
  headers?: Record<string, string>
}

function call(method: string, path: string, { as, org, body, headers }: Asked): Promise<Answer> {
  return server.call(method, `/api/v1${path}`, {
    as,
    ...(body !== undefined && { body }),
    headers: { ...headers, ...(org !== undefined && { 'x-turnpike-org': org }) },
  })
}

let made = 0
/** Creates an organization of `owner`, with people in roles, named such as `developer-3`. */
async function furnished(...roles: string[]): Promise<{ org: string; owner: string; people: string[] }> {
  const number = ++made
  const owner = `owner-${number}`
  const { json } = await call('POST', '/organizations', { as: owner, body: { name: `Org ${number}` } })
  const people: string[] = []
  for (const [index, role] of roles.entries()) {
    const person = `${role}-${number}-${index}`
    await join(person, json.id, owner, role)
    people.push(person)
  }
  return { org: json.id, owner, people }
}

async function join(person: string, org: string, by: string, role: string): Promise<Answer> {
  const invited = await call('POST', '/organization/invitations', { as: by, org, body: { role } })
  const [, code] = String(invited.json['url']).split('#')
  return call('POST', '/organization-invitations/accept', { as: person, body: { code } })
}

const memberOf = async (as: string, org: string): Promise<string> =>
  String((await call('GET', '/me', { as, org })).json['member_id'])

describe('an organization', () => {
  test('is selected by a header, for its members only', async () => {
    const { org, owner } = await furnished()
    const own = await call('GET', '/me', { as: owner })
    const acted = await call('GET', '/me', { as: owner, org })
    expect(own.json).toMatchObject({ kind: 'person', role: 'owner', member_id: null })
    expect(acted.json).toMatchObject({ id: org, kind: 'organization', role: 'owner', operator: false })
    expect((await call('GET', '/me', { as: owner, org: own.json.id })).json.id).toBe(own.json.id)
    const refused = await call('GET', '/me', { as: 'stranger', org })
    const never = await call('GET', '/me', { as: 'stranger', org: org.replace(/.{6}$/, '000000') })
    const malformed = await call('GET', '/me', { as: 'stranger', org: 'x' })
    for (const answer of [refused, never, malformed]) {
      expect([answer.status, answer.json.error.message]).toEqual([404, 'Organization not found.'])
    }
  })

  test('refuses operations about the person', async () => {
    const { org, owner } = await furnished()
    for (const [method, path] of [
      ['GET', '/me/sessions'],
      ['GET', '/me/closing'],
      ['GET', '/organizations'],
      ['GET', '/me/login'],
    ] as const) {
      const answer = await call(method, path, { as: owner, org })
      expect([path, answer.status, answer.json.error.param]).toEqual([path, 400, 'X-Turnpike-Org'])
    }
    expect((await call('GET', '/organization', { as: owner })).status).toBe(404)
    expect((await call('GET', '/organization/members', { as: owner })).status).toBe(404)
  })

  test('is 403 if it is suspended, and 404 if it is closed', async () => {
    const { org, owner, people } = await furnished('admin')
    await server.call('PATCH', `/api/v1/admin/accounts/${org}`, { body: { status: 'suspended' } })
    expect((await call('GET', '/balance', { as: owner, org })).status).toBe(403)
    await server.call('PATCH', `/api/v1/admin/accounts/${org}`, { body: { status: 'active' } })
    const body = { confirm: `Org ${made}` }
    expect((await call('POST', '/organization/close', { as: people[0]!, org, body })).status).toBe(403)
    const wrong = { as: owner, org, body: { confirm: 'no' } }
    expect((await call('POST', '/organization/close', wrong)).status).toBe(400)
    expect((await call('POST', '/organization/close', { as: owner, org, body })).status).toBe(200)
    expect((await call('GET', '/balance', { as: owner, org })).status).toBe(404)
    expect((await call('GET', '/organizations', { as: owner })).json.data).toEqual([])
  })

  test('is never an operator, and cannot be claimed by an address', async () => {
    const { org } = await furnished()
    const path = `/api/v1/admin/accounts/${org}`
    const marked = await server.call('PATCH', path, { body: { operator: true } })
    expect([marked.status, marked.json.error.param]).toEqual([400, 'operator'])
    const moved = await server.call('PATCH', path, { body: { tier: 'pro', display_name: 'Other' } })
    expect(moved.json).toMatchObject({ kind: 'organization', tier: 'pro', email: null })
  })

  test('appears in the audit log together with the person', async () => {
    const { org, owner, people } = await furnished('viewer')
    await call('POST', '/me/keys', { as: owner, org, body: { name: 'x' } })
    const person = (await call('GET', '/me', { as: owner })).json.id
    const entries = async (query: string) =>
      (await server.call('GET', `/api/v1/admin/audit?${query}`)).json.data as Record<string, unknown>[]
    const [entry] = await entries(`account_id=${org}&action=createKey`)
    expect(entry).toMatchObject({ account_id: org, on_behalf_of: person, subject: owner, status: 201 })
    await call('POST', '/me/keys', { as: people[0]!, org, body: { name: 'x' } })
    const [refused] = await entries(`account_id=${org}&action=createKey`)
    expect(refused).toMatchObject({ subject: people[0], status: 403 })
    const stranger = (await call('GET', '/me', { as: 'stranger' })).json.id
    await call('POST', '/me/keys', { as: 'stranger', org, body: { name: 'x' } })
    const [foreign] = await entries(`account_id=${stranger}&action=createKey`)
    expect(foreign).toMatchObject({ account_id: stranger, on_behalf_of: null, status: 404 })
    expect(foreign!['address']).not.toBe('')
  })

  test('has its own responses to an Idempotency-Key, and its own entity tags', async () => {
    const { org, owner, people } = await furnished('admin')
    const headers = { 'idempotency-key': 'same' }
    const body = { name: 'x' }
    const own = await call('POST', '/me/keys', { as: owner, body, headers })
    const acted = await call('POST', '/me/keys', { as: owner, org, body, headers })
    const colleague = await call('POST', '/me/keys', { as: people[0]!, org, body, headers })
    expect(new Set([own, acted, colleague].map(({ json }) => json.raw)).size).toBe(3)
    const again = await call('POST', '/me/keys', { as: owner, org, body, headers })
    expect(again.json.raw).toBe(acted.json.raw)
    const list = await call('GET', '/me/keys', { as: owner, org })
    expect(list.headers.get('vary')).toContain('x-turnpike-org')
    const tagged = { 'if-none-match': list.headers.get('etag')! }
    expect((await call('GET', '/me/keys', { as: owner, headers: tagged })).status).toBe(200)
    expect((await call('GET', '/me/keys', { as: owner, org, headers: tagged })).status).toBe(304)
  })
})

describe('a developer', () => {
  test('sees their own keys and requests, and nobody else’s', async () => {
    const { org, owner, people } = await furnished('developer')
    const [developer] = people as [string]
    const theirs = (await call('POST', '/me/keys', { as: owner, org, body: { name: 'theirs' } })).json
    const mine = (await call('POST', '/me/keys', { as: developer, org, body: { name: 'mine' } })).json
    expect(mine['member_id']).toBe(await memberOf(developer, org))
    const records = [theirs, mine].map(({ id }) => requestRecord({ accountId: org, keyId: id }))
    await server.write(...records)
    const keys = await call('GET', '/me/keys', { as: developer, org })
    expect(keys.json.data.map(({ id }) => id)).toEqual([mine.id])
    const usage = await call('GET', '/usage', { as: developer, org })
    expect(usage.json['total_cost_usd']).toBe('0.01')
    const all = await call('GET', '/usage/breakdown?by=member', { as: owner, org })
    expect(all.json.data).toHaveLength(2)
    const own = await call('GET', '/usage/breakdown?by=key', { as: developer, org })
    expect(own.json.data).toMatchObject([{ group: mine.id }])
    const requests = await call('GET', '/usage/requests', { as: developer, org })
    expect(requests.json.data.map(({ id }) => id)).toEqual([records[1]!.id])
    const file = await call('GET', '/usage/export?format=jsonl', { as: developer, org })
    expect(file.text).not.toContain(records[0]!.id)
    expect(file.text).toContain(records[1]!.id)
    const health = await call('GET', '/usage/health?by=key', { as: developer, org })
    expect(health.text).not.toContain(theirs.id)
    const foreign: [string, string, object?][] = [
      ['GET', `/me/keys/${theirs.id}`],
      ['PATCH', `/me/keys/${theirs.id}`, { name: 'x' }],
      ['DELETE', `/me/keys/${theirs.id}`],
      ['POST', `/me/keys/${theirs.id}/rotate`, {}],
      ['GET', `/usage/requests/${records[0]!.id}`],
      ['GET', `/usage/requests/${records[0]!.id}/log`],
      ['DELETE', `/usage/requests/${records[0]!.id}/log`],
      ['GET', `/usage?key_id=${theirs.id}`],
      ['GET', `/usage?member_id=${await memberOf(owner, org)}`],
      ['GET', `/usage/health?key_id=${theirs.id}`],
      ['DELETE', `/me/prompt-log?key_id=${theirs.id}`],
      ['PATCH', `/me/keys/${mine.id}`, { draws_on: theirs.id }],
      ['POST', '/me/keys', { name: 'x', draws_on: theirs.id }],
    ]
    for (const [method, path, body] of foreign) {
      const answer = await call(method, path, { as: developer, org, ...(body && { body }) })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    const body = { name: 'x', member_id: await memberOf(owner, org) }
    expect((await call('POST', '/me/keys', { as: developer, org, body })).status).toBe(403)
    expect((await call('DELETE', '/me/prompt-log', { as: developer, org })).status).toBe(400)
    const all2 = await call('GET', '/usage/health?by=tag', { as: developer, org })
    expect(all2.status).toBe(400)
  })

  test('moves no credit, neither directly nor as part of another operation', async () => {
    const { org, people } = await furnished('developer')
    const [developer] = people as [string]
    const one = (await call('POST', '/me/keys', { as: developer, org, body: { name: 'a', draws_on: null } }))
      .json
    const two = (await call('POST', '/me/keys', { as: developer, org, body: { name: 'b', draws_on: null } }))
      .json
    const moved = { to_key_id: two.id, amount_usd: '1' }
    const transfer = await call('POST', `/me/keys/${one.id}/transfer`, { as: developer, org, body: moved })
    expect(transfer.status).toBe(403)
    const { userCode } = await server.services.deviceSignIns!.signIns.begin('claude_code', '203.0.113.7')
    const approval = { spend_limit_usd: null, credit_usd: '1', from_key_id: one.id }
    const path = `/me/device-sign-ins/${userCode}/approve`
    expect((await call('POST', path, { as: developer, org, body: approval })).status).toBe(403)
    const plain = await call('POST', path, { as: developer, org, body: { spend_limit_usd: null } })
    expect(plain.json).toMatchObject({ key: { member_id: await memberOf(developer, org) } })
  })
})

describe('members', () => {
  test('join with a link that works once', async () => {
    const { org, owner } = await furnished()
    const body = { role: 'developer' }
    const invited = await call('POST', '/organization/invitations', { as: owner, org, body })
    const [, code] = String(invited.json['url']).split('/join#')
    const preview = { as: 'newcomer', body: { code } }
    expect((await call('POST', '/organization-invitations/preview', preview)).json).toMatchObject({
      organization_name: `Org ${made}`,
      role: 'developer',
    })
    expect((await call('POST', '/organization-invitations/accept', preview)).json.id).toBe(org)
    const second = await call('POST', '/organization-invitations/accept', { as: 'late', body: { code } })
    expect([second.status, second.json.error]).toEqual([
      400,
      expect.objectContaining({
        param: 'code',
        message: '`code`: this invitation was already used. Ask for a new one.',
      }),
    ])
    const again = await call('POST', '/organization-invitations/accept', { as: 'newcomer', body: { code } })
    expect([again.status, again.json.error.message]).toEqual([
      409,
      'You are already a member of this organization.',
    ])
    const unknown = { as: 'late', body: { code: 'x'.repeat(43) } }
    const never = await call('POST', '/organization-invitations/accept', unknown)
    expect([never.status, never.json.error.type]).toEqual([404, 'not_found_error'])
    const list = await call('GET', '/organization/invitations', { as: owner, org })
    expect(list.json.data).toMatchObject([{ status: 'used', role: 'developer' }])
    expect(list.text).not.toContain(code)
  })

  test('are removed with a choice about their keys', async () => {
    const { org, owner, people } = await furnished('developer', 'developer')
    for (const [person, keys] of [
      [people[0]!, 'organization'],
      [people[1]!, 'revoked'],
    ] as const) {
      await call('POST', '/me/keys', { as: person, org, body: { name: person } })
      const path = `/organization/members/${await memberOf(person, org)}`
      expect((await call('DELETE', path, { as: owner, org })).status).toBe(400)
      const removed = await call('DELETE', `${path}?keys=${keys}`, { as: owner, org })
      expect(removed.json).toMatchObject({ status: 'removed', keys, key_count: 1 })
      expect((await call('GET', '/me', { as: person, org })).status).toBe(404)
      expect((await call('DELETE', `${path}?keys=${keys}`, { as: owner, org })).status).toBe(409)
    }
    const { data } = (await call('GET', '/me/keys', { as: owner, org })).json
    const told = data.map((key) => [key['name'], key['status'], key['handed_over']])
    expect(told).toHaveLength(2)
    expect(told).toContainEqual([people[0], 'active', true])
    expect(told).toContainEqual([people[1], 'revoked', false])
  })

  test('can leave unless they are the last owner; closing an account leaves all organizations', async () => {
    const { org, owner, people } = await furnished('owner', 'developer')
    const [second, developer] = people as [string, string]
    const body = {}
    await call('POST', '/me/keys', { as: developer, org, body: { name: 'of developer' } })
    const { id: accountId } = (await call('GET', '/me', { as: developer })).json
    const told = await call('GET', '/me/closing', { as: developer })
    expect(told.json).toMatchObject({ organizations: [{ id: org }], only_owner_of: [] })
    const closed = await call('POST', '/me/close', { as: developer, body: { confirm: accountId } })
    expect(closed.status).toBe(200)
    const keys = (await call('GET', '/me/keys', { as: owner, org })).json.data
    expect(keys).toMatchObject([{ name: 'of developer', status: 'active', member_id: null }])
    expect((await call('POST', '/organization/leave', { as: owner, org, body })).status).toBe(200)
    const last = await call('POST', '/organization/leave', { as: second, org, body })
    expect([last.status, last.json.error.type]).toEqual([409, 'conflict_error'])
    const { id } = (await call('GET', '/me', { as: second })).json
    const kept = await call('POST', '/me/close', { as: second, body: { confirm: id } })
    expect([kept.status, kept.json.error.message]).toEqual([409, expect.stringContaining(`Org ${made}`)])
    expect((await call('GET', '/organization', { as: second, org })).status).toBe(200)
  })

  test('may be service accounts, for which admins create keys', async () => {
    const { org, owner, people } = await furnished('admin', 'developer')
    const [admin, developer] = people as [string, string]
    const body = { name: 'nightly' }
    expect((await call('POST', '/organization/members', { as: developer, org, body })).status).toBe(403)
    const service = (await call('POST', '/organization/members', { as: admin, org, body })).json
    const made2 = await call('POST', '/me/keys', {
      as: admin,
      org,
      body: { name: 'n', member_id: service.id },
    })
    expect(made2.json['member_id']).toBe(service.id)
    const path = `/organization/members/${service.id}`
    expect((await call('PATCH', path, { as: admin, org, body: { role: 'owner' } })).status).toBe(403)
    expect((await call('PATCH', path, { as: owner, org, body: { role: 'admin' } })).status).toBe(400)
    expect((await call('PATCH', path, { as: admin, org, body: { name: 'daily' } })).json['name']).toBe(
      'daily',
    )
    const filtered = await call('GET', `/me/keys?member_id=${service.id}`, { as: owner, org })
    expect(filtered.json.data).toHaveLength(1)
  })

  test('see names, and see addresses only if they manage members', async () => {
    const { org, people } = await furnished('viewer', 'admin')
    const [viewer, admin] = people as [string, string]
    const asViewer = (await call('GET', '/organization/members', { as: viewer, org })).json.data
    expect(asViewer.every((member) => member['email'] === null)).toBe(true)
    expect((await call('GET', '/organization/members', { as: admin, org })).json.data).toHaveLength(3)
  })
})

describe('a key', () => {
  test('moves to a project and a member, and keeps its secret', async () => {
    const { org, owner, people } = await furnished('developer')
    const [developer] = people as [string]
    const project = (await call('POST', '/projects', { as: owner, org, body: { name: 'search' } })).json
    expect((await call('POST', '/projects', { as: owner, org, body: { name: 'search' } })).status).toBe(409)
    const key = (await call('POST', '/me/keys', { as: developer, org, body: { name: 'k' } })).json
    const path = `/me/keys/${key.id}/hand-over`
    const body = { project_id: project.id, member_id: null }
    expect((await call('POST', path, { as: developer, org, body })).status).toBe(403)
    expect((await call('POST', path, { as: owner, org, body: {} })).status).toBe(400)
    const handed = await call('POST', path, { as: owner, org, body })
    expect(handed.json).toMatchObject({ project_id: project.id, member_id: null, handed_over: true })
    expect(handed.json['key_prefix']).toBe(key['key_prefix'])
    expect((await call('POST', path, { as: owner, org, body })).status).toBe(404)
    expect((await call('GET', `/me/keys/${key.id}`, { as: developer, org })).status).toBe(404)
    await call('DELETE', `/projects/${project.id}`, { as: owner, org })
    const late = await call('POST', '/me/keys', {
      as: owner,
      org,
      body: { name: 'x', project_id: project.id },
    })
    expect([late.status, late.json.error.param]).toEqual([400, 'project_id'])
  })
})
