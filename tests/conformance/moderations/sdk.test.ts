import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestNode } from '../../nodes/test-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'
import { testPythonFeatures } from '../python/test-features.ts'
import { scripted, sdk, thrownBy } from '../sdk-node.ts'

let client: OpenAI

const vendor = suiteVendor()
const node = suiteNode(() => ({
  providers: {
    openai: { base_url: vendor.baseUrl(), api_keys: ['sk-o'] },
    mistral: { base_url: vendor.baseUrl(), api_keys: ['sk-m'] },
    sandbox: {},
  },
}))
const key = suiteKey(node)
beforeAll(async () => {
  client = sdk(node, key.raw)
})

const calm = { flagged: false, categories: { hate: false }, category_scores: { hate: 0.01 } }

async function answered(
  asked: OpenAI.ModerationCreateParams,
  answer: unknown,
): Promise<{ path: string; sent: object; answer: OpenAI.ModerationCreateResponse }> {
  vendor.next({ script: scripted(200, answer) })
  const moderation = await client.moderations.create(asked)
  const { request } = vendor.journal.entries.at(-1)!
  return { path: request.path, sent: JSON.parse(request.body.toString()) as object, answer: moderation }
}

describe('OpenAI’s SDK', () => {
  it("uses OpenAI's own model for free if the request names none", async () => {
    const { path, sent, answer } = await answered(
      { input: 'hello' },
      { id: 'modr-1', model: 'omni-moderation-2024-09-26', results: [calm], organization: 'ours', cost: 4 },
    )
    expect(answer).not.toHaveProperty('organization')
    expect(answer).not.toHaveProperty('cost')
    expect(path).toMatch(/\/v1\/moderations$/)
    expect(sent).toEqual({ input: 'hello', model: 'omni-moderation-latest' })
    expect(answer).toMatchObject({ id: 'modr-1', model: 'openai/omni-moderation-latest', results: [calm] })
    expect(answer).toMatchObject({ usage: { cost_usd: '0', cost: 0 } })
  })

  it('sends pictures unchanged', async () => {
    const input = [
      { type: 'text' as const, text: 'look' },
      { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } },
    ]
    const { sent, answer } = await answered(
      { model: 'openai/omni-moderation-latest', input },
      { id: 'modr-1', results: [calm] },
    )
    expect(sent).toEqual({ model: 'omni-moderation-latest', input })
    expect(answer.results).toEqual([calm])
  })

  it("gets Mistral's result, flagged if any category is", async () => {
    const results = [
      { categories: { pii: true }, category_scores: { pii: 0.9 } },
      { categories: { pii: false }, category_scores: { pii: 0.1 } },
    ]
    const { sent, answer } = await answered(
      { model: 'mistral/mistral-moderation-2411', input: ['call 555', 'b'] },
      { id: 'x', model: 'm', results, usage: { prompt_tokens: 7, total_tokens: 7, completion_tokens: 0 } },
    )
    expect(sent).toEqual({ model: 'mistral-moderation-2411', input: ['call 555', 'b'] })
    expect(answer.results).toEqual([
      { ...results[0], flagged: true },
      { ...results[1], flagged: false },
    ])
    expect(answer).toMatchObject({ usage: { prompt_tokens: 7, cost_usd: '0.0000007' } })
  })

  it.each([0, -1, 1e308, '7.5'])('is charged for the input if a vendor reports %j tokens', async (told) => {
    const { answer } = await answered(
      { model: 'mistral/mistral-moderation-2411', input: 'one two three' },
      { id: 'x', results: [calm], usage: { prompt_tokens: told, total_tokens: told } },
    )
    expect(answer).toMatchObject({ usage: { prompt_tokens: 3, cost_usd: '0.0000003' } })
  })

  it('gets an answer from the sandbox', async () => {
    const { results } = await client.moderations.create({
      model: 'sandbox/moderate',
      input: ['I will kill you', 'good morning'],
    })
    expect(results.map(({ flagged }) => flagged)).toEqual([true, false])
    expect(results[0]!.categories.violence).toBe(true)
  })

  it.each<[string, object, string]>([
    ['no input', {}, 'input'],
    ['no texts', { input: [] }, 'input'],
    ['a number', { input: [7] }, 'input[0]'],
    ['an unknown part', { input: [{ type: 'audio' }] }, 'input[0].type'],
    ['texts among parts', { input: ['a', { type: 'text', text: 'b' }] }, 'input[1]'],
    ['a stream', { input: 'a', stream: true }, 'stream'],
    ['another kind of model', { model: 'sandbox/echo', input: 'a' }, 'model'],
    [
      'a picture for texts',
      { model: 'mistral/mistral-moderation-2411', input: [image()] },
      'input[0].image_url',
    ],
    [
      'the address of a neighbour of the vendor',
      { input: [image('http://169.254.169.254/latest')] },
      'input[0].image_url.url',
    ],
    ['a file of the operator', { input: [image('file:///etc/passwd')] }, 'input[0].image_url.url'],
  ])('gets an error that names %s', async (_, body, param) => {
    const before = vendor.journal.entries.length
    const error = await thrownBy(client.moderations.create(body as OpenAI.ModerationCreateParams))
    expect(error).toMatchObject({ status: 400, param })
    expect(vendor.journal.entries).toHaveLength(before)
  })

  it.each([
    ['fewer results than inputs', { results: [calm] }],
    ['no categories', { results: [calm, {}] }],
    ['no results', {}],
    ['no JSON', 'hello'],
  ])('gets a 502 for an answer with %s', async (_, answer) => {
    vendor.next({ script: scripted(200, answer) })
    expect(await thrownBy(client.moderations.create({ input: ['a', 'b'] }))).toMatchObject({ status: 502 })
  })
})

describe('OpenAI’s SDK of Python', () => {
  const features = ['texts', 'asynchronous', 'errors']
  testPythonFeatures(import.meta.dirname, features, () => [node.baseUrl, key.raw, 'sandbox/moderate'])
})

function image(url = 'https://example.com/a.png'): object {
  return { type: 'image_url', image_url: { url } }
}

it("a request without a model is refused if OpenAI's model is not configured", async () => {
  const other = await startTestNode({ input: { providers: { sandbox: {} } } })
  try {
    const asked = sdk(other, (await other.createKey()).raw).moderations.create({ input: 'a' })
    const error = await thrownBy(asked)
    expect(error).toMatchObject({ status: 404, param: 'model' })
    expect(error.message).toContain('omni-moderation-latest')
  } finally {
    await other.stop()
  }
})

it('an alias configures the model for requests without one', async () => {
  const other = await startTestNode({
    input: {
      providers: { sandbox: {} },
      models: { 'omni-moderation-latest': { alias_of: 'sandbox/moderate' } },
    },
  })
  try {
    const client = sdk(other, (await other.createKey()).raw)
    expect(await client.moderations.create({ input: 'a' })).toMatchObject({ model: 'sandbox/moderate' })
  } finally {
    await other.stop()
  }
})
