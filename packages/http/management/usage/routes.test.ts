import { describe, expect, test } from 'vitest'
import { nowMs, requestRecord, suiteManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
const everything = '/api/v1/admin/usage'
const dayMs = 24 * 60 * 60 * 1000
const todayMs = Date.UTC(2026, 2, 10)

async function newAccount(): Promise<{ accountId: string; keyId: string }> {
  const { id: accountId } = (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } }))
    .json
  const key = await server.call('POST', `${accounts}/${accountId}/keys`, { body: { name: 'k' } })
  const body = { amount_usd: '5', kind: 'grant', reason: 'test' }
  await server.call('POST', `${accounts}/${accountId}/credits`, { body })
  return { accountId, keyId: key.json.id }
}

const server = await suiteManagementServer()
const mine = await newAccount()
const theirs = await newAccount()
const usage = `${accounts}/${mine.accountId}/usage`
const foreign = `${accounts}/${theirs.accountId}/usage`
const keyId = mine.keyId
const foreignKeyId = theirs.keyId
const records = {
  today: requestRecord({ ...mine, tags: ['team:a', 'env:prod'], startedAtMs: todayMs }),
  cut: requestRecord({
    ...mine,
    tags: ['team:a'],
    startedAtMs: todayMs - 1,
    endpoint: 'messages',
    outcome: 'client_closed',
    status: 499,
    stream: true,
    usage: { inputTokens: 7, outputTokens: 2, cacheWrite1hTokens: 1, estimated: true },
    tokensIn: 8,
    tokensOut: 2,
    chargePico: 1_000_000_000_001n,
    modelServed: 'sandbox/echo',
    provider: 'sandbox',
    tier: 'SIMPLE',
  }),
  failed: requestRecord({
    ...mine,
    tags: ['team:b'],
    startedAtMs: todayMs + 1,
    outcome: 'failed',
    status: 502,
    errorType: 'upstream_error',
    errorParam: 'messages[3].content',
    usage: null,
    tokensIn: 0,
    tokensOut: 0,
    chargePico: 0n,
    firstTokenMs: null,
    attempts: [
      { provider: 'openai', model: 'gpt-5-mini', status: 429, result: 'status-429', durationMs: 10 },
      {
        provider: 'backup',
        model: 'gpt-5-mini',
        status: null,
        result: 'connect-timeout',
        durationMs: 5000,
      },
    ],
    dropped: ['top_k'],
  }),
  old: requestRecord({ ...mine, startedAtMs: todayMs - 364 * dayMs }),
  older: requestRecord({ ...mine, startedAtMs: todayMs - 364 * dayMs - 1 }),
  theirs: requestRecord({ ...theirs, startedAtMs: nowMs }),
}
await server.write(...Object.values(records))

async function rows(path: string): Promise<(string | undefined)[]> {
  const { status, json } = await server.call('GET', path)
  expect(status).toBe(200)
  const names = new Map(Object.entries(records).map(([name, { id }]) => [id, name]))
  return json.data.map(({ id }) => names.get(id))
}

describe('the summary', () => {
  test.each([
    ['', 30, 2, 18, 7, '1.010000000001'],
    ['?days=1', 1, 1, 10, 5, '0.01'],
    ['?days=2', 2, 2, 18, 7, '1.010000000001'],
    ['?days=365', 365, 3, 28, 12, '1.020000000001'],
    ['?tag=team:a', 30, 2, 18, 7, '1.010000000001'],
    ['?tag=team:a&tag=env:prod', 30, 1, 10, 5, '0.01'],
    ['?tag=%20team:a%20&tag=team:a', 30, 2, 18, 7, '1.010000000001'],
    ['?tag=team:b', 30, 0, 0, 0, '0'],
    ['?model=sandbox/echo', 30, 1, 8, 2, '1.000000000001'],
    ['?model=nothing', 30, 0, 0, 0, '0'],
  ])('%s', async (query, days, requests, tokensIn, tokensOut, cost) => {
    const { status, json } = await server.call('GET', usage + query)
    expect(status).toBe(200)
    expect(json).toEqual({
      range_days: days,
      total_requests: requests,
      total_tokens_in: tokensIn,
      total_tokens_out: tokensOut,
      total_cost_usd: cost,
    })
  })

  test('of a key covers its requests; over all accounts, all requests', async () => {
    expect((await server.call('GET', `${usage}?key_id=${keyId}`)).json.total_requests).toBe(2)
    expect((await server.call('GET', everything)).json.total_requests).toBe(3)
    expect((await server.call('GET', `${everything}?key_id=${foreignKeyId}`)).json.total_requests).toBe(1)
  })

  test('includes what was metered a moment ago', async () => {
    server.told.length = 0
    await server.call('GET', usage)
    expect(server.told).toEqual(['flush'])
  })
})

