import { formatUsd, type LedgerVerification } from '@turnpike/billing'
import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteKey, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'
import { anthropicScript, chatScript, googleScript } from './testing/billed-answers.ts'

/** A more expensive service is charged exactly, and its row shows the reason. */

const pricing = {
  prompt: '0.000002',
  completion: '0.00001',
  input_cache_read: '0.000001',
  audio_output: '0.00008',
  image_output: '0.00003',
  web_search: '0.01',
  citation: '0.000003',
  overrides: [{ min_prompt_tokens: 1_000, prompt: '0.00001', completion: '0.00003' }],
  service_tiers: {
    priority: { prompt: '0.000004', completion: '0.00002', input_cache_read: '0.0000025' },
    flex: { prompt: '0.000001', completion: '0.000005' },
  },
}
const plain = { prompt: pricing.prompt, completion: pricing.completion }

const usage = {
  prompt_tokens: 100,
  completion_tokens: 30,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 40 },
}
const googleUsage = { promptTokenCount: 100, candidatesTokenCount: 30, totalTokenCount: 130 }
const searches = (count: number): object => ({ server_tool_use: { web_search_requests: count } })
/** 60 tokens of input, 40 from the cache, 30 of output. */
const plainUsd = 60 * 2 + 40 * 1 + 30 * 10
const priorityUsd = 60 * 4 + 40 * 2.5 + 30 * 20
const flexUsd = 60 * 1 + 40 * 1 + 30 * 5
/** 100 tokens of input, 30 of output. */
const uncachedUsd = 100 * 2 + 30 * 10

interface Case {
  name: string
  provider: string
  body?: object
  answer: (stream: boolean) => VendorScript
  /** In 10^-6 USD. */
  micro: number
  row?: object
  unpriced?: string[]
}

const chatAnswer =
  (tier: string | undefined, more: object = {}) =>
  (stream: boolean) =>
    chatScript({ ...(tier === undefined ? {} : { tier }), usage: { ...usage, ...more } }, stream)

const cases: Case[] = [
  {
    name: 'the requested tier, if it is granted',
    provider: 'openai',
    body: { service_tier: 'priority' },
    answer: chatAnswer('priority'),
    micro: priorityUsd,
    row: { service_tier: 'priority' },
  },
  {
    name: 'the granted tier instead of the requested one',
    provider: 'openai',
    body: { service_tier: 'priority' },
    answer: chatAnswer('default'),
    micro: plainUsd,
    row: { service_tier: 'default' },
  },
  {
    name: 'the requested tier, if the answer names none',
    provider: 'fireworks',
    body: { service_tier: 'priority' },
    answer: chatAnswer(undefined),
    micro: priorityUsd,
    row: { service_tier: 'priority' },
  },
  {
    name: 'a cheaper tier',
    provider: 'openai',
    body: { service_tier: 'flex' },
    answer: chatAnswer('flex'),
    micro: flexUsd,
  },
  {
    name: 'a tier that was not requested, such as the default of a project',
    provider: 'openai',
    answer: chatAnswer('priority'),
    micro: priorityUsd,
  },
  {
    name: 'an expensive tier for a long prompt at the higher of both prices',
    provider: 'openai',
    body: { service_tier: 'priority' },
    answer: chatAnswer('priority', { prompt_tokens: 2_000, prompt_tokens_details: {} }),
    micro: 2_000 * 10 + 30 * 30,
  },
  {
    name: 'a tier without a price at the plain price, marked',
    provider: 'openai',
    answer: chatAnswer('ultrafast'),
    micro: plainUsd,
    unpriced: ['service_tier'],
  },
  {
    name: 'a prepaid tier at the plain price, and not marked',
    provider: 'plain',
    answer: chatAnswer('scale'),
    micro: 60 * 2 + 40 * 2 + 30 * 10,
  },
  {
    name: 'requested searches, by their number',
    provider: 'openrouter',
    body: { web_search_options: {} },
    answer: chatAnswer(undefined, searches(3)),
    micro: plainUsd + 30_000,
    row: { web_searches: 3 },
  },
  {
    name: 'no requested searches if none was made',
    provider: 'openrouter',
    body: { web_search_options: {} },
    answer: chatAnswer(undefined, searches(0)),
    micro: plainUsd,
    row: { web_searches: 0 },
  },
  {
    name: 'requested searches that the answer does not report, marked',
    provider: 'openrouter',
    body: { web_search_options: {} },
    answer: chatAnswer(undefined),
    micro: plainUsd,
    unpriced: ['web_search'],
  },
  {
    name: 'sources of a live search',
    provider: 'xai',
    body: { search_parameters: { mode: 'on' } },
    answer: chatAnswer(undefined, { num_sources_used: 7 }),
    micro: plainUsd + 70_000,
    row: { web_searches: 7 },
  },
  {
    name: 'searches and citations that are always made',
    provider: 'perplexity',
    answer: chatAnswer(undefined, { num_search_queries: 12, citation_tokens: 500 }),
    micro: plainUsd + 120_000 + 500 * 3,
    row: { web_searches: 12, citation_tokens: 500 },
  },
  {
    name: 'searches without a price, marked',
    provider: 'plain',
    answer: chatAnswer(undefined, searches(2)),
    micro: 60 * 2 + 40 * 2 + 30 * 10,
    row: { web_searches: 2 },
    unpriced: ['web_search'],
  },
  {
    name: 'audio in the answer',
    provider: 'openai',
    body: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    answer: chatAnswer('default', { completion_tokens_details: { audio_tokens: 20 } }),
    micro: 60 * 2 + 40 * 1 + 10 * 10 + 20 * 80,
    row: { output_audio_tokens: 20 },
  },
  {
    name: 'pictures in the answer',
    provider: 'openrouter',
    body: { modalities: ['image', 'text'] },
    answer: chatAnswer(undefined, { completion_tokens_details: { image_tokens: 25 } }),
    micro: 60 * 2 + 40 * 1 + 5 * 10 + 25 * 30,
    row: { output_image_tokens: 25 },
  },
  {
    name: 'audio without a price, marked',
    provider: 'plain',
    answer: chatAnswer(undefined, { completion_tokens_details: { audio_tokens: 20 } }),
    micro: 60 * 2 + 40 * 2 + 30 * 10,
    unpriced: ['audio_output'],
  },
  {
    name: "Google's searches, without the empty ones",
    provider: 'gemini',
    answer: (stream) => googleScript(['a', '', 'b'], googleUsage, stream),
    micro: uncachedUsd + 20_000,
    row: { web_searches: 2 },
  },
  {
    name: "Google's tier",
    provider: 'gemini',
    answer: (stream) => googleScript([], { ...googleUsage, serviceTier: 'priority' }, stream),
    micro: 100 * 4 + 30 * 20,
    row: { service_tier: 'priority' },
  },
  {
    name: "Anthropic's searches",
    provider: 'anthropic',
    answer: (stream) => anthropicScript({ input_tokens: 100, output_tokens: 30, ...searches(4) }, stream),
    micro: uncachedUsd + 40_000,
    row: { web_searches: 4 },
  },
  {
    name: "Anthropic's fast mode and inference in one country, marked",
    provider: 'anthropic',
    answer: (stream) =>
      anthropicScript({ input_tokens: 100, output_tokens: 30, speed: 'fast', inference_geo: 'us' }, stream),
    micro: uncachedUsd,
    unpriced: ['speed', 'inference_geo'],
  },
]

