import { expect, test, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { ClaudeCode } from './testing/claude-code.ts'
import { callAs, loginByDevice } from './testing/device-login.ts'
import { PageClient } from './testing/page-client.ts'
import { confirmDevice, newEmail, signUp } from './testing/sign-in.ts'

const shared = databases().find(({ engine }) => engine === 'PostgreSQL')

test.skipIf(shared === undefined)(
  'nodes on one database act as one provider: a sign-in begun on one can be ended on the other',
  { timeout: 60_000 },
  async () => {
    const { url, drop } = await shared!.create()
    const one = await startTestNode({ input: { server: { port: 0 } }, databaseUrl: url! })
    // Both have one public address, as behind a load balancer.
    const input = { server: { port: 0, public_url: one.origin } }
    const other = await startTestNode({ input, databaseUrl: url! })
    const post = async (address: string, fields: Record<string, string>): Promise<Record<string, string>> => {
      const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(fields) })
      return (await answer.json()) as Record<string, string>
    }

    const device = await post(`${other.origin}/oidc/device/auth`, { client_id: 'turnpike' })
    expect(device['verification_uri']).toBe(`${one.origin}/oidc/device`)
    const client = new PageClient()
    const signIn = await confirmDevice(client, one.origin, device['user_code']!)
    await signUp(client, signIn, { email: newEmail() })
    const tokens = await post(`${other.origin}/oidc/token`, {
      client_id: 'turnpike',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code']!,
    })
    const me = async (origin: string): Promise<number> => {
      const headers = { authorization: `Bearer ${tokens['access_token']}` }
      return (await fetch(`${origin}/api/v1/me`, { headers })).status
    }
    expect([await me(one.origin), await me(other.origin)]).toEqual([200, 200])

    // A refresh token can be used once, on whichever node.
    const refresh = {
      client_id: 'turnpike',
      grant_type: 'refresh_token',
      refresh_token: tokens['refresh_token']!,
    }
    const answers = await Promise.all(
      [one, other, one, other].map(({ origin }) => post(`${origin}/oidc/token`, refresh)),
    )
    expect(answers.filter((answer) => 'access_token' in answer)).toHaveLength(1)

    await one.stop()
    await other.stop()
    await drop()
  },
)

test.skipIf(shared === undefined)(
  'a device that signed in on one node is known on the other, and is renewed and ended on both',
  { timeout: 60_000 },
  async () => {
    const { url, drop } = await shared!.create()
    const one = await startTestNode({ input: { server: { port: 0 } }, databaseUrl: url! })
    const input = { server: { port: 0, public_url: one.origin } }
    const other = await startTestNode({ input, databaseUrl: url! })
    const claude = new ClaudeCode(one.origin)
    const body = { model: 'sandbox/echo', max_tokens: 64, messages: [{ role: 'user', content: 'x' }] }
    const statusAt = async (origin: string, token: unknown): Promise<number> =>
      (await new ClaudeCode(origin).message(String(token), body)).status

    const { body: codes } = await claude.begin()
    const user = await loginByDevice(one.origin, { email: newEmail() })
    const approval = `/me/device-sign-ins/${String(codes['user_code'])}/approve`
    const { body: me } = await callAs(one.origin, user, '/me')
    await one.createKey({ accountId: String(me['id']) })
    const { body: approved } = await callAs(other.origin, user, approval, {
      method: 'POST',
      body: { spend_limit_usd: null },
    })
    const keyId = (approved['key'] as { id: string }).id
    const grant = { kind: 'grant', amount_usd: '1', reason: 'test', key_id: keyId }
    await one.admin(`/accounts/${String(me['id'])}/credits`, { method: 'POST', body: grant })
    const { body: first } = await claude.poll(String(codes['device_code']))
    expect([
      await statusAt(one.origin, first['access_token']),
      await statusAt(other.origin, first['access_token']),
    ]).toEqual([200, 200])

    // Two programs of one device wake at the same moment, and a load balancer sends them to different nodes.
    const refresh = (origin: string) =>
      fetch(`${origin}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: String(first['refresh_token']),
        }),
      }).then(async (answer) => (await answer.json()) as Record<string, unknown>)
    const [left, right] = await Promise.all([refresh(one.origin), refresh(other.origin)])
    expect(left['access_token']).toBe(right['access_token'])
    expect(left['refresh_token']).toBe(right['refresh_token'])
    expect(await statusAt(other.origin, left['access_token'])).toBe(200)

    await claude.signOut(String(left['access_token']), String(left['refresh_token']))
    expect(await statusAt(one.origin, left['access_token'])).toBe(401)
    await vi.waitFor(async () => expect(await statusAt(other.origin, left['access_token'])).toBe(401), 5_000)

    await one.stop()
    await other.stop()
    await drop()
  },
)