describe('invalid queries', () => {
  const tooMany = Array.from({ length: 21 }, (_, number) => `tag=${number}`).join('&')
  test.each([
    ['', 'days=0', 'days', /a whole number from 1 to 365/],
    ['', 'days=366', 'days', /a whole number from 1 to 365/],
    ['', 'days=-1', 'days', /a whole number/],
    ['', 'days=1.5', 'days', /a whole number/],
    ['', 'days=x', 'days', /a whole number/],
    ['', 'days=', 'days', /a whole number/],
    ['', 'days=1e2', 'days', /a whole number/],
    ['', 'days=99999999999999999999', 'days', /a whole number/],
    ['', 'days=1&days=2', 'days', /a whole number/],
    ['', 'tag=', 'tag[0]', /a text of 1 to 64 characters/],
    ['', 'tag=%20', 'tag', /a text of 1 to 64 characters/],
    ['', `tag=a&tag=b&tag=c&tag=${'t'.repeat(65)}`, 'tag[3]', /a text of 1 to 64 characters/],
    ['', 'tag=a%00', 'tag[0]', /NUL/],
    ['', tooMany, 'tag', /a list of at most 20 entries/],
    ['', 'key_id=mine', 'key_id', /an identifier beginning with `key_`/],
    ['', `model=${'m'.repeat(10_240)}`, 'model', /1 to 256/],
    ['', 'since=2026-01-01', 'since', /Unknown parameter `since`; known are `days`, `from`/],
    ['/breakdown', '', 'by', /`by` is missing/],
    [
      '/breakdown',
      'by=colour',
      'by[0]',
      /expected "tag", "model", "key", "member", .* "endpoint" or "operation" or `tag:` and the key of/,
    ],
    ['/breakdown', 'by=tag:', 'by[0]', /`tag:team`/],
    ['/breakdown', 'by=tag:%20team', 'by[0]', /`tag:team`/],
    ['/breakdown', 'by=tag:team&by=tag:team', 'by', /two different/],
    ['/breakdown', 'by=tag&by=model&by=day', 'by', /a list of 1 to 2 entries/],
    ['/breakdown', 'by=tag&by=tag', 'by', /two different/],
    ['/breakdown', 'by=tag&days=0', 'days', /a whole number/],
    ['/breakdown', 'by=tag&limit=0', 'limit', /a whole number from 1 to 10000/],
    ['/breakdown', 'by=tag&limit=10001', 'limit', /a whole number from 1 to 10000/],
    ['/breakdown', 'by=tag&cursor=x', 'cursor', /expected a `next_cursor`/],
    ['/requests', 'endpoint=chat', 'endpoint', /expected "chat.completions", .* or "moderations"/],
    ['/export', 'format=csv&operation=chat', 'operation', /expected "generate", "embed"/],
    ['/requests', 'outcome=lost', 'outcome', /"completed", "client_closed"/],
    ['/requests', 'cursor=x', 'cursor', /expected a `next_cursor`/],
    ['/export', '', 'format', /`format` is missing: expected "csv" or "jsonl"/],
    ['/export', 'format=xlsx', 'format', /expected "csv" or "jsonl"/],
  ])('%s?%s is 400', async (path, query, param, message) => {
    for (const base of [usage, everything]) {
      const { status, json } = await server.call('GET', `${base}${path}?${query}`)
      expect([status, json.error.param]).toEqual([400, param])
      expect(json.error.message).toMatch(message)
    }
  })

  test.each(['', '/breakdown?by=tag', '/requests', '/export?format=csv'])(
    "%s of another account's key, or of an account that there is not, is 404",
    async (path) => {
      const joint = path.includes('?') ? '&' : '?'
      expect((await server.call('GET', `${usage}${path}${joint}key_id=${foreignKeyId}`)).status).toBe(404)
      expect((await server.call('GET', `${accounts}/acct_${'0'.repeat(26)}/usage${path}`)).status).toBe(404)
    },
  )
})

