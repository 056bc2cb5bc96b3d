import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'
import { costOf, hello, startFaultNode, textOf, type FaultNode } from './fault-node.ts'
import { beforeHead, openaiError, refusal, type Misbehaviour } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

const price = { prompt: '0.000003', completion: '0.000007' }
const cheap = { prompt: '0.000001', completion: '0.000002' }
const tooLong = "This model's maximum context length is 8192 tokens. However, you requested 9000."

/** Accepts only the second of the keys. */
const secondKeyOnly: Misbehaviour = (answer, request) =>
  request.headers['authorization'] === 'Bearer second'
    ? answer()
    : openaiError(401, 'invalid_api_key')(answer, request)

const patience = { timeout: 15_000, interval: 20 }

const misbehaviours = new Map<string, Misbehaviour>([
  ['down', openaiError(500, null)],
  ['hang', beforeHead('hang')],
  ['mistake', openaiError(400, null, 'temperature must be at most 2')],
  ['short', openaiError(400, 'context_length_exceeded', tooLong)],
  ['keys', secondKeyOnly],
  ['limited', refusal(429, { error: { message: 'Slow down.' } }, { 'retry-after': '9' })],
  ['limited longer', refusal(429, { error: { message: 'Slow down.' } }, { 'retry-after': '30' })],
])

function providersAt(urlOf: (name: string) => string): NonNullable<ConfigurationInput['providers']> {
  const openai = (name: string) => ({ style: 'openai' as const, base_url: urlOf(name) })
  const timeouts = { first_byte_seconds: 0.6, idle_seconds: 0.6, total_seconds: 1 }
  return {
    good: openai('good'),
    down: openai('down'),
    mistake: openai('mistake'),
    short: openai('short'),
    limited: openai('limited'),
    'limited-longer': openai('limited longer'),
    keys: { ...openai('keys'), api_keys: ['first', 'second'] },
    hang: { ...openai('hang'), upstream: timeouts },
    patient: openai('hang'),
    claude: { style: 'anthropic', base_url: urlOf('down').replace(/\/v1$/, '') },
  }
}

const models: NonNullable<ConfigurationInput['models']> = {
  'good/echo': { pricing: price, context_length: 200_000 },
  'good/small': { pricing: price, context_length: 8_192 },
  'down/echo': { pricing: price, fallbacks: ['mistake/echo', 'good/echo'] },
  'mistake/echo': { pricing: price, fallbacks: ['good/echo'] },
  'short/echo': { pricing: price, context_length: 8_192, fallbacks: ['good/small', 'good/echo'] },
  'short/alone': { pricing: price, fallbacks: ['good/small'] },
  'keys/echo': { pricing: price },
  'limited/echo': { pricing: price },
  'limited/both': {
    pricing: price,
    upstreams: [
      { provider: 'limited-longer', model: 'echo' },
      { provider: 'limited', model: 'echo' },
    ],
  },
  'limited/then-down': {
    pricing: price,
    upstreams: [
      { provider: 'limited', model: 'echo' },
      { provider: 'down', model: 'echo' },
    ],
  },
  'hang/echo': {
    pricing: price,
    upstreams: [
      { provider: 'hang', model: 'a' },
      { provider: 'hang', model: 'b' },
      { provider: 'good', model: 'echo' },
    ],
  },
  'left/echo': {
    pricing: price,
    upstreams: [
      { provider: 'down', model: 'echo', pricing: cheap },
      { provider: 'patient', model: 'echo' },
      { provider: 'good', model: 'echo' },
    ],
  },
  'claude/haiku': { pricing: price, fallbacks: ['good/echo'] },
  'down/then-claude': {
    pricing: price,
    upstreams: [{ provider: 'down', model: 'x' }],
    fallbacks: ['claude/haiku', 'good/echo'],
  },
  'weighed/echo': {
    pricing: price,
    upstreams: [
      { provider: 'good', model: 'three', weight: 3 },
      { provider: 'good', model: 'one', weight: 1 },
      { provider: 'good', model: 'none', weight: 0 },
    ],
  },
}

const world = await suiteWorld(
  startFaultNode(misbehaviours, (urlOf) => ({ providers: providersAt(urlOf), models })),
)
afterAll(async () => {
  expect(await world.node.admin('/ledger/verify')).toMatchObject({ ok: true })
})

const results = (asked: Awaited<ReturnType<FaultNode['ask']>>): string[] =>
  asked.row.attempts.map(({ provider, result }) => `${provider} ${result}`)

describe('a mistake of the caller', () => {
  test('is reported at once, without trying another model', async () => {
    const user = randomUUID()
    const asked = await world.ask({ model: 'mistake/echo', user })
    expect(asked.response.status).toBe(400)
    expect(JSON.parse(asked.body)).toMatchObject({ error: { message: 'temperature must be at most 2' } })
    expect(results(asked)).toEqual(['mistake status-400'])
    expect(world.callsOf(user)).toHaveLength(1)
  })

  test('is also reported if a fallback is the first to report it', async () => {
    const asked = await world.ask({ model: 'down/echo' })
    expect(asked.response.status).toBe(400)
    expect(results(asked)).toEqual(['down status-500', 'mistake status-400'])
  })

  test('is not final if a larger model can take the long request', async () => {
    const asked = await world.ask({ model: 'short/echo' })
    expect(asked.response.headers.get('x-turnpike-model')).toBe('good/echo')
    expect(results(asked)).toEqual(['short status-400', 'good context-too-short', 'good ok'])
    expect(asked.response.headers.get('x-turnpike-attempts')).toMatch(
      /^2;tried="short\/echo status-400 [\d.]+s, good\/small context-too-short, good\/echo ok [\d.]+s"$/,
    )
  })

  test('is passed on if no model there is larger', async () => {
    const { response, body } = await world.ask({ model: 'short/alone' })
    expect(response.status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ error: { message: tooLong } })
  })

  test('is not hidden by a fallback that could do what the model cannot', async () => {
    const { response, body, row } = await world.ask({ model: 'claude/haiku', n: 2 })
    expect(response.status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ error: { param: 'n' } })
    expect(row).toMatchObject({ outcome: 'failed', cost_usd: '0' })
  })

  test('is not reported if only a fallback cannot handle the request: that one is skipped', async () => {
    const asked = await world.ask({ model: 'down/then-claude', n: 2 })
    expect(asked.response.status).toBe(200)
    expect(results(asked)).toEqual(['down status-500', 'claude unsupported', 'good ok'])
  })
})

