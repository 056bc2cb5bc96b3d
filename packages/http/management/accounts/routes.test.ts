import { describe, expect, test } from 'vitest'
import { nowMs, startManagementServer, suiteManagementServer } from '../testing/management-server.ts'

const path = '/api/v1/admin/accounts'

const server = await suiteManagementServer()

describe('provisioning', () => {
  test('by subject is 201 with the record, then 200 with the same record', async () => {
    const body = { oidc_sub: 'user-1', email: 'one@example.com', display_name: 'One', tier: 'gold' }
    const first = await server.call('POST', path, { body })
    expect(first.status).toBe(201)
    expect(first.json).toEqual({
      kind: 'person',
      id: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
      display_name: 'One',
      email: 'one@example.com',
      email_verified: true,
      oidc_sub: 'user-1',
      balance_usd: '0',
      unassigned_usd: '0',
      status: 'active',
      tier: 'gold',
      baseline_model: null,
      log_prompts: false,
      keys_may_top_up: true,
      log_days: null,
      operator: false,
      playground_key_id: null,
      created_at: nowMs / 1000,
    })
    const again = await server.call('POST', path, { body: { oidc_sub: 'user-1' } })
    expect([again.status, again.json]).toEqual([200, first.json])
  })

  test('works by email alone; a subject that comes later takes the account over', async () => {
    const first = await server.call('POST', path, { body: { email: 'two@example.com' } })
    expect([first.status, first.json.oidc_sub, first.json.tier]).toEqual([201, null, 'free'])
    const later = await server.call('POST', path, { body: { email: 'two@example.com', oidc_sub: 'user-2' } })
    expect([later.status, later.json.id, later.json.oidc_sub]).toEqual([200, first.json.id, 'user-2'])
  })

  test("names the subject's field after the configured provider", async () => {
    const logto = await startManagementServer({ identityProvider: 'logto', defaultTier: 'trial' })
    const made = await logto.call('POST', path, { body: { logto_sub: 'x' } })
    expect([made.status, made.json.logto_sub, made.json.tier]).toEqual([201, 'x', 'trial'])
    const refused = await logto.call('POST', path, { body: { oidc_sub: 'x' } })
    expect([refused.status, refused.json.error.param]).toEqual([400, 'oidc_sub'])
    await logto.close()
  })

  test.each([
    ['nobody', {}, 'oidc_sub', /One of `oidc_sub` and `email` is needed/],
    ['an empty subject', { oidc_sub: '' }, 'oidc_sub', /a text of 1 to 255 characters/],
    ['a number for a subject', { oidc_sub: 7 }, 'oidc_sub', /a text/],
    ['null for an email', { email: null }, 'email', /an email address/],
    ['an email without @', { email: 'example.com' }, 'email', /an email address/],
    ['an email with a line end', { email: 'a@b\r\nc' }, 'email', /an email address/],
    [
      'a name of 10 kB',
      { email: 'a@b.c', display_name: 'n'.repeat(10_000) },
      'display_name',
      /1 to 100 characters/,
    ],
    ['a name with NUL', { email: 'a@b.c', display_name: 'a\0b' }, 'display_name', /NUL/],
    ['half a surrogate pair', { email: 'a@b.c', display_name: 'a\ud800' }, 'display_name', /surrogate/],
    ['a tier with spaces', { email: 'a@b.c', tier: 'very good' }, 'tier', /the name of a tier/],
    [
      'a field that is not taken',
      { email: 'a@b.c', balance_usd: '5' },
      'balance_usd',
      /Unknown field `balance_usd`/,
    ],
  ])('refuses %s', async (_, body, param, message) => {
    const answer = await server.call('POST', path, { body })
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
    expect(answer.json.error.message).toMatch(message)
  })

  test('counts a name in code points, not UTF-16 units', async () => {
    const body = { email: 'emoji@example.com', display_name: '🙂'.repeat(100) }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    const longer = await server.call('POST', path, { body: { ...body, display_name: '🙂'.repeat(101) } })
    expect(longer.status).toBe(400)
  })

  test('shows only the beginning of a very long field name', async () => {
    const answer = await server.call('POST', path, { body: { [`x${'y'.repeat(10_000)}\0`]: 1 } })
    expect(answer.status).toBe(400)
    expect(answer.json.error.param).toHaveLength(65)
  })
})

