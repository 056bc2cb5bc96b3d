import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeCode } from './testing/claude-code.ts'
import { callAs } from './testing/device-login.ts'
import { suiteIssuer } from './testing/suite-issuer.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'

const resource = 'https://api.gateway.example'
const address = '198.51.100.7'

/** Device sign-ins with an external identity provider, and attacks on them by strangers. */
describe('a device sign-in with an external issuer', () => {
  const issuer = suiteIssuer()
  let claude: ClaudeCode
  const node = suiteNode(() => ({
    server: { port: 0, trusted_proxies: ['127.0.0.1'] },
    identity: { name: 'logto', issuer: issuer.address, client_id: 'cli', resource },
  }))
  beforeAll(async () => {
    claude = new ClaudeCode(node.origin)
  })

  test('works as with the embedded provider, except for the sign-in of the user', async () => {
    const claims = { sub: 'ada', aud: resource, email: 'ada@example.com', email_verified: true }
    const user = { access_token: await issuer.token(claims) }
    const { body: codes } = await claude.begin()
    const path = `/me/device-sign-ins/${String(codes['user_code'])}/approve`
    const init = { method: 'POST', body: { spend_limit_usd: '5', spend_limit_period: 'day' } }
    const approved = await callAs(node.origin, user, path, init)
    expect(approved.body).toMatchObject({ key: { name: 'Claude Code', spend_limit_usd: '5' } })
    const { status, body: tokens } = await claude.poll(String(codes['device_code']))
    expect([status, tokens['email']]).toEqual([200, 'ada@example.com'])
    const models = await fetch(`${node.origin}/v1/models`, {
      headers: { authorization: `Bearer ${String(tokens['access_token'])}` },
    })
    expect(models.status).toBe(200)
  })

  test('appears in the list of sessions, which contains only devices, and can be ended there', async () => {
    const claims = { sub: 'grace', aud: resource, email: 'grace@example.com', email_verified: true }
    const user = { access_token: await issuer.token(claims) }
    const { body: codes } = await claude.begin()
    const path = `/me/device-sign-ins/${String(codes['user_code'])}/approve`
    await callAs(node.origin, user, path, { method: 'POST', body: { spend_limit_usd: null } })
    const { body: tokens } = await claude.poll(String(codes['device_code']))
    const { body: listed } = await callAs(node.origin, user, '/me/sessions')
    const [session, ...others] = listed['data'] as { id: string; kind: string; name: string }[]
    expect([session, others]).toMatchObject([{ kind: 'device', name: 'Claude Code' }, []])
    const stranger = { access_token: await issuer.token({ sub: 'eve', aud: resource }) }
    const ended = (who: typeof user) =>
      callAs(node.origin, who, `/me/sessions/${session!.id}`, { method: 'DELETE' })
    expect([(await ended(stranger)).status, (await ended(user)).status]).toEqual([404, 200])
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` }
    expect((await fetch(`${node.origin}/v1/models`, { headers })).status).toBe(401)
    expect((await callAs(node.origin, user, '/me/login')).body).toMatchObject({
      provider: 'elsewhere',
      may_change: ['display_name'],
    })
    const body = { current_password: 'a long password', new_password: 'another long password' }
    expect((await callAs(node.origin, user, '/me/password', { method: 'POST', body })).status).toBe(404)
    // A user whose account is closed gets no new one, and the old identity is not restored.
    await callAs(node.origin, user, '/me/close', { method: 'POST', body: { confirm: 'grace@example.com' } })
    const after = await callAs(node.origin, user, '/me')
    expect([after.status, JSON.stringify(after.body)]).toEqual([403, expect.stringContaining('closed')])
    const { data } = await node.admin<{ data: { email: string | null }[] }>('/accounts')
    expect(data.filter(({ email }) => email === 'grace@example.com')).toEqual([])
  })

  const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(node.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })

  test.each([
    ['no grant', '', 400, 'invalid_request'],
    ['an unknown grant', 'grant_type=password&username=a', 400, 'unsupported_grant_type'],
    ['no token', 'grant_type=refresh_token', 400, 'invalid_request'],
    ['an empty token', 'grant_type=refresh_token&refresh_token=', 400, 'invalid_request'],
    ['a token twice', 'grant_type=refresh_token&refresh_token=a&refresh_token=b', 400, 'invalid_request'],
    ['a made-up token', 'grant_type=refresh_token&refresh_token=a%00b', 401, 'invalid_grant'],
  ])("rejects %s with OAuth's errors", async (_what, body, status, error) => {
    const answer = await post('/oauth/token', body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error, error_description: expect.any(String) as string })
  })

  test('rejects a body that is not a form or is too large', async () => {
    const json = await post('/oauth/token', '{}', { 'content-type': 'application/json' })
    expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([415, 'invalid_request'])
    expect((await post('/oauth/token', `grant_type=${'x'.repeat(20_000)}`)).status).toBe(413)
    expect((await fetch(`${node.origin}/oauth/token`)).status).toBe(405)
  })

  test('ignores unknown fields, and rejects a request without a client or a code', async () => {
    const answer = await post('/oauth/device_authorization', 'client_id=x&scope=y&surface=constructor')
    const { user_code: code } = (await answer.json()) as { user_code: string }
    const user = { access_token: await issuer.token({ sub: 'ada', aud: resource }) }
    const seen = await callAs(node.origin, user, `/me/device-sign-ins/${code}`)
    expect(seen.body).toMatchObject({ client: 'other', client_name: 'Another program' })
  })

  test('counts starts and wrong codes by address, however the address is written', async () => {
    const paths = [
      '/oauth/device_authorization',
      '/%6fauth/device_authorization',
      '/x/../oauth/device_authorization',
    ]
    const addresses = [address, `::ffff:${address}`]
    const statuses: number[] = []
    for (let count = 0; count < 201; count++) {
      const headers = { 'x-forwarded-for': addresses[count % 2]! }
      statuses.push((await post(paths[count % 3]!, '', headers)).status)
    }
    expect(statuses).toEqual([...Array<number>(200).fill(200), 429])
    const wrong: number[] = []
    for (let count = 0; count < 101; count++) {
      const headers = { 'x-forwarded-for': addresses[count % 2]! }
      wrong.push((await post('/oauth/token', 'grant_type=refresh_token&refresh_token=x', headers)).status)
    }
    expect(wrong).toEqual([...Array<number>(100).fill(401), 429])
    const refused = await post('/oauth/revoke', 'token=x', { 'x-forwarded-for': address })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await post('/oauth/revoke', 'token=x')).status).toBe(200)
  })

  test('counts starts by the /48 of IPv6 addresses, too', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 1_001; count++) {
      const headers = { 'x-forwarded-for': `2001:db8:7:${count.toString(16)}::1` }
      statuses.push((await post('/oauth/device_authorization', '', headers)).status)
    }
    expect(statuses).toEqual([...Array<number>(1_000).fill(200), 429])
    const elsewhere = { 'x-forwarded-for': '2001:db8:8::1' }
    expect((await post('/oauth/device_authorization', '', elsewhere)).status).toBe(200)
  })
})
