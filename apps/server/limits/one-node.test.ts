import { createConnection } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../../tests/conformance/sdk-node.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'

const messages = [{ role: 'user', content: 'one two three [sandbox: pace=0]' }]
const cheap = { pricing: { prompt: '0', completion: '0' } }
const claude = 'claude/sonnet'

const vendor = suiteVendor()
const node = suiteNode(() => ({
  providers: {
    sandbox: { style: 'sandbox' },
    vendor: { style: 'openai', base_url: vendor.baseUrl() },
    claude: { style: 'anthropic', base_url: vendor.baseUrl({}, ''), api_keys: ['k'] },
  },
  models: {
    'vendor/echo': cheap,
    'vendor/small': { ...cheap, limits: { requests_per_minute: 2 } },
    [claude]: cheap,
  },
  limits: {
    tiers: {
      free: { requests_per_minute: 50, input_tokens_per_minute: 20_000, output_tokens_per_minute: 9_000 },
      build: { lifetime_topup_usd: '20', requests_per_minute: 70 },
      house: { requests_per_minute: 90 },
    },
  },
}))

interface ErrorBody {
  error: { message: string; type: string; code: number; param: string | null }
}

async function ask(
  key: TestKey,
  body: object = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await node.chat(key, { model: 'sandbox/echo', messages, ...body })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const left = (headers: Headers, what: 'requests' | 'tokens') =>
  Number(headers.get(`x-ratelimit-remaining-${what}`))

/** On a machine that takes a second for ten requests, none is refused; then the test is repeated. */
const whereCallersKeepUp = { retry: 3 }

describe('the burst of a key', () => {
  test('is ten, and a caller beyond it is told how long to wait', whereCallersKeepUp, async () => {
    const key = await node.createKey()
    const startedMs = performance.now()
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask(key)))
    const elapsedSeconds = (performance.now() - startedMs) / 1_000
    const allowed = answers.filter(({ status }) => status === 200).length
    expect(allowed).toBeGreaterThanOrEqual(10)
    expect(allowed).toBeLessThanOrEqual(10 + 10 * elapsedSeconds)
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('50')
    const { error } = JSON.parse(refused.text) as ErrorBody
    expect(error).toMatchObject({ type: 'rate_limit_error', code: 429, param: null })
    expect(error.message).toContain('an API key may send 10 requests per second')
    const stranger = await node.createKey()
    expect((await ask(stranger)).status).toBe(200)
  })

  test('is checked before the body is read', async () => {
    const key = await node.createKey()
    // Each sends a head and the first byte of its body. The ten that are admitted wait for the rest.
    const { host, port } = new URL(node.origin)
    const sockets = Array.from({ length: 30 }, () => createConnection(Number(port)))
    for (const socket of sockets)
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
          `authorization: Bearer ${key.raw}\r\ncontent-length: 1000000\r\n\r\n{`,
      )
    const [head] = (await Promise.race(sockets.map((socket) => once(socket, 'data')))) as [Buffer]
    for (const socket of sockets) socket.destroy()
    expect(head.toString()).toMatch(/^HTTP\/1\.1 429 /)
  })

  test('counts every request of a key, also for lists of models', async () => {
    const key = await node.createKey()
    const listing = (): Promise<Response> =>
      fetch(`${node.baseUrl}/models`, { headers: { authorization: `Bearer ${key.raw}` } })
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await listing()).status))
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20)
  })

  test('is listed among the refusals, for as many requests as it admits', async () => {
    const key = await node.createKey()
    await Promise.all(Array.from({ length: 100 }, () => ask(key)))
    const { data } = await node.admin<{ data: { status: number; error_type: string }[] }>(
      `/accounts/${key.accountId}/usage/requests?limit=100`,
    )
    const refused = data.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(5)
    expect(refused.length).toBeLessThan(50)
    expect(refused[0]).toMatchObject({ error_type: 'rate_limit_error' })
  })
})

