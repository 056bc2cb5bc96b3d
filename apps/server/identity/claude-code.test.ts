import { isWellFormedApiKey } from '@turnpike/identity'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { ClaudeCode, type OAuthAnswer } from './testing/claude-code.ts'
import { callAs, loginByDevice, refresh as refreshUserToken, type Tokens } from './testing/device-login.ts'
import { newEmail } from './testing/sign-in.ts'

const trustedProxies = ['127.0.0.1']
const body = { model: 'claude-sonnet-4-6', max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] }

interface SignedIn {
  access: string
  refresh: string
  keyId: string
}

/** The steps of Claude Code's `/login`, and what its tokens may do afterwards. */
describe.each(databases())("Claude Code's sign-in on $engine", ({ create }) => {
  let claude: ClaudeCode
  let email: string
  let user: Tokens
  let funds: string

  const database = suiteDatabase(create)
  const node = suiteNode(
    {
      server: { port: 0, trusted_proxies: trustedProxies },
      providers: { sandbox: { style: 'sandbox' } },
      models: {
        'local/small': {
          pricing: { prompt: '0.000001', completion: '0.000002' },
          upstreams: [{ provider: 'sandbox', model: 'echo' }],
        },
        'claude-sonnet-4-6': { alias_of: 'local/small' },
      },
    },
    { database },
  )
  beforeAll(async () => {
    claude = new ClaudeCode(node.origin)
    email = newEmail()
    user = await loginByDevice(node.origin, { email })
    funds = (await newFunds(user)).id
  })

  /** A key with credit of a user's account. */
  async function newFunds(of: Tokens): Promise<{ id: string; accountId: string }> {
    const { body: me } = await callAs(node.origin, of, '/me')
    const { id } = await node.createKey({ accountId: String(me['id']), creditUsd: '100' })
    return { id, accountId: String(me['id']) }
  }

  const signIns = '/me/device-sign-ins'
  const decide = (of: Tokens, code: unknown, verb: 'approve' | 'deny', terms?: object) =>
    callAs(node.origin, of, `${signIns}/${String(code)}/${verb}`, {
      method: 'POST',
      ...(terms !== undefined && { body: terms }),
    })

  async function approved(terms: object = {}, of = user): Promise<SignedIn> {
    const { body: codes } = await claude.begin()
    const { status, body: decided } = await decide(of, codes['user_code'], 'approve', {
      spend_limit_usd: '20',
      spend_limit_period: 'month',
      ...terms,
    })
    if (status !== 200) throw new Error(JSON.stringify(decided))
    const { body: tokens } = await claude.poll(String(codes['device_code']))
    return {
      access: String(tokens['access_token']),
      refresh: String(tokens['refresh_token']),
      keyId: (decided['key'] as { id: string }).id,
    }
  }

  const statusOf = async (access: string): Promise<number> => (await claude.message(access, body)).status

  test('is found through metadata, whose endpoints have the same origin', async () => {
    const metadata = await claude.metadata()
    expect(metadata).toMatchObject({ issuer: node.origin, gateway_protocol_version: 1 })
    expect(metadata['grant_types_supported']).toContain('urn:ietf:params:oauth:grant-type:device_code')
    for (const endpoint of Object.values(await claude.endpoints()).filter((one) =>
      String(one).includes('/oauth/'),
    ))
      expect(new URL(String(endpoint)).origin).toBe(node.origin)
  })

  test('ends in a key with its limit, which pays for its requests', async () => {
    const { status, body: codes } = await claude.begin()
    expect(status).toBe(200)
    expect(codes).toMatchObject({ verification_uri: `${node.origin}/connect`, interval: 5, expires_in: 600 })
    expect(codes['user_code']).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(codes).not.toHaveProperty('verification_uri_complete')
    const deviceCode = String(codes['device_code'])
    const early = await claude.poll(deviceCode)
    expect([early.status, early.body['error']]).toEqual([400, 'authorization_pending'])
    const hasty = await claude.poll(deviceCode)
    expect([hasty.status, hasty.body['error']]).toEqual([400, 'slow_down'])

    const typed = String(codes['user_code']).toLowerCase().replace('-', ' ')
    const seen = await callAs(node.origin, user, `${signIns}/${encodeURIComponent(typed)}`)
    expect(seen.body).toMatchObject({
      client_name: 'Claude Code',
      address: '127.0.0.1',
      status: 'pending',
      key: null,
    })
    const terms = { spend_limit_usd: '20', spend_limit_period: 'month', credit_usd: '25', from_key_id: funds }
    const decided = await decide(user, codes['user_code'], 'approve', terms)
    expect(decided).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        key: { name: 'Claude Code', balance_usd: '25', spend_limit_usd: '20', spend_limit_period: 'month' },
      },
    })
    const { status: granted, body: tokens, headers } = await claude.poll(deviceCode)
    expect(granted).toBe(200)
    expect(headers.get('cache-control')).toContain('no-store')
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, email: `${email} (not verified)` })
    const access = String(tokens['access_token'])
    expect(isWellFormedApiKey(access)).toBe(true)

    const answer = await claude.message(access, body)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { model: string }).model).toBe('local/small')
    const key = await callAs(node.origin, user, `/me/keys/${(decided.body['key'] as { id: string }).id}`)
    expect(Number(key.body['spent_usd'])).toBeGreaterThan(0)
    const again = await claude.poll(deviceCode)
    expect([again.status, again.body['error']]).toEqual([401, 'invalid_grant'])
  })

  test('uses the same key a second time, with the limit that is chosen then', async () => {
    const first = await approved()
    const second = await approved({ spend_limit_usd: null, spend_limit_period: undefined })
    expect(second.keyId).toBe(first.keyId)
    const key = await callAs(node.origin, user, `/me/keys/${first.keyId}`)
    expect(key.body).toMatchObject({ spend_limit_usd: null, spend_limit_period: null })
    expect([await statusOf(first.access), await statusOf(second.access)]).toEqual([200, 200])
  })

  test('moves credit only once and to one key if it is approved several times at once', async () => {
    const other = await loginByDevice(node.origin, { email: newEmail() })
    const { id } = await newFunds(other)
    const { body: codes } = await claude.begin()
    const terms = { spend_limit_usd: '20', credit_usd: '10', from_key_id: id }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => decide(other, codes['user_code'], 'approve', terms)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { body: keys } = await callAs(node.origin, other, '/me/keys')
    const balances = (keys['data'] as { balance_usd: string }[]).map((key) => key.balance_usd)
    expect(balances).toEqual(['90', '10'])
  })

  test('can be approved again after a lack of credit, and keeps its limit', async () => {
    const { keyId } = await approved({ spend_limit_usd: '7' })
    const { body: codes } = await claude.begin()
    const terms = { spend_limit_usd: null, credit_usd: '5000', from_key_id: funds }
    expect((await decide(user, codes['user_code'], 'approve', terms)).status).toBe(402)
    const key = await callAs(node.origin, user, `/me/keys/${keyId}`)
    expect(key.body).toMatchObject({ spend_limit_usd: '7' })
    expect((await decide(user, codes['user_code'], 'approve', { spend_limit_usd: null })).status).toBe(200)
  })

  test("adds an approval with the key's id to the audit log", async () => {
    const { keyId } = await approved()
    const log = await callAs(node.origin, user, '/me')
    const { data } = (await node.admin(`/audit?account_id=${String(log.body['id'])}&limit=1`)) as {
      data: Record<string, unknown>[]
    }
    expect(data[0]).toMatchObject({ action: 'approveDeviceSignIn', target: keyId })
  })

  test('gets nothing if it was declined, or never begun', async () => {
    const { body: codes } = await claude.begin()
    expect((await decide(user, codes['user_code'], 'deny')).body).toMatchObject({ status: 'denied' })
    const { body: answer } = await claude.poll(String(codes['device_code']))
    expect(answer['error']).toBe('access_denied')
    expect((await decide(user, codes['user_code'], 'approve', { spend_limit_usd: null })).status).toBe(404)
    expect((await claude.poll('made-up')).body['error']).toBe('invalid_grant')
  })

  test('lets a refresh token be repeated for a minute; later use ends the sign-in', async () => {
    const { access, refresh } = await approved()
    const [one, two] = await Promise.all([claude.refresh(refresh), claude.refresh(refresh)])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.body['access_token']).toBe(one.body['access_token'])
    const next = await claude.refresh(String(one.body['refresh_token']))
    expect(next.body['refresh_token']).not.toBe(one.body['refresh_token'])
    const newest = String(next.body['access_token'])
    expect([await statusOf(access), await statusOf(newest)]).toEqual([200, 200])
    const stolen = await claude.refresh(refresh)
    expect([stolen.status, stolen.body['error']]).toEqual([401, 'invalid_grant'])
    expect([await statusOf(access), await statusOf(newest)]).toEqual([401, 401])
    expect((await claude.refresh(String(next.body['refresh_token']))).status).toBe(401)
  })

  test('loses its own tokens by signing out, and no others', async () => {
    const [out, other] = [await approved(), await approved()]
    expect(await statusOf(out.access)).toBe(200)
    const answers = await claude.signOut(out.access, out.refresh)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const refused = await claude.message(out.access, body)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
    expect((await claude.refresh(out.refresh)).status).toBe(401)
    expect(await statusOf(other.access)).toBe(200)
  })

  test('ends at once when its key is revoked; the next one gets a new key', async () => {
    const { access, refresh, keyId } = await approved()
    expect(await statusOf(access)).toBe(200)
    await callAs(node.origin, user, `/me/keys/${keyId}`, { method: 'DELETE' })
    expect(await statusOf(access)).toBe(401)
    expect((await claude.refresh(refresh)).body['error']).toBe('invalid_grant')
    expect((await approved()).keyId).not.toBe(keyId)
  })

  test('is subject to the limit, and to the suspension of the account', async () => {
    const other = await loginByDevice(node.origin, { email: newEmail() })
    const { accountId } = await newFunds(other)
    const { access, refresh, keyId } = await approved({ spend_limit_usd: '0' }, other)
    await node.storage.ledger.move(
      { accountId, keyId, kind: 'grant', amountPico: 10n ** 12n, reference: 'test:limit', reason: 'test' },
      Date.now(),
    )
    const limited = await claude.message(access, body)
    expect(limited.status).toBe(402)
    expect(await limited.json()).toMatchObject({ error: { type: 'billing_error' } })
    await node.admin(`/accounts/${accountId}`, { method: 'PATCH', body: { status: 'suspended' } })
    expect(await statusOf(access)).toBe(403)
    expect((await claude.refresh(refresh)).status).toBe(401)
  })

  test('has tokens that are no user tokens, and accepts no user tokens', async () => {
    const { access, refresh } = await approved()
    expect((await callAs(node.origin, { access_token: access }, '/me')).status).toBe(401)
    expect((await callAs(node.origin, { access_token: refresh }, '/me')).status).toBe(401)
    expect((await refreshUserToken(node.origin, refresh)).status).toBe(400)
    expect((await claude.refresh(user.refresh_token)).status).toBe(401)
    expect([await statusOf(refresh), await statusOf(user.access_token)]).toEqual([401, 401])
    const models = await fetch(`${node.origin}/v1/models`, { headers: { 'x-api-key': access } })
    expect(models.status).toBe(200)
  })

  const statusFrom = async (of: Tokens, path: string, address: string): Promise<number> => {
    const headers = { authorization: `Bearer ${of.access_token}`, 'x-forwarded-for': address }
    return (await fetch(`${node.origin}/api/v1${path}`, { headers })).status
  }

  test('counts wrong codes per account, however they are written', async () => {
    const other = await loginByDevice(node.origin, { email: newEmail() })
    const { body: codes } = await claude.begin()
    const answers: OAuthAnswer['status'][] = []
    for (let count = 0; count < 21; count++) {
      const path =
        count % 2 === 0 ? `${signIns}/bcdf-ghjk` : `${signIns}/BCDF%20GHJ${'KLMNP'.charAt(count % 5)}`
      answers.push(await statusFrom(other, path, '198.51.100.7'))
    }
    expect(answers).toEqual([...Array<number>(20).fill(404), 429])
    const right = `${signIns}/${String(codes['user_code'])}`
    expect(await statusFrom(other, right, '198.51.100.8')).toBe(429)
    expect([
      await statusFrom(user, right, '::ffff:198.51.100.7'),
      await statusFrom(user, right, '198.51.100.9'),
    ]).toEqual([429, 200])
  })
})
