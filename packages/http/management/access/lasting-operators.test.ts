import { operatorAddresses } from '@turnpike/identity'
import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import { nowMs, type Answer } from '../testing/management-server.ts'

/** What an operator's token may not do, since the result would outlast the token. */

const accounts = '/api/v1/admin/accounts'
const invites = '/api/v1/admin/identity/invites'

const server = await suiteFullServer({
  operatorAddresses: operatorAddresses([
    'Ops@Example.com',
    'Jos\u00e9@B\u00fccher.example',
    'kelvin@xn--bcher-kva.example',
  ]),
})
const { id: operatorId } = (await server.call('GET', '/api/v1/me', { as: 'ops' })).json
await server.call('PATCH', `${accounts}/${operatorId}`, { body: { operator: true } })

const invite = (email: string | undefined, as?: string): Promise<Answer> =>
  server.call('POST', invites, {
    ...(as !== undefined && { as }),
    body: email === undefined ? {} : { email },
  })

async function provisioned(email: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { id } = (await server.call('POST', accounts, { body: { email } })).json
  await server.call('PATCH', `${accounts}/${id}`, { body: changes })
  return id
}

describe("an operator's token", () => {
  test.each([
    'ops@example.com',
    'OPS@EXAMPLE.COM',
    'ops@example.com.',
    'ops@example\u3002com',
    'ops@\uff45\uff58ample.com',
    '\uff4f\uff50\uff53@example.com',
    '\u1d52ps@example.com',
    'jose\u0301@b\u00fccher.example',
    'JOSE\u0301@BU\u0308CHER.EXAMPLE',
    'jos\u00e9@xn--bcher-kva.example',
    'JOS\u00c9@XN--BCHER-KVA.example',
    '\u212aelvin@b\u00fccher.example',
  ])('does not invite to a listed address, as %s', async (email) => {
    const answer = await invite(email, 'ops')
    expect([answer.status, answer.json.error.type, answer.json.error.param]).toEqual([
      403,
      'permission_error',
      'email',
    ])
    expect((await invite(email)).status).toBe(201)
  })

  test.each([
    ' ops@example.com',
    'ops@example.com ',
    'o\u200bps@example.com',
    'ops@exam\u00adple.com',
    'ops@exa mple.com',
  ])('does not invite "%s" either, which is not an address', async (email) => {
    expect((await invite(email, 'ops')).status).toBe(400)
    expect((await invite(email)).status).toBe(400)
  })

  test('does not invite the address of an account that is marked as an operator’s', async () => {
    await provisioned('marked@example.com', { operator: true })
    for (const email of ['marked@example.com', 'MARKED@example.com.', '\uff4darked@example.com'])
      expect((await invite(email, 'ops')).status).toBe(403)
    expect((await invite('marked@example.com')).status).toBe(201)
  })

  test('invites anybody else, and its invitations differ from those of the secret', async () => {
    const bySecret = async (id: string): Promise<boolean | undefined> => {
      const { rows } = await server.storage.identity.invites.list({ limit: 200 })
      return rows.find((row) => row.id === id)?.bySecret
    }
    for (const email of ['ada@example.com', 'ops+x@example.com', 'ops@example.org', undefined]) {
      const made = await invite(email, 'ops')
      expect([made.status, await bySecret(made.json.id)]).toEqual([201, false])
    }
    expect(await bySecret((await invite('ada@example.com')).json.id)).toBe(true)
  })

  test('does not assign a marked account to a subject', async () => {
    const id = await provisioned('waiting@example.com', { operator: true })
    const body = { email: 'Waiting@example.com', oidc_sub: 'usr_mine' }
    const refused = await server.call('POST', accounts, { as: 'ops', body })
    expect([refused.status, refused.json.error.param]).toEqual([403, 'email'])
    expect((await server.call('GET', `${accounts}/${id}`)).json).toMatchObject({ oidc_sub: null })
    expect((await server.call('POST', accounts, { body })).json).toMatchObject({ id, oidc_sub: 'usr_mine' })
  })

  test("does not assign an operator's address to a subject", async () => {
    await provisioned('known@example.com', { operator: true })
    const subjects = ['OPS@example.com.', '\uff4fps@example.com', 'known@example.com', 'KNOWN@example.com']
    for (const [index, email] of subjects.entries()) {
      const body = { email, oidc_sub: `usr_new_${index}` }
      const refused = await server.call('POST', accounts, { as: 'ops', body })
      expect([email, refused.status, refused.json.error?.param]).toEqual([email, 403, 'email'])
    }
    const others = { email: 'somebody@example.com', oidc_sub: 'usr_somebody' }
    expect((await server.call('POST', accounts, { as: 'ops', body: others })).status).toBe(201)
    expect(
      (await server.call('POST', accounts, { as: 'ops', body: { email: 'ops@example.com' } })).status,
    ).toBe(201)
  })

  test("does not reactivate an operator's account", async () => {
    const marked = await provisioned('locked@example.com', { operator: true, status: 'suspended' })
    const listed = await provisioned('ops@example.com', { status: 'closed' })
    const other = await provisioned('user@example.com', { status: 'suspended' })
    const activate = (id: string, as?: string): Promise<Answer> =>
      server.call('PATCH', `${accounts}/${id}`, {
        ...(as !== undefined && { as }),
        body: { status: 'active' },
      })
    for (const id of [marked, listed]) {
      const answer = await activate(id, 'ops')
      expect([answer.status, answer.json.error.param]).toEqual([403, 'status'])
      expect((await activate(id)).json).toMatchObject({ status: 'active' })
      expect((await activate(id, 'ops')).status).toBe(200)
    }
    expect((await activate(other, 'ops')).status).toBe(200)
  })
})

test('an account shows whether its address is verified', async () => {
  const { storage } = server
  const token = { subject: 'squatter', email: 'mine@example.com', emailVerified: false, name: null }
  const { id } = await storage.accounts.signIn(token, 'free', nowMs)
  const shown = async (path: string, as?: string): Promise<unknown> => {
    const { json } = await server.call('GET', path, as === undefined ? {} : { as })
    return [json.email, json.email_verified]
  }
  expect(await shown(`${accounts}/${id}`)).toEqual(['mine@example.com', false])
  expect(await shown('/api/v1/me', 'squatter')).toEqual(['mine@example.com', false])
  const made = await server.call('POST', accounts, { body: { email: 'mine@example.com' } })
  expect([made.status, made.json.email_verified]).toEqual([201, true])
  expect(made.json.id).not.toBe(id)
  expect(await shown('/api/v1/me', 'nobody')).toEqual([null, false])
})