const providersOf = (origin: string): NonNullable<ConfigurationInput['providers']> =>
  Object.fromEntries([
    ...['openai', 'fireworks', 'openrouter', 'xai', 'perplexity', 'gemini', 'anthropic'].map((name) => [
      name,
      { base_url: name === 'anthropic' ? origin : `${origin}/v1`, api_keys: ['sk-1'] },
    ]),
    ['plain', { style: 'openai' as const, base_url: `${origin}/v1`, api_keys: ['sk-1'] }],
  ]) as NonNullable<ConfigurationInput['providers']>

describe.each(databases())('a request with paid services, on $engine', ({ create }) => {
  const vendor = suiteVendor()
  const database = suiteDatabase(create)
  const node = suiteNode(
    () => {
      const providers = providersOf(vendor.origin)
      const models = Object.fromEntries(
        Object.keys(providers).map((name) => [
          `${name}/m`,
          { pricing: name === 'plain' ? plain : pricing, max_output_tokens: 1_000 },
        ]),
      )
      return { providers, models, billing: { markup: '1.5' } }
    },
    { database },
  )
  const key = suiteKey(node)

  async function ask(
    { provider, body = {}, answer }: Pick<Case, 'provider' | 'body' | 'answer'>,
    stream = false,
    asker = key,
  ): Promise<{ status: number; text: string; id: string }> {
    vendor.next({ script: answer(stream) })
    const response = await node.chat(asker, {
      model: `${provider}/m`,
      messages: [{ role: 'user', content: 'Hello' }],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      ...body,
    })
    const text = await response.text()
    vendor.director.forgetPlans()
    return { status: response.status, text, id: response.headers.get('x-request-id')! }
  }

  const detailOf = (id: string): Promise<Detail> =>
    node.admin(`/accounts/${key.accountId}/usage/requests/${id}`)

  describe.each([false, true])('stream: %s', (stream) => {
    test.each(cases)('charges $name', async (one) => {
      const { status, text, id } = await ask(one, stream)
      expect(status, text).toBe(200)
      // In millionths of a dollar, times the markup.
      const usd = formatUsd((BigInt(one.micro * 10) * 100_000n * 15n) / 10n)
      expect(text).toContain(`"cost_usd":"${usd}"`)
      const detail = await detailOf(id)
      expect(detail.charge_usd).toBe(usd)
      expect(detail.vendor_cost_usd).toBe(formatUsd(BigInt(one.micro * 10) * 100_000n))
      expect(detail.usage).toMatchObject(one.row ?? {})
    })
  })

  test("charges the tier in the response's first chunk if the response breaks off", async () => {
    const broken = (stream: boolean): VendorScript => {
      const script = chatScript({ tier: 'default', usage }, stream)
      const [event] = Buffer.from(bytesOf(script)).toString().split('data: [DONE]')
      const bytes = Buffer.from(event!.slice(0, event!.indexOf('"finish_reason":"stop"') - 200))
      return { ...script, steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 1 }, { type: 'reset' }] }
    }
    const body = { service_tier: 'priority' }
    const { id } = await ask({ provider: 'openai', body, answer: broken }, true)
    const detail = await detailOf(id)
    expect(detail).toMatchObject({
      outcome: 'upstream_cut',
      usage: { estimated: true, service_tier: 'default' },
    })
    const tokens = detail.usage as Record<'input_tokens' | 'output_tokens', number>
    const micro = tokens.input_tokens * 2 + tokens.output_tokens * 10
    expect(detail.vendor_cost_usd).toBe(formatUsd(BigInt(micro) * 1_000_000n))
  })

  test('holds the possible cost of the tier, the searches and the prediction', async () => {
    const answer = chatAnswer('default', searches(0))
    const heldFor = async (provider: string, body: object): Promise<number> => {
      const { id } = await ask({ provider, body: { max_tokens: 100, ...body }, answer })
      return Number((await detailOf(id)).hold_usd)
    }
    const held = await heldFor('openai', {})
    expect(await heldFor('openai', { service_tier: 'priority' })).toBeGreaterThan(1.9 * held)
    expect(await heldFor('openai', { service_tier: 'flex' })).toBeCloseTo(held, 3)
    expect(await heldFor('openrouter', { web_search_options: {} })).toBeGreaterThan(held + 0.29)
    expect(await heldFor('openai', { modalities: ['text', 'audio'] })).toBeGreaterThan(100 * 0.00008 * 1.5)
    const prediction = { type: 'content', content: 'x'.repeat(30_000) }
    expect(await heldFor('openai', { prediction })).toBeGreaterThan(held + 10_000 * 0.00001 * 1.5)
    expect(await heldFor('perplexity', {})).toBeGreaterThan(0.4)
  })

  test('refuses a request if the credit covers only the plain price', async () => {
    const poor = await node.createKey({ creditUsd: '0.016' })
    const body = { max_tokens: 1_000 }
    const dear = await ask(
      { provider: 'openai', body: { ...body, service_tier: 'priority' }, answer: chatAnswer('priority') },
      false,
      poor,
    )
    expect(dear).toMatchObject({ status: 402 })
    expect(await ask({ provider: 'openai', body, answer: chatAnswer('default') }, false, poor)).toMatchObject(
      {
        status: 200,
      },
    )
  })

  test('reports services without a price: once in the log, and with their number in a metric', async () => {
    const expected = cases.flatMap(({ provider, unpriced = [] }) =>
      unpriced.map((one) => `${provider} ${one}`),
    )
    const warnings = node.log.filter(({ message }) => message.includes('no price here'))
    const inLog = warnings.map(({ fields }) => `${String(fields['provider'])} ${String(fields['service'])}`)
    expect(inLog.toSorted()).toEqual(expected.toSorted())
    const metrics = await (await node.metrics()).text()
    const counts = metrics.matchAll(
      /^turnpike_unpriced_services_total\{provider="(\w+)",service="(\w+)"\} (\d+)$/gm,
    )
    // Once streamed and once not.
    const inMetric = [...counts].map(([, provider, service, count]) => `${provider!} ${service!} ${count!}`)
    expect(inMetric.toSorted()).toEqual(expected.map((one) => `${one} 2`).toSorted())
  })

  test('leaves books that agree with their own rows', async () => {
    await expect
      .poll(() => node.admin<LedgerVerification>('/ledger/verify'), { timeout: 10_000 })
      .toMatchObject({ ok: true, differences: [] })
    const { data } = await node.admin<{ data: unknown[] }>(`/accounts/${key.accountId}/usage/requests`)
    expect(data.length).toBeGreaterThan(20)
  })
})

function bytesOf({ steps }: VendorScript): Buffer {
  return Buffer.concat(steps.flatMap((step) => (step.type === 'bytes' ? [step.bytes] : [])))
}

interface Detail {
  charge_usd: string
  vendor_cost_usd: string
  hold_usd: string
  usage: Record<string, unknown>
}
