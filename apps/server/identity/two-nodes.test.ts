import { describe, expect, test, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { ClaudeCode } from './testing/claude-code.ts'
import { callAs, loginByDevice } from './testing/device-login.ts'
import { PageClient } from './testing/page-client.ts'
import { suiteOrigins } from './testing/second-node.ts'
import { confirmDevice, newEmail, signUp } from './testing/sign-in.ts'

const postgres = databases().find(({ engine }) => engine === 'PostgreSQL')

describe.skipIf(postgres === undefined)('nodes on one database', { timeout: 60_000 }, () => {
  const database = suiteDatabase(() => postgres!.create())
  const node = suiteNode({ server: { port: 0 } }, { database })
  const origins = suiteOrigins(node, database)

  test('act as one provider: a sign-in begun on one can be ended on the other', async () => {
    const post = async (address: string, fields: Record<string, string>): Promise<Record<string, string>> => {
      const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(fields) })
      return (await answer.json()) as Record<string, string>
    }

    const device = await post(`${origins[1]!}/oidc/device/auth`, { client_id: 'turnpike' })
    expect(device['verification_uri']).toBe(`${node.origin}/oidc/device`)
    const client = new PageClient()
    const signIn = await confirmDevice(client, node.origin, device['user_code']!)
    await signUp(client, signIn, { email: newEmail() })
    const tokens = await post(`${origins[1]!}/oidc/token`, {
      client_id: 'turnpike',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code']!,
    })
    const me = async (origin: string): Promise<number> => {
      const headers = { authorization: `Bearer ${tokens['access_token']}` }
      return (await fetch(`${origin}/api/v1/me`, { headers })).status
    }
    expect([await me(node.origin), await me(origins[1]!)]).toEqual([200, 200])

    // A refresh token can be used once, on whichever node.
    const refresh = {
      client_id: 'turnpike',
      grant_type: 'refresh_token',
      refresh_token: tokens['refresh_token']!,
    }
    const answers = await Promise.all(
      [...origins, ...origins].map((origin) => post(`${origin}/oidc/token`, refresh)),
    )
    expect(answers.filter((answer) => 'access_token' in answer)).toHaveLength(1)
  })

  test('both know a device that signed in on one, and both renew and end its sign-in', async () => {
    const claude = new ClaudeCode(node.origin)
    const body = { model: 'sandbox/echo', max_tokens: 64, messages: [{ role: 'user', content: 'x' }] }
    const statusAt = async (origin: string, token: unknown): Promise<number> =>
      (await new ClaudeCode(origin).message(String(token), body)).status

    const { body: codes } = await claude.begin()
    const user = await loginByDevice(node.origin, { email: newEmail() })
    const approval = `/me/device-sign-ins/${String(codes['user_code'])}/approve`
    const { body: me } = await callAs(node.origin, user, '/me')
    await node.createKey({ accountId: String(me['id']) })
    const { body: approved } = await callAs(origins[1]!, user, approval, {
      method: 'POST',
      body: { spend_limit_usd: null },
    })
    const keyId = (approved['key'] as { id: string }).id
    const grant = { kind: 'grant', amount_usd: '1', reason: 'test', key_id: keyId }
    await node.admin(`/accounts/${String(me['id'])}/credits`, { method: 'POST', body: grant })
    const { body: first } = await claude.poll(String(codes['device_code']))
    expect([
      await statusAt(node.origin, first['access_token']),
      await statusAt(origins[1]!, first['access_token']),
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
    const [left, right] = await Promise.all([refresh(node.origin), refresh(origins[1]!)])
    expect(left['access_token']).toBe(right['access_token'])
    expect(left['refresh_token']).toBe(right['refresh_token'])
    expect(await statusAt(origins[1]!, left['access_token'])).toBe(200)

    await claude.signOut(String(left['access_token']), String(left['refresh_token']))
    expect(await statusAt(node.origin, left['access_token'])).toBe(401)
    await vi.waitFor(async () => expect(await statusAt(origins[1]!, left['access_token'])).toBe(401), 5_000)
  })
})