describe('the breakdown', () => {
  const row = (group: unknown, requests: number, tokensIn: number, tokensOut: number, cost: string) => ({
    group,
    total_requests: requests,
    total_tokens_in: tokensIn,
    total_tokens_out: tokensOut,
    total_cost_usd: cost,
  })
  const today = [1, 10, 5, '0.01'] as const
  const cut = [1, 8, 2, '1.000000000001'] as const
  const both = [2, 18, 7, '1.010000000001'] as const

  test.each([
    ['tag', ['tag'], [row('team:a', ...both), row('env:prod', ...today)]],
    ['model', ['model'], [row('sandbox/echo', ...cut), row('openai/gpt-5-mini', ...today)]],
    ['day', ['day'], [row('2026-03-09', ...cut), row('2026-03-10', ...today)]],
    ['hour', ['hour'], [row('2026-03-09T23:00Z', ...cut), row('2026-03-10T00:00Z', ...today)]],
    ['tag:team', ['tag:team'], [row('a', ...both)]],
    ['tag:env', ['tag:env'], [row(null, ...cut), row('prod', ...today)]],
    [
      'tag:env&by=model',
      ['tag:env', 'model'],
      [row([null, 'sandbox/echo'], ...cut), row(['prod', 'openai/gpt-5-mini'], ...today)],
    ],
    ['provider', ['provider'], [row('sandbox', ...cut), row('openai', ...today)]],
    ['endpoint', ['endpoint'], [row('messages', ...cut), row('chat.completions', ...today)]],
    ['operation', ['operation'], [row('generate', ...both)]],
    ['model&endpoint=messages', ['model'], [row('sandbox/echo', ...cut)]],
    ['model&operation=embed', ['model'], []],
    [
      'endpoint&by=tag&operation=generate',
      ['endpoint', 'tag'],
      [
        row(['messages', 'team:a'], ...cut),
        row(['chat.completions', 'env:prod'], ...today),
        row(['chat.completions', 'team:a'], ...today),
      ],
    ],
    [
      'tier',
      ['tier'],
      [row('SIMPLE', ...cut), row(null, ...today)].map((one) => ({ ...one, total_saved_usd: '0' })),
    ],
    [
      'day&by=tag',
      ['day', 'tag'],
      [
        row(['2026-03-09', 'team:a'], ...cut),
        row(['2026-03-10', 'env:prod'], ...today),
        row(['2026-03-10', 'team:a'], ...today),
      ],
    ],
  ])('by %s', async (query, by, data) => {
    const { status, json } = await server.call('GET', `${usage}/breakdown?by=${query}`)
    expect(status).toBe(200)
    const whole = { others: null, has_more: false, next_cursor: null }
    expect(json).toEqual({ object: 'list', range_days: 30, by, data, ...whole })
  })

  test('is paginated, most expensive first, each page with the sum of the rest', async () => {
    const path = `${usage}/breakdown?by=model&limit=1`
    const { json: first } = await server.call('GET', path)
    const { group: _none, ...others } = row(null, ...today)
    expect(first).toMatchObject({ data: [row('sandbox/echo', ...cut)], has_more: true, others })
    const { json: last } = await server.call('GET', `${path}&cursor=${first.next_cursor}`)
    expect(last).toMatchObject({ data: [row('openai/gpt-5-mini', ...today)], has_more: false, others: null })
  })

  test('includes savings in the sum of the rest and, for operators, margins', async () => {
    const { json } = await server.call('GET', `${everything}/breakdown?by=tier&by=model&limit=1`)
    expect(json.others).toMatchObject({ total_saved_usd: '0', total_requests: 2 })
    expect(json.others).toHaveProperty('total_margin_usd')
  })

  test('groups by key, filtered by tag', async () => {
    const { json } = await server.call('GET', `${usage}/breakdown?by=key&tag=env:prod&days=1`)
    expect(json.data).toEqual([row(keyId, ...today)])
    expect((await server.call('GET', `${everything}/breakdown?by=key`)).json.data).toHaveLength(2)
  })
})

