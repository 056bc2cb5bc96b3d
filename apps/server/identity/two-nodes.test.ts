import { expect, test } from 'vitest'
import { databases } from '../testing/databases.ts'
import { startTestNode } from '../testing/test-node.ts'
import { PageClient } from './testing/page-client.ts'
import { confirmDevice, newEmail, signUp } from './testing/sign-in.ts'

const shared = databases().find(({ engine }) => engine === 'PostgreSQL')

test.skipIf(shared === undefined)(
  'nodes on one database are one provider: begun on one, signed in on it, ended on the other',
  { timeout: 60_000 },
  async () => {
    const { url, drop } = await shared!.create()
    const one = await startTestNode({ input: { server: { port: 0 } }, databaseUrl: url! })
    // Behind one public address, as a load balancer gives them.
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

    // A refresh token is used once, whichever node is asked.
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
