import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'
import {
  ask as askAt,
  call,
  fourTiers,
  image,
  model,
  result,
  says,
  tools,
  user,
  type Routed,
} from './testing/four-tiers.ts'

const vendor = suiteVendor()
let openai: OpenAI

const node = suiteNode(() => fourTiers(vendor))
const key = suiteKey(node)
beforeAll(async () => {
  openai = new OpenAI({ apiKey: key.raw, baseURL: node.baseUrl, maxRetries: 0 })
})

const ask = (body: object, asking = key, at = node): Promise<Routed> => askAt(at, asking, body)

describe('auto-routing', () => {
  it('sends a greeting to the cheapest model that accepts it', async () => {
    expect(await ask(says('hi'))).toMatchObject({ status: 200, model: 'vendor/tinier', tier: 'SIMPLE' })
    expect(await ask({ ...says('hi'), tools })).toMatchObject({ model: 'vendor/tiny', tier: 'SIMPLE' })
  })

  it('explains in one line which model was chosen, and why', async () => {
    const { route } = await ask({ messages: [user([{ type: 'text', text: 'hi' }, image()])] })
    expect(route).toMatch(
      /^auto: scored SIMPLE \(0\.\d\d\); no model of tier SIMPLE is available: using COMPLEX; /,
    )
  })

  it('streams like any other model', async () => {
    const stream = await openai.chat.completions.create({
      model: 'turnpike/auto',
      max_completion_tokens: 50,
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
    })
    const models = new Set<string>()
    for await (const chunk of stream) models.add(chunk.model)
    expect([...models]).toEqual(['vendor/tinier'])
  })

  it.each<[string, object, RegExp]>([
    [
      'does not accept audio',
      { messages: [user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }])] },
      /does not accept audio/,
    ],
    ['a context too long for all', says(`hi ${'word '.repeat(100_000)}`), /too short/],
  ])('is a clear 400 if no model fits: %s', async (_, body, message) => {
    const { status, json } = await ask(body)
    expect(status).toBe(400)
    expect(json.error!.param).toBe('model')
    expect(json.error!.message).toMatch(
      /^None of the models of auto-routing can handle this request: vendor\//,
    )
    expect(json.error!.message).toMatch(message)
  })

  it("chooses among the models on the key's list", async () => {
    const limited = await node.createKey({ allowedModels: ['vendor/large', 'vendor/largest'] })
    expect(await ask(says('hi'), limited)).toMatchObject({ model: 'vendor/large', tier: 'COMPLEX' })
    const auto = await node.createKey({ allowedModels: ['turnpike/auto'] })
    expect(await ask(says('hi'), auto)).toMatchObject({ model: 'vendor/tinier' })
  })

  it('tries the models that the caller names in addition after its own', async () => {
    expect(await ask({ ...says('hi'), models: ['vendor/middle'] })).toMatchObject({ model: 'vendor/tinier' })
    const unknown = await ask({ ...says('hi'), models: ['vendor/gone'] })
    expect([unknown.status, unknown.json.error!.param]).toEqual([404, 'models[0]'])
  })
})

describe('the price of possible fallbacks', () => {
  it('does not refuse a request that the credit covers', async () => {
    const poor = await node.createKey({ creditUsd: '0.00002' })
    expect(await ask(says('hi'), poor)).toMatchObject({ status: 200, model: 'vendor/tinier' })
    const named = { ...says('hi'), model: 'vendor/tiny', models: ['vendor/largest'] }
    expect(await ask(named, poor)).toMatchObject({ status: 200, model: 'vendor/tiny' })
    const dear = await ask({ ...says('hi'), model: 'vendor/largest', models: ['vendor/tiny'] }, poor)
    expect([dear.status, dear.json.error!.message]).toEqual([
      402,
      expect.stringMatching(/may cost up to 0\.00/),
    ])
  })
})

it('lists auto-routing among the models, with its highest possible price', async () => {
  const { data } = await openai.models.list()
  const auto = data.filter(({ id }) => id.startsWith('turnpike/'))
  expect(auto.map(({ id }) => id)).toEqual(['turnpike/auto', 'turnpike/auto-eco', 'turnpike/auto-premium'])
  expect(auto[0]).toMatchObject({
    context_length: 128_000,
    pricing: { prompt: '0.00002', completion: '0.00002' },
    modalities: { input: ['text', 'image'], output: ['text'] },
    tiers: ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING'],
  })
  expect(await openai.models.retrieve('turnpike/auto')).toEqual(auto[0])
  expect(await openai.models.retrieve('auto')).toEqual(auto[0])
})

