import { permissions } from '@turnpike/identity'
import { describe, expect, test } from 'vitest'
import { nowMs, suiteManagementServer } from '../testing/management-server.ts'

const me = '/api/v1/me'

const server = await suiteManagementServer({ identityProvider: 'logto' })

describe("the user's own account", () => {
  test('is created with the first token, and stays the same with the next one', async () => {
    const first = await server.call('GET', me, { as: 'ada' })
    expect(first.status).toBe(200)
    expect(first.json).toEqual({
      id: expect.stringMatching(/^acct_/),
      kind: 'person',
      role: 'owner',
      member_id: null,
      permissions: [...permissions],
      display_name: null,
      email: null,
      email_verified: false,
      logto_sub: 'ada',
      balance_usd: '0',
      unassigned_usd: '0',
      status: 'active',
      tier: 'free',
      baseline_model: null,
      log_prompts: false,
      log_days: null,
      keys_may_top_up: true,
      operator: false,
      playground_key_id: null,
      created_at: nowMs / 1000,
    })
    expect((await server.call('GET', me, { as: 'ada' })).json).toEqual(first.json)
    expect((await server.call('GET', me, { as: 'grace' })).json.id).not.toBe(first.json.id)
  })

  test('accepts a new name, and no other change', async () => {
    const changed = await server.call('PATCH', me, { as: 'ada', body: { display_name: 'Ada Lovelace' } })
    expect([changed.status, changed.json['display_name']]).toEqual([200, 'Ada Lovelace'])
    expect((await server.call('PATCH', me, { as: 'ada', body: {} })).json).toEqual(changed.json)
    expect((await server.call('GET', me, { as: 'ada' })).json).toEqual(changed.json)
  })

  test.each<[Record<string, unknown>, string]>([
    [{ display_name: '' }, 'display_name'],
    [{ display_name: null }, 'display_name'],
    [{ display_name: 'n'.repeat(10_000) }, 'display_name'],
    [{ display_name: 'a\0b' }, 'display_name'],
    [{ status: 'active' }, 'status'],
    [{ tier: 'gold' }, 'tier'],
    [{ email: 'ada@example.com' }, 'email'],
    [{ balance_usd: '5' }, 'balance_usd'],
  ])('refuses %j', async (body, param) => {
    const answer = await server.call('PATCH', me, { as: 'ada', body })
    expect([answer.status, answer.json.error.param]).toEqual([400, param])
  })

  test.each(['suspended', 'closed'] as const)('is 403 on every path once it is %s', async (status) => {
    const { id } = (await server.call('GET', me, { as: status })).json
    await server.call('PATCH', `/api/v1/admin/accounts/${id}`, { body: { status } })
    for (const [method, path] of [
      ['GET', me],
      ['PATCH', me],
      ['GET', '/api/v1/balance'],
    ] as const) {
      const answer = await server.call(method, path, { as: status, ...(method === 'PATCH' && { body: {} }) })
      expect([answer.status, answer.json.error.type]).toEqual([403, 'permission_error'])
    }
  })
})

test('the balance is the sum of the keys’ credit and the unassigned credit', async () => {
  const { id } = (await server.call('GET', me, { as: 'rich' })).json
  const credit = { amount_usd: '12.5', kind: 'grant', reason: 'test' }
  await server.call('POST', `/api/v1/admin/accounts/${id}/credits`, { body: credit })
  const before = await server.call('GET', '/api/v1/balance', { as: 'rich' })
  expect(before.json).toEqual({ balance_usd: '0', currency: 'USD', unassigned_usd: '12.5' })
  await server.call('POST', '/api/v1/me/keys', { as: 'rich', body: { name: 'k' } })
  const after = await server.call('GET', '/api/v1/balance', { as: 'rich' })
  expect(after.json).toEqual({ balance_usd: '12.5', currency: 'USD', unassigned_usd: '0' })
})
