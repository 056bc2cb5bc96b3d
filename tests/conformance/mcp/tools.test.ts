import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callAs } from '../../../apps/server/identity/testing/device-login.ts'
import { callTool, rpc, send } from './raw-client.ts'
import { everyScope, keyOf, signedInAgent, type SignedInAgent } from './signed-in-agent.ts'
import { suiteNode } from '../../nodes/suite.ts'

/** What the tools do, for which account, and with which scope. */

const scopesOf: Record<string, string[]> = {
  list_models: ['usage:read', 'chat'],
  chat: ['chat'],
  route: ['usage:read', 'chat'],
  balance: ['usage:read'],
  usage: ['usage:read'],
  health: ['usage:read'],
  list_budgets: ['usage:read'],
  create_budget: ['budgets:write'],
  update_budget: ['budgets:write'],
  delete_budget: ['budgets:write'],
  list_alerts: ['alerts:read'],
  list_events: ['alerts:read'],
  list_deliveries: ['alerts:read'],
  delivery: ['alerts:read'],
  list_keys: ['usage:read', 'keys:write'],
  create_key: ['keys:write'],
  top_up: ['topup:write'],
  top_up_status: ['topup:write', 'usage:read'],
}

const node = suiteNode({ server: { port: 0 } })

async function namesFor(token: string): Promise<string[]> {
  const { json } = await send(node, { token, body: rpc('tools/list') })
  return (json.result!.tools as { name: string }[]).map(({ name }) => name)
}

describe.each(everyScope)('with %s alone', (scope) => {
  let agent: SignedInAgent
  beforeAll(async () => {
    agent = await signedInAgent(node, [scope])
  })

  test('lists the tools that need no other scope', async () => {
    const expected = Object.keys(scopesOf).filter((name) => scopesOf[name]!.includes(scope))
    expect(await namesFor(agent.token)).toEqual(expected)
  })

  test('refuses other tools with 403, and the scope to ask for', async () => {
    const others = Object.keys(scopesOf).filter((name) => !scopesOf[name]!.includes(scope))
    for (const name of others) {
      const body = rpc('tools/call', { name, arguments: {} })
      for (const headers of [{}, { 'mcp-protocol-version': '2025-06-18' }]) {
        const answer = await send(node, { token: agent.token, body, headers })
        expect([name, answer.status], answer.text).toEqual([name, 403])
        const challenge = answer.headers.get('www-authenticate')!
        expect(challenge).toContain('error="insufficient_scope"')
        expect(challenge).toContain(`scope="${scopesOf[name]![0]}"`)
        expect(challenge).toContain('resource_metadata=')
        expect(answer.json).toMatchObject({ id: 1, error: { code: -32_000 } })
      }
    }
  })

  test('does not execute a call whose tool name is hidden from the scope check', async () => {
    const [hidden] = Object.keys(scopesOf).filter((name) => !scopesOf[name]!.includes(scope))
    const asked = JSON.stringify(rpc('tools/call', { arguments: {} }))
    const params = `"params":{"__proto__":{"name":"${hidden}"},`
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': hidden! }
    const body = asked.replace('"params":{', params)
    const answer = await send(node, { token: agent.token, body, headers })
    expect(answer.json.result, answer.text).toBeUndefined()
    expect(answer.status).toBeLessThan(500)
  })
})