describe('a conversation', () => {
  it('keeps its tier and its model over twenty turns with tools', async () => {
    const messages: object[] = [{ role: 'system', content: 'You are an agent.' }, user('hi')]
    const served = new Set<string>()
    for (let turn = 0; turn < 20; turn++) {
      const { model: by, tier } = await ask({ messages, tools })
      served.add(`${by} ${tier}`)
      messages.push(call(`c${turn}`), result(`c${turn}`, `line ${turn}`))
    }
    expect([...served]).toEqual(['vendor/tiny SIMPLE'])
  })

  it('moves up one tier when the same call fails three times', async () => {
    const messages: object[] = [{ role: 'system', content: 'You run things.' }, user('hi')]
    for (let turn = 0; turn < 3; turn++) messages.push(call('x'), result('x', 'error: no such file'))
    const stalled = await ask({ messages, tools })
    expect(stalled).toMatchObject({ model: 'vendor/middle', tier: 'MEDIUM' })
    expect(stalled.route).toContain('one tier up: the same tool call failed three times')
    messages.push(call('y'), result('y', 'done'))
    const after = await ask({ messages, tools })
    expect(after).toMatchObject({ model: 'vendor/middle', tier: 'MEDIUM' })
    expect(after.route).toContain('the same request is still in progress at MEDIUM')
    messages.push({ role: 'assistant', content: 'Done.' }, user('thanks'))
    expect(await ask({ messages, tools })).toMatchObject({ model: 'vendor/tiny', tier: 'SIMPLE' })
  })

  it('moves up one tier when the caller sends an answer back', async () => {
    const messages = [{ role: 'system', content: 'Answer in JSON.' }, user('hi')]
    const first = await ask({ messages })
    expect(first.tier).toBe('SIMPLE')
    const second = await ask({ messages, metadata: { retry_of: first.id } })
    expect(second.tier).toBe('MEDIUM')
    const third = await ask({ messages, metadata: { retry_of: second.id } })
    expect(third.tier).toBe('COMPLEX')
    const wrong = await ask({ ...says('hi'), metadata: { retry_of: 7 } })
    expect([wrong.status, wrong.json.error!.param]).toEqual([400, 'metadata.retry_of'])
  })
})

describe('the record of a routed request', () => {
  it('contains the decision, its cost, and the cost at the baseline model', async () => {
    const asking = await node.createKey()
    const { id, json } = await ask(says('hi'), asking)
    const account = `/accounts/${asking.accountId}`
    const row = await node.admin<Record<string, unknown>>(`${account}/usage/requests/${id}`)
    expect(row).toMatchObject({
      model_asked: 'auto',
      model_served: 'vendor/tinier',
      tier: 'SIMPLE',
      route: { profile: 'auto', scored: 'SIMPLE', because: [] },
      cost_usd: json.usage!.cost_usd,
    })
    const { ranking, probabilities } = row['route'] as { ranking: string[]; probabilities: number[] }
    expect(ranking).toEqual(['vendor/tinier', 'vendor/tiny', 'vendor/middle', 'vendor/large'])
    expect(probabilities).toHaveLength(4)
    // 400 times the price: that of the most expensive model of the tier REASONING, for the same tokens.
    const cost = Number(json.usage!.cost_usd)
    expect(Number(row['baseline_usd'])).toBeCloseTo(cost * 400, 12)
    const breakdown = await node.admin<{ data: object[] }>(`${account}/usage/breakdown?by=tier`)
    expect(breakdown.data).toMatchObject([
      { group: 'SIMPLE', total_requests: 1, total_cost_usd: row['cost_usd'] },
    ])
    const { total_saved_usd: saved } = breakdown.data[0] as { total_saved_usd: string }
    expect(Number(saved)).toBeCloseTo(cost * 399, 12)
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true })
  })

  it('is empty if the caller names the model', async () => {
    const { id, tier, route } = await ask({ ...says('hi'), model: 'vendor/tiny' })
    expect([tier, route]).toEqual([null, null])
    const row = await node.admin(`/accounts/${key.accountId}/usage/requests/${id}`)
    expect(row).toMatchObject({ tier: null, route: null, baseline_usd: null })
  })
})

describe('an error', () => {
  it('contains the tier if it occurs after the choice, whether or not a model was called', async () => {
    const expected = { tier: 'SIMPLE', route: expect.stringMatching(/^auto: scored SIMPLE/) }
    const poor = await node.createKey({ creditUsd: '0.0000001' })
    expect(await ask(says('hi'), poor)).toMatchObject({ status: 402, model: null, ...expected })
    const refused = { role: 'system', content: '[sandbox: error=400]' }
    const failed = await ask({ messages: [refused, user('hi')] })
    expect(failed).toMatchObject({ status: 400, model: null, ...expected })
    const early = await ask({ messages: 'hi' })
    expect(early).toMatchObject({ status: 400, tier: null, route: null })
  })
})

/** Adds models of an unreachable vendor to the four tiers. */
function withModelsGone(gone: Record<string, object>) {
  const { providers, models, ...rest } = fourTiers(vendor)
  return {
    ...rest,
    providers: { ...providers, gone: { style: 'openai', base_url: 'http://127.0.0.1:9/v1' } },
    models: { ...models, ...gone },
  } satisfies ConfigurationInput
}

describe('fallback', () => {
  it('may be to any model that auto-routing would choose, after the named models', async () => {
    const free = { pricing: { prompt: '0', completion: '0' } }
    const at = await startTestNode({ input: withModelsGone({ 'gone/x': free }) })
    try {
      const request = { ...says('hi'), model: 'gone/x', models: ['auto', 'vendor/large'] }
      const answer = await ask(request, await at.createKey(), at)
      expect(answer).toMatchObject({ status: 200, model: 'vendor/tinier', tier: null })
    } finally {
      await at.stop()
    }
  })

  it('goes to a higher tier, never to a lower one', async () => {
    const gone = withModelsGone({ 'gone/middle': model('0.0000005', 'MEDIUM') })
    const at = await startTestNode({
      input: { ...gone, routing: { auto: { tiers: { MEDIUM: ['gone/middle'] } } } },
    })
    try {
      const asking = await at.createKey()
      const metadata = { retry_of: 'req_x' }
      const answer = await ask({ ...says('hi'), metadata }, asking, at)
      expect(answer).toMatchObject({ status: 200, model: 'vendor/large', tier: 'COMPLEX' })
    } finally {
      await at.stop()
    }
  })
})