describe('the order of candidates', () => {
  test('tries the models of a request before the configured fallbacks', async () => {
    const asked = await world.ask({ model: 'down/echo', models: ['limited/echo', 'good/echo'] })
    expect(results(asked)).toEqual(['down status-500', 'limited status-429', 'good ok'])
    expect(asked.row.cost_usd).toBe(costOf(asked.row, price))
  })

  test('tries a model once that is named twice', async () => {
    const asked = await world.ask({
      model: 'limited/echo',
      models: ['limited/echo', 'good/echo', 'good/echo'],
    })
    expect(results(asked)).toEqual(['limited status-429', 'good ok'])
  })

  test('rotates keys, and replaces a rejected key by the next', async () => {
    const first = await world.ask({ model: 'keys/echo' })
    const second = await world.ask({ model: 'keys/echo' })
    const keys = [first, second].map(({ row }) => row.attempts.map(({ key, result }) => [key, result]))
    expect(keys).toContainEqual([
      [1, 'status-401'],
      [2, 'ok'],
    ])
    expect(keys).toContainEqual([[2, 'ok']])
  })

  test('distributes requests by weight, and uses weight 0 only after the others fail', async () => {
    const models: string[] = []
    for (let round = 0; round < 80; round++)
      models.push((await world.ask({ model: 'weighed/echo' })).row.attempts[0]!.model)
    const share = models.filter((model) => model === 'three').length / 80
    expect(models).not.toContain('none')
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(0.95)
  })
})

describe('if no candidate answers', () => {
  test('the status is 429 if all are rate limited, with the shortest wait', async () => {
    const asked = await world.ask({ model: 'limited/both' })
    expect(asked.response.status).toBe(429)
    expect(asked.response.headers.get('retry-after')).toBe('9')
    expect(asked.response.headers.get('x-turnpike-attempts')).toMatch(/^2;tried="limited-longer\/echo .*"$/)
  })

  test('the status is that of another failure if not all are rate limited', async () => {
    const { response } = await world.ask({ model: 'limited/then-down' })
    expect(response.status).toBe(502)
  })

  test('the timeout applies to the whole request', async () => {
    const asked = await world.ask({ model: 'hang/echo' })
    expect(asked.response.status).toBe(504)
    expect(results(asked)).toEqual(['hang first-byte-timeout', 'hang total-timeout', 'good no-time-left'])
  })
})

test.each([false, true])(
  'a client that leaves in the second attempt ends all (stream: %s)',
  async (stream) => {
    const user = randomUUID()
    const abort = new AbortController()
    const asked = world.node.chat(
      world.key,
      { model: 'left/echo', messages: hello, user, stream },
      { signal: abort.signal },
    )
    await vi.waitFor(() => expect(world.callsOf(user)).toHaveLength(2), patience)
    abort.abort()
    await expect(asked).rejects.toThrow()
    await vi.waitFor(() => expect(world.callsOf(user)[1]!.ending).toBe('client-closed'), patience)
    const row = await vi.waitFor(async () => {
      const path = `/accounts/${world.key.accountId}/usage/requests?limit=1`
      const { data } = await world.node.admin<{ data: { id: string }[] }>(path)
      const found = await world.row(data[0]!.id)
      expect(found.outcome).toBe('client_closed')
      return found
    }, patience)
    expect(row.attempts.map(({ result }) => result)).toEqual(['status-500', 'client-closed'])
    expect(row.tokens_out).toBe(0)
    // The input is charged for the second one, at its price, and not for the first.
    expect(row.cost_usd).toBe(costOf(row, price))
    expect(world.callsOf(user)).toHaveLength(2)
  },
)

test('the official SDK gets an answer, or one of its own error classes', async () => {
  const client = new OpenAI({ baseURL: world.node.baseUrl, apiKey: world.key.raw, maxRetries: 0 })
  const messages = hello as OpenAI.ChatCompletionMessageParam[]
  const asked = { messages, model: 'limited/echo', models: ['down/echo', 'good/echo'] } as const
  const answer = await client.chat.completions.create({ ...asked, stream: false } as never)
  expect((answer as OpenAI.ChatCompletion).choices[0]!.message.content).toBe('one two three')
  expect((answer as OpenAI.ChatCompletion).model).toBe('good/echo')
  const stream = await client.chat.completions.stream({ ...asked } as never).finalChatCompletion()
  expect(stream.choices[0]!.message.content).toBe('one two three')
  const limited = client.chat.completions.create({ messages, model: 'limited/both' })
  await expect(limited).rejects.toBeInstanceOf(OpenAI.RateLimitError)
})

test('a successful response names the provider that served', async () => {
  const plain = await world.ask({ model: 'down/echo', models: ['good/echo'] })
  const streamed = await world.ask({ model: 'down/echo', models: ['good/echo'], stream: true })
  expect([textOf(plain.body), textOf(streamed.body)]).toEqual(['one two three', 'one two three'])
  expect(plain.row.cost_usd).toBe(streamed.row.cost_usd)
})