describe('one account', () => {
  test('is read and changed, and the request path is notified', async () => {
    const { id } = (await server.call('POST', path, { body: { email: 'three@example.com' } })).json
    const read = await server.call('GET', `${path}/${id}`)
    expect([read.status, read.json.status]).toEqual([200, 'active'])
    const body = { status: 'suspended', tier: 'gold', display_name: 'Three' }
    const changed = await server.call('PATCH', `${path}/${id}`, { body })
    expect([changed.status, changed.json]).toEqual([200, { ...read.json, ...body }])
    expect(server.told.at(-1)).toBe(`changed ${id}`)
    expect((await server.call('PATCH', `${path}/${id}`, { body: {} })).json).toEqual(changed.json)
    expect((await server.call('GET', `${path}/${id}`)).json).toEqual(changed.json)
  })

  test.each([
    ['status', { status: 'deleted' }, /`status`: expected "active", "suspended" or "closed"/],
    ['status', { status: null }, /expected "active"/],
    [
      'email',
      { email: 'new@example.com' },
      /Unknown field `email`; known are `display_name`, `status`, `tier`/,
    ],
    ['display_name', { display_name: '' }, /1 to 100 characters/],
  ])('refuses a change of %s to %j', async (param, body, message) => {
    const { id } = (await server.call('POST', path, { body: { email: 'four@example.com' } })).json
    const answer = await server.call('PATCH', `${path}/${id}`, { body })
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
    expect(answer.json.error.message).toMatch(message)
  })

  test('is 404 if it does not exist', async () => {
    const unknown = `${path}/acct_${'0'.repeat(26)}`
    expect((await server.call('GET', unknown)).status).toBe(404)
    expect((await server.call('PATCH', unknown, { body: { tier: 'gold' } })).status).toBe(404)
  })
})

describe('the list', () => {
  test('returns each account once, oldest first, page by page', async () => {
    const one = await startManagementServer()
    const made: string[] = []
    for (let number = 0; number < 7; number++) {
      one.clock.nowMs += 1000
      made.push((await one.call('POST', path, { body: { oidc_sub: `s${number}` } })).json.id)
    }
    const seen: string[] = []
    let query = '?limit=3'
    for (let pages = 0; pages < 3; pages++) {
      const { status, json } = await one.call('GET', path + query)
      expect([status, json.object, json.has_more]).toEqual([200, 'list', pages < 2])
      for (const account of json.data) seen.push(account.id)
      query = `?limit=3&cursor=${json.next_cursor}`
      if (pages === 2) expect(json.next_cursor).toBeNull()
    }
    expect(seen).toEqual(made)
    await one.close()
  })

  test.each([
    ['limit=0', 'limit', /a whole number from 1 to 200/],
    ['limit=201', 'limit', /a whole number from 1 to 200/],
    ['limit=ten', 'limit', /a whole number/],
    ['limit=1.5', 'limit', /a whole number/],
    ['limit=1&limit=2', 'limit', /a whole number/],
    ['cursor=nonsense', 'cursor', /expected a `next_cursor`/],
    ['cursor=', 'cursor', /the `next_cursor` of this list/],
    ['colour=red', 'colour', /Unknown parameter `colour`; known are `search`, .*`limit`, `cursor`/],
  ])('refuses ?%s', async (query, param, message) => {
    const answer = await server.call('GET', `${path}?${query}`)
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
    expect(answer.json.error.message).toMatch(message)
  })
})