describe('the limits of an account', () => {
  test('are in the headers of every response, instead of the upstream’s', async () => {
    const key = await node.createKey()
    const plain = await ask(key, { model: 'vendor/echo', max_completion_tokens: 100 })
    expect(plain.status).toBe(200)
    expect(Object.fromEntries([...plain.headers].filter(([name]) => name.startsWith('x-ratelimit')))).toEqual(
      {
        'x-ratelimit-limit-requests': '50',
        'x-ratelimit-remaining-requests': '49',
        'x-ratelimit-reset-requests': expect.stringMatching(/^(1s|1\.\d+s|\d+ms)$/),
        'x-ratelimit-limit-tokens': expect.stringMatching(/^(20000|9000)$/),
        'x-ratelimit-remaining-tokens': expect.stringMatching(/^\d+$/),
        'x-ratelimit-reset-tokens': expect.stringMatching(/^\d+(\.\d+)?m?s$/),
      },
    )
    const stream = await ask(key, { model: 'vendor/echo', stream: true })
    const missing = await ask(key, { model: 'vendor/none' })
    const bad = await ask(key, { temperature: 'hot' })
    expect([stream.status, missing.status, bad.status]).toEqual([200, 404, 400])
    for (const { headers } of [stream, missing, bad]) {
      expect(headers.get('x-ratelimit-limit-requests')).toBe('50')
      expect(left(headers, 'requests')).toBeGreaterThanOrEqual(47)
    }
  })

  test('count all keys of the account, and count a model separately if it has its own limits', async () => {
    const key = await node.createKey()
    const second = await node.createKey({ accountId: key.accountId })
    const small = { model: 'vendor/small' }
    expect((await ask(key, small)).status).toBe(200)
    expect((await ask(second, small)).status).toBe(200)
    const refused = await ask(second, small)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect((JSON.parse(refused.text) as ErrorBody).error.message).toContain(
      'an account of tier "free" may use 2 requests per minute for the model "vendor/small"',
    )
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const general = await ask(key, { model: 'vendor/echo' })
    expect([general.status, left(general.headers, 'requests')]).toEqual([200, 49])
    expect((await ask(await node.createKey(), small)).status).toBe(200)
  })

  test('follow the real usage: tokens read from a cache are no input at Anthropic', async () => {
    const key = await node.createKey()
    const text = 'word '.repeat(8_000)
    const body = { model: claude, messages: [{ role: 'user', content: text }], max_completion_tokens: 10 }
    const answer = (usage: object): void =>
      vendor.next({
        script: scripted(200, {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'sonnet',
          content: [{ type: 'text', text: 'Yes.' }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage,
        }),
      })
    answer({
      input_tokens: 50,
      cache_read_input_tokens: 13_000,
      cache_creation_input_tokens: 0,
      output_tokens: 3,
    })
    const cached = await ask(key, body)
    expect(cached.status).toBe(200)
    expect(left(cached.headers, 'tokens')).toBeGreaterThan(8_900)
    answer({ input_tokens: 12_000, output_tokens: 3 })
    const fresh = await ask(key, body)
    expect(fresh.headers.get('x-ratelimit-limit-tokens')).toBe('20000')
    expect(left(fresh.headers, 'tokens')).toBeLessThan(8_500)
    const refused = await ask(key, body)
    expect((JSON.parse(refused.text) as ErrorBody).error.message).toContain('20000 input tokens per minute')
    vendor.director.forgetPlans()
  })

  test('take no tokens for a request that no model served', async () => {
    const key = await node.createKey()
    for (let count = 0; count < 4; count++) {
      vendor.next({ script: scripted(400, { error: { message: 'no', type: 'invalid_request_error' } }) })
      const body = { model: 'vendor/echo', messages: [{ role: 'user', content: 'word '.repeat(6_000) }] }
      const { status, headers } = await ask(key, body)
      expect([status, left(headers, 'requests')]).toEqual([400, expect.any(Number)])
      expect(left(headers, 'tokens')).toBe(Number(headers.get('x-ratelimit-limit-tokens')))
    }
  })
})

describe('tiers', () => {
  const limitsOf = async (key: TestKey): Promise<unknown> => {
    const response = await fetch(`${node.baseUrl}/models/sandbox%2Fecho`, {
      headers: { authorization: `Bearer ${key.raw}` },
    })
    return ((await response.json()) as { limits: unknown }).limits
  }
  const tierOf = async (key: TestKey): Promise<string> =>
    (await node.admin<{ tier: string }>(`/accounts/${key.accountId}`)).tier

  /** Pays as a person does on the sandbox's page. */
  async function pay(url: string): Promise<void> {
    const page = await fetch(url)
    const token = /name="token" value="([^"]+)"/.exec(await page.text())![1]!
    const paid = await fetch(url, {
      method: 'POST',
      headers: { cookie: page.headers.get('set-cookie')!.split(';')[0]! },
      body: new URLSearchParams({ token, decision: 'pay' }),
      redirect: 'manual',
    })
    expect(paid.status).toBe(303)
  }

  test('show in the list of models', async () => {
    const key = await node.createKey()
    expect(await limitsOf(key)).toEqual({
      requests_per_minute: 50,
      input_tokens_per_minute: 20_000,
      output_tokens_per_minute: 9_000,
    })
  })

  test('rise with top-ups, at once', async () => {
    const key = await node.createKey()
    expect((await ask(key)).headers.get('x-ratelimit-limit-requests')).toBe('50')
    const { checkout_url: url } = await node.admin<{ checkout_url: string }>(
      `/accounts/${key.accountId}/topup`,
      { method: 'POST', body: { amount_usd: '20' } },
    )
    expect(await tierOf(key)).toBe('free')
    await pay(url.replace(/^https?:\/\/[^/]+/, node.origin))
    expect(await tierOf(key)).toBe('build')
    expect((await ask(key)).headers.get('x-ratelimit-limit-requests')).toBe('70')
    expect(await limitsOf(key)).toEqual({
      requests_per_minute: 70,
      input_tokens_per_minute: null,
      output_tokens_per_minute: null,
    })
  })

  test('are set by operators, by name', async () => {
    const key = await node.createKey()
    await ask(key)
    const give = (tier: string): Promise<unknown> =>
      node.admin(`/accounts/${key.accountId}`, { method: 'PATCH', body: { tier } })
    await give('house')
    expect(await tierOf(key)).toBe('house')
    expect((await ask(key)).headers.get('x-ratelimit-limit-requests')).toBe('90')
    await expect(give('hause')).rejects.toThrow(/400.*expected one of free, build, house/)
    expect(await tierOf(key)).toBe('house')
  })
})

test('metrics count the refusals of each limit', async () => {
  const text = await (await node.metrics()).text()
  expect(text).toMatch(/^turnpike_limit_refusals_total\{limit="burst"\} [1-9]/m)
  expect(text).toMatch(/^turnpike_limit_refusals_total\{limit="requests"\} [1-9]/m)
  expect(text).not.toContain('turnpike_limits_shared')
})