describe('requests', () => {
  test.each([
    ['', ['failed', 'today', 'cut']],
    ['?days=365', ['failed', 'today', 'cut', 'old']],
    ['?outcome=failed', ['failed']],
    ['?tag=team:a', ['today', 'cut']],
    ['?model=sandbox/echo', ['cut']],
    ['?limit=1', ['failed']],
  ])('%s are, newest first, %j', async (query, expected) => {
    expect(await rows(`${usage}/requests${query}`)).toEqual(expected)
  })

  test('are paginated by cursor', async () => {
    const first = (await server.call('GET', `${usage}/requests?limit=2`)).json
    expect(first.has_more).toBe(true)
    expect(await rows(`${usage}/requests?limit=2&cursor=${first.next_cursor}`)).toEqual(['cut'])
    const elsewhere = await server.call('GET', `${foreign}/requests?cursor=${first.next_cursor}`)
    expect([elsewhere.status, elsewhere.json.error.param]).toEqual([400, 'cursor'])
  })

  test('of all accounts are listed', async () => {
    expect(await rows(`${everything}/requests`)).toEqual(['theirs', 'failed', 'today', 'cut'])
  })

  test('have every field of the contract', async () => {
    const [row] = (await server.call('GET', `${usage}/requests?limit=1`)).json.data
    expect(row).toEqual({
      id: records.failed.id,
      object: 'request',
      created_at: todayMs / 1000,
      account_id: records.failed.accountId,
      key_id: keyId,
      paid_by: null,
      endpoint: 'chat.completions',
      operation: 'generate',
      stream: false,
      tags: ['team:b'],
      model_asked: 'openai/gpt-5-mini',
      model_served: 'openai/gpt-5-mini',
      provider: 'openai',
      tier: null,
      attempts: [
        { provider: 'openai', model: 'gpt-5-mini', status: 429, result: 'status-429', duration_ms: 10 },
        {
          provider: 'backup',
          model: 'gpt-5-mini',
          status: null,
          result: 'connect-timeout',
          duration_ms: 5000,
        },
      ],
      dropped: ['top_k'],
      outcome: 'failed',
      status: 502,
      error_type: 'upstream_error',
      error_param: 'messages[3].content',
      tokens_in: 0,
      tokens_out: 0,
      cost_usd: '0',
      is_byok: false,
      own_cost_usd: null,
      latency_ms: 450,
      time_to_first_token_ms: null,
    })
  })

  test('show everything that their charge was computed from', async () => {
    const { status, json } = await server.call('GET', `${usage}/requests/${records.cut.id}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: records.cut.id,
      outcome: 'client_closed',
      usage: {
        input_tokens: 7,
        cache_read_tokens: null,
        cache_write_tokens: null,
        cache_write_1h_tokens: 1,
        input_audio_tokens: null,
        input_image_tokens: null,
        output_tokens: 2,
        reasoning_tokens: null,
        output_audio_tokens: null,
        estimated: true,
        disbelieved: null,
        raw: null,
      },
      price_version: 'test-1',
      pricing: { prompt: '0.0005', completion: '0.001' },
      markup: '1',
      hold_usd: '0.02',
      charge_usd: '1.000000000001',
      cost_usd: '1.000000000001',
    })
    const raw = (await server.call('GET', `${usage}/requests/${records.today.id}`)).json.usage?.raw
    expect(raw).toEqual({ prompt_tokens: 10, completion_tokens: 5 })
    expect((await server.call('GET', `${usage}/requests/${records.failed.id}`)).json.usage).toBeNull()
  })

  test('of another account are 404; an operator finds them without the account', async () => {
    const { id } = records.theirs
    for (const one of [id, `req_${'0'.repeat(26)}`, 'req_x', '%00']) {
      expect((await server.call('GET', `${usage}/requests/${one}`)).status).toBe(404)
    }
    expect((await server.call('GET', `${everything}/requests/${id}`)).json.id).toBe(id)
  })
})