describe('an agent with all scopes', () => {
  let agent: SignedInAgent
  beforeEach(async () => {
    agent = await signedInAgent(node, everyScope, { name: 'Claude Code' })
  })
  const call = (name: string, input: object = {}) => callTool(node, agent.token, name, input)

  test('creates a key, which is shown once', async () => {
    const made = await call('create_key', {
      name: 'agent',
      expires: '30d',
      spend_limit_usd: '2.50',
      spend_limit_period: 'month',
    })
    const { raw, id } = made.structuredContent as { raw: string; id: string }
    expect(raw).toMatch(/^sk-turnpike-[0-9A-Za-z]{38}$/)
    expect(made.structuredContent).toMatchObject({ spend_limit_usd: '2.5', spend_limit_period: 'month' })
    expect(made._meta).toMatchObject({ 'turnpike/cost_usd': '0' })
    const listed = await call('list_keys')
    expect(listed.structuredContent).toMatchObject({ keys: [{ id, name: 'agent' }] })
    expect(JSON.stringify(listed)).not.toContain(raw)
    const response = await fetch(`${node.baseUrl}/models`, { headers: { authorization: `Bearer ${raw}` } })
    expect(response.status).toBe(200)

    const { data } = await node.admin<{ data: Record<string, unknown>[] }>(
      `/audit?account_id=${agent.accountId}`,
    )
    expect(data).toMatchObject([
      {
        actor: 'user',
        action: 'createKey',
        target: id,
        details: { name: 'agent', via: 'mcp:Claude Code' },
        address: '127.0.0.1',
      },
    ])
  })

  test('begins a top-up without paying', async () => {
    const made = await call('top_up', { amount_usd: '25' })
    const { session_id: id, checkout_url: url } = made.structuredContent as Record<string, string>
    expect(made.content[0]!.text).toContain(url)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
    expect((await call('top_up_status', { session_id: id })).structuredContent).toMatchObject({
      status: 'open',
      amount_usd: '25',
    })
    expect((await call('balance')).structuredContent).toMatchObject({
      balance_usd: '0',
      unassigned_usd: '0',
    })
  })

  test('creates a budget, changes it and ends it, and the audit log records that', async () => {
    await keyOf(node, agent)
    const made = await call('create_budget', {
      name: 'agents',
      scope: 'tag',
      subject: 'mcp:Claude Code',
      period: 'month',
      limit_usd: '0',
    })
    expect(made.structuredContent, JSON.stringify(made)).toMatchObject({ hard: true, left_usd: '0' })
    const { id } = made.structuredContent as { id: string }
    expect((await call('list_budgets')).structuredContent).toMatchObject({ budgets: [{ id }] })
    const prompt = { prompt: 'Hi', model: 'sandbox/echo' }
    expect((await call('chat', prompt)).content[0]!.text).toContain('agents')
    const raised = await call('update_budget', { budget_id: id, limit_usd: '2', notify: [90] })
    expect(raised.structuredContent).toMatchObject({ name: 'agents', limit_usd: '2', notify: [90] })
    expect((await call('update_budget', { budget_id: id })).content[0]!.text).toMatch(
      /Expected at least one of/,
    )
    expect((await call('delete_budget', { budget_id: id })).structuredContent).toMatchObject({ id })
    expect((await call('delete_budget', { budget_id: id })).isError).toBe(true)
    expect((await call('list_budgets')).structuredContent).toMatchObject({ budgets: [] })
    const { data } = await node.admin<{ data: { action: string }[] }>(
      `/audit?account_id=${agent.accountId}&target=${id}&refused=false`,
    )
    const via = { via: 'mcp:Claude Code' }
    expect(data).toMatchObject(
      ['deleteBudget', 'updateBudget', 'createBudget'].map((action) => ({ action, details: via })),
    )
  })

  test("reads alerts, events and deliveries, without the receivers' responses", async () => {
    const { alerts } = (await call('list_alerts')).structuredContent as { alerts: { kind: string }[] }
    expect(alerts.map(({ kind }) => kind)).toEqual(['balance', 'runway', 'unusual_spend', 'key_expiry'])
    const occurredAtMs = Date.now()
    const { events } = node.storage
    const data = { balance_usd: '1' }
    await events.raise({
      type: 'balance.low',
      accountId: agent.accountId,
      dedupeKey: null,
      occurredAtMs,
      data,
    })
    const listedEvents = await call('list_events', { type: 'balance.low' })
    expect(listedEvents.structuredContent).toMatchObject({ events: [{ type: 'balance.low', data }] })
    expect((await call('list_events', { type: 'ledger.difference' })).structuredContent).toMatchObject({
      events: [],
    })
    expect((await call('list_deliveries', { status: 'pending' })).structuredContent).toMatchObject({
      deliveries: expect.any(Array) as unknown[],
    })
  })

  test('gets helpful error messages', async () => {
    const failures: [string, object, RegExp][] = [
      ['create_key', {}, /name/],
      ['create_key', { name: 'x', expires: 'soon' }, /expires.*30d/],
      ['create_key', { name: 'x', spend_limit_usd: '-1' }, /spend_limit_usd/],
      ['create_key', { name: 'x', cache: true }, /cache/],
      ['top_up', { amount_usd: '1' }, /from 5 to 10000 USD/],
      ['top_up', { amount_usd: '25', key_id: `key_${'0'.repeat(26)}` }, /Key not found/],
      ['top_up_status', { session_id: '..' }, /session_id/],
      ['top_up_status', { session_id: `top_${'0'.repeat(26)}` }, /Top-up session not found/],
      ['usage', { days: 900 }, /days/],
      ['create_budget', { name: 'x', scope: 'tag', period: 'day', limit_usd: '1' }, /subject/],
      ['create_budget', { name: 'x', scope: 'all', period: 'day', limit_usd: '1' }, /scope/],
      ['update_budget', { budget_id: `bud_${'0'.repeat(26)}`, hard: false }, /Budget not found/],
      ['list_events', { type: 'nothing' }, /type/],
      ['list_deliveries', { event_id: `evt_${'0'.repeat(26)}` }, /Event not found/],
      ['delivery', { delivery_id: '../me' }, /delivery_id/],
      ['delivery', { delivery_id: `dlv_${'0'.repeat(26)}` }, /Delivery not found/],
      ['list_keys', { cursor: 'nonsense' }, /cursor/],
      ['chat', {}, /prompt.*messages/],
      ['chat', { prompt: 'Hi', max_token: 5 }, /max_token/],
      ['chat', { prompt: 'Hi', model: 'sandbox/echo' }, /no active API key.*create_key/],
    ]
    for (const [name, input, message] of failures) {
      const answer = await call(name, input)
      expect([name, input, answer.isError]).toEqual([name, input, true])
      expect(answer.content[0]!.text).toMatch(message)
    }
    await keyOf(node, agent, '0')
    const unpaid = await call('chat', { prompt: 'Hi', model: 'sandbox/echo' })
    expect(unpaid.content[0]!.text).toMatch(/credit[^]*top_up/)
    expect(unpaid._meta).toMatchObject({
      'turnpike/failure': {
        error: { type: 'insufficient_quota', code: 402, request_id: expect.any(String) },
      },
    })
    const wrong = await call('chat', { prompt: 'Hi', model: 'nobody/nothing' })
    expect(wrong).toMatchObject({ isError: true })
  })

  test('calls models with the account’s default key, whose limits apply', async () => {
    const first = await node.createKey({
      accountId: agent.accountId,
      creditUsd: '5',
      allowedModels: ['sandbox/echo'],
    })
    await keyOf(node, agent)
    const answer = await call('chat', { prompt: 'Hi', model: 'sandbox/echo', tags: ['a', ' a ', 'b'] })
    const { request_id: id } = answer.structuredContent as { request_id: string }
    const row = await node.admin<Record<string, unknown>>(`/accounts/${agent.accountId}/usage/requests/${id}`)
    expect(row).toMatchObject({
      key_id: first.id,
      tags: ['a', 'b', 'mcp:Claude Code'],
      endpoint: 'chat.completions',
      cost_usd: (answer.structuredContent as { cost_usd: string }).cost_usd,
    })
    const refused = await call('chat', { prompt: 'Hi', model: 'sandbox/lorem' })
    expect(refused).toMatchObject({ isError: true })
    expect(refused.content[0]!.text).toContain('sandbox/lorem')
  })

  test('is named in the tags of its requests, however many other tags they have', async () => {
    await keyOf(node, agent)
    const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    const ask = (some: string[]) => call('chat', { prompt: 'Hi', model: 'sandbox/echo', tags: some })
    const refused = await ask(tags)
    expect(refused).toMatchObject({ isError: true })
    expect(refused.content[0]!.text).toBe('`tags`: expected at most 19, got 20.')
    expect((await ask(tags.slice(1))).isError).toBeUndefined()
    const used = await call('usage', { by: ['tag'], tag: ['mcp:Claude Code'] })
    expect(used.structuredContent).toMatchObject({ total_requests: 1 })
  })

  test('reaches nothing of another account', async () => {
    const neighbour = await signedInAgent(node)
    const key = await keyOf(node, neighbour)
    const topUp = await callTool(node, neighbour.token, 'top_up', { amount_usd: '25' })
    const { session_id: session } = topUp.structuredContent
    for (const [name, input] of [
      ['top_up', { amount_usd: '25', key_id: key.id }],
      ['top_up_status', { session_id: session }],
      ['usage', { key_id: key.id, by: ['key'] }],
      ['health', { key_id: key.id, by: 'model' }],
    ] as const) {
      const answer = await call(name, input)
      const text = JSON.stringify(answer)
      expect(answer.isError === true || /"total_requests":0/.test(text), text).toBe(true)
      expect(text).not.toContain(neighbour.accountId)
    }
    expect((await call('list_keys')).structuredContent).toMatchObject({ keys: [] })
  })
})

test('an outsider cannot forge an internal ticket', async () => {
  const answer = await fetch(`${node.origin}/api/v1/me`, {
    headers: { 'x-turnpike-inner-ticket': 'A'.repeat(43) },
  })
  expect(answer.status).toBe(401)
  const agent = await signedInAgent(node)
  expect((await callAs(node.origin, { access_token: agent.token }, '/me')).status).toBe(401)
})

test('a client that leaves ends its call', async () => {
  const agent = await signedInAgent(node)
  await keyOf(node, agent)
  const body = rpc('tools/call', {
    name: 'chat',
    arguments: { prompt: 'Hello [sandbox: delay=60s]', model: 'sandbox/echo' },
  })
  const leaving = new AbortController()
  const asked = send(node, { token: agent.token, body, signal: leaving.signal })
  setTimeout(() => leaving.abort(), 300)
  await expect(asked).rejects.toThrow()
  const rows = `/accounts/${agent.accountId}/usage/requests?outcome=client_closed`
  const left = async (): Promise<number> => (await node.admin<{ data: object[] }>(rows)).data.length
  await expect.poll(left, { timeout: 30_000 }).toBe(1)
})
