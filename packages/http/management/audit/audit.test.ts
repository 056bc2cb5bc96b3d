import { beforeEach, describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import { nowMs, startManagementServer, type Answer } from '../testing/management-server.ts'
import { actionDetails } from './details.ts'
import { mostRefusals } from './refusals.ts'

const accounts = '/api/v1/admin/accounts'
let account: string

const server = await suiteFullServer()

beforeEach(async () => {
  account = (await server.call('GET', '/api/v1/me', { as: 'ada' })).json.id
})

async function newest(count = 1): Promise<Record<string, unknown>[]> {
  return (await server.call('GET', `/api/v1/admin/audit?limit=${count}`)).json.data
}

function requestIdOf(answer: Answer): string | null {
  return answer.headers.get('x-request-id')
}

describe('an action', () => {
  test('of a user records who, what, on what, when, from where, and its outcome', async () => {
    const made = await server.call('POST', '/api/v1/me/keys', { as: 'ada', body: { name: 'laptop' } })
    const [entry] = await newest()
    expect(entry).toEqual({
      object: 'audit_entry',
      on_behalf_of: null,
      request_id: requestIdOf(made),
      created_at: nowMs / 1000,
      actor: 'user',
      subject: 'ada',
      by: { account_id: account, display_name: null, email: null, email_verified: false },
      action: 'createKey',
      account_id: account,
      account: { account_id: account, display_name: null, email: null, email_verified: false },
      target: made.json.id,
      status: 201,
      details: { name: 'laptop' },
      address: '127.0.0.1',
    })
    const revoked = await server.call('DELETE', `/api/v1/me/keys/${made.json.id}`, { as: 'ada' })
    expect(await newest()).toMatchObject([
      {
        request_id: requestIdOf(revoked),
        action: 'revokeKey',
        target: made.json.id,
        status: 200,
        details: null,
      },
    ])
  })

  test('of the operator names the account', async () => {
    const made = await server.call('POST', accounts, { body: { email: 'grace@example.com' } })
    expect(await newest()).toMatchObject([
      {
        actor: 'operator',
        subject: null,
        action: 'provisionAccount',
        account_id: made.json.id,
        target: made.json.id,
      },
    ])
    const credit = { kind: 'grant', amount_usd: 2.5, reason: 'welcome' }
    const moved = await server.call('POST', `${accounts}/${made.json.id}/credits`, { body: credit })
    expect(await newest()).toMatchObject([
      {
        action: 'moveCredit',
        account_id: made.json.id,
        target: moved.json.id,
        details: { kind: 'grant', amount_usd: '2.5', reason: 'welcome' },
      },
    ])
    await server.call('PATCH', `${accounts}/${made.json.id}`, { body: { status: 'suspended' } })
    expect(await newest()).toMatchObject([{ action: 'updateAccount', details: { status: 'suspended' } }])
  })

  test('that is refused is recorded too, without the request’s fields', async () => {
    await server.call('POST', '/api/v1/me/keys', { as: 'ada', body: { name: '', raw: 'sk-secret' } })
    expect(await newest()).toMatchObject([
      { action: 'createKey', status: 400, target: account, details: null },
    ])
    const unknown = `key_${'0'.repeat(26)}`
    await server.call('DELETE', `/api/v1/me/keys/${unknown}`, { as: 'ada' })
    expect(await newest()).toMatchObject([{ action: 'revokeKey', status: 404, target: unknown }])
  })

  test('is one entry, however often its response is repeated', async () => {
    const send = () =>
      server.call('POST', '/api/v1/me/keys', {
        as: 'ada',
        body: { name: 'once' },
        headers: { 'idempotency-key': 'audited-once' },
      })
    const first = await send()
    await send()
    expect(await newest(2)).toMatchObject([{ request_id: requestIdOf(first) }, { action: 'revokeKey' }])
  })

  test('is recorded only if it is not a read and has a valid credential', async () => {
    const before = await newest()
    await server.call('GET', '/api/v1/me/keys', { as: 'ada' })
    await server.call('POST', '/api/v1/me/keys', { secret: null, body: { name: 'x' } })
    await server.call('POST', accounts, { secret: 'wrong', body: { email: 'x@example.com' } })
    expect(await newest()).toEqual(before)
  })

  test('records no secret: no raw key, and nothing that looks like one', async () => {
    const body = { name: 'my sk-turnpike-abcdEFGHijklMNOP0123456789' }
    const made = await server.call('POST', '/api/v1/me/keys', { as: 'ada', body })
    await server.call('POST', `/api/v1/me/keys/${made.json.id}/rotate`, { as: 'ada', body: {} })
    const { text } = await server.call('GET', '/api/v1/admin/audit?limit=200')
    expect(text).not.toContain(made.json.raw)
    expect(text).not.toContain('abcdEFGHijkl')
    expect(text).not.toMatch(/sk-turnpike-\w{5}/)
    expect(text).not.toContain('a secret of the operator')
  })
})

describe('the log', () => {
  test.each([
    ['actor=operator', ({ actor }: Record<string, unknown>) => actor === 'operator'],
    ['action=createKey', ({ action }: Record<string, unknown>) => action === 'createKey'],
    ['subject=ada', ({ subject }: Record<string, unknown>) => subject === 'ada'],
  ])('is filtered by %s', async (query, matches) => {
    const { data } = (await server.call('GET', `/api/v1/admin/audit?${query}`)).json
    expect(data.length).toBeGreaterThan(0)
    expect(data.every(matches)).toBe(true)
  })

  test('is filtered by account, target and time, and paginated by cursor', async () => {
    const made = await server.call('POST', '/api/v1/me/keys', { as: 'hopper', body: { name: 'x' } })
    const at = (query: string) => server.call('GET', `/api/v1/admin/audit?${query}`)
    const { id } = (await server.call('GET', '/api/v1/me', { as: 'hopper' })).json
    expect((await at(`account_id=${id}`)).json.data).toHaveLength(1)
    expect((await at(`target=${made.json.id}`)).json.data).toHaveLength(1)
    expect((await at(`from=0&to=${nowMs / 1000}`)).json.data).toHaveLength(0)
    const first = (await at('limit=1')).json
    const second = (await at(`limit=1&cursor=${first.next_cursor}`)).json
    expect(second.data[0]).not.toEqual(first.data[0])
  })

  test.each([
    ['actor=nobody', 'actor'],
    ['account_id=ada', 'account_id'],
    ['from=-1', 'from'],
    ['from=yesterday', 'from'],
    ['from=10&to=10', 'to'],
    ['action=', 'action'],
    ['limit=201', 'limit'],
    ['cursor=x', 'cursor'],
    ['day=1', 'day'],
  ])('refuses %s', async (query, param) => {
    const answer = await server.call('GET', `/api/v1/admin/audit?${query}`)
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
  })

  test('that cannot be written blocks no action, and the node’s log gets the entry', async () => {
    const broken = await startManagementServer(({ storage }) => ({
      audit: { ...storage.audit, append: () => Promise.reject(new Error('disk full')) },
    }))
    const made = await broken.call('POST', '/api/v1/me/keys', { as: 'ada', body: { name: 'x' } })
    expect(made.status).toBe(201)
    const line = broken.told.find((one) => one.startsWith('log'))
    expect(line).toContain(requestIdOf(made))
    expect(line).toContain('createKey')
    expect(line).not.toContain(made.json.raw)
    await broken.close()
  })
})

test.each([
  [undefined, null],
  [{}, null],
  [{ name: 'a' }, '{"name":"a"}'],
  [{ current_password: 'a', new_password: 'b' }, null],
  [{ current_password: 'a', email: 'b' }, '{"email":"b"}'],
  [{ name: 'sk-turnpike-abcdEFGH' }, '{"name":"sk-turnpike-abcd…"}'],
  [{ long: 'x'.repeat(2000) }, '{"long":"… (2002 characters)"}'],
])('details of %j', (body, expected) => {
  expect(actionDetails(body)).toBe(expected)
})

describe('refused actions', () => {
  test('of a user are recorded up to an hourly limit; successful actions always are', async () => {
    const as = 'mallory'
    const { id } = (await server.call('GET', '/api/v1/me', { as })).json
    const written = async (): Promise<Record<string, unknown>[]> => {
      const answer = await server.call('GET', `/api/v1/admin/audit?account_id=${id}&limit=200`)
      return answer.json.data
    }
    const refuse = (): Promise<Answer> => server.call('POST', '/api/v1/me/keys', { as, body: { name: '' } })
    for (let count = 0; count < mostRefusals + 20; count++) expect((await refuse()).status).toBe(400)
    const [last, ...before] = await written()
    expect(before).toHaveLength(mostRefusals - 1)
    expect(before.every(({ details }) => details === null)).toBe(true)
    expect(last).toMatchObject({ status: 400, details: { further_refusals: 'left out for up to an hour' } })
    const made = await server.call('POST', '/api/v1/me/keys', { as, body: { name: 'k' } })
    expect((await written())[0]).toMatchObject({ status: 201, target: made.json.id })
    // Another account has its own limit.
    await server.call('POST', '/api/v1/me/keys', { as: 'ada', body: { name: '' } })
    expect(await newest()).toMatchObject([{ subject: 'ada', status: 400 }])
    server.clock.nowMs += 3_600_000
    await refuse()
    expect((await written())[0]).toMatchObject({ status: 400, details: null })
    server.clock.nowMs -= 3_600_000
  })
})
