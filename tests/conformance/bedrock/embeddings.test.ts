import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { startBedrockNode, told } from './bedrock-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Embeddings by models of Amazon and Cohere at Bedrock. */

const pricing = { prompt: '0.00000002', completion: '0' }

const world = await suiteWorld(
  startBedrockNode(() => ({
    models: {
      'bedrock/amazon.titan-embed-text-v2:0': { operations: ['embed'], formats: ['bedrock-titan'], pricing },
      'bedrock/cohere.embed-multilingual-v3': {
        operations: ['embed'],
        formats: ['bedrock-cohere-embed'],
        pricing,
      },
    },
  })),
)
const openai = new OpenAI({ apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 0 })

async function lastRow(): Promise<object> {
  const { data } = await world.node.admin<{ data: object[] }>('/usage/requests?limit=1')
  return data[0]!
}

describe('embeddings at Bedrock', () => {
  test('come from Titan with one text per call, and are counted together', async () => {
    const before = world.vendor.journal.total
    for (const at of [1, 2, 3])
      world.vendor.next({ script: told(200, { embedding: [at, 0.5], inputTextTokenCount: 10 }) })
    const { data, usage } = await openai.embeddings.create({
      model: 'bedrock/amazon.titan-embed-text-v2:0',
      input: ['a', 'b', 'c'],
      encoding_format: 'float',
    })
    expect(data.map(({ embedding }) => embedding[1])).toEqual([0.5, 0.5, 0.5])
    expect(usage).toMatchObject({ prompt_tokens: 30 })
    expect(world.vendor.journal.total - before).toBe(3)
    const { path, body } = world.lastSent()
    expect(path).toBe('/model/amazon.titan-embed-text-v2%3A0/invoke')
    expect(body).toEqual({ inputText: expect.stringMatching(/^[abc]$/u) })
    expect(await lastRow()).toMatchObject({ cost_usd: '0.0000006' })
  })

  test('come from Cohere in one call, and are counted by the gateway', async () => {
    const float = [
      [1, 2],
      [3, 4],
    ]
    world.vendor.next({
      script: told(200, { id: 'x', embeddings: { float }, response_type: 'embeddings_by_type' }),
    })
    const { data, usage } = await openai.embeddings.create({
      model: 'bedrock/cohere.embed-multilingual-v3',
      input: ['Grüezi', 'Hello'],
      encoding_format: 'float',
    })
    expect(data.map(({ embedding }) => embedding)).toEqual(float)
    expect(usage.prompt_tokens).toBeGreaterThan(1)
    const { path, body } = world.lastSent()
    expect(path).toBe('/model/cohere.embed-multilingual-v3/invoke')
    expect(body).toMatchObject({ texts: ['Grüezi', 'Hello'], input_type: 'search_document' })
    expect(body).not.toHaveProperty('model')
  })

  test('are charged by the tokens that AWS reports with the answer', async () => {
    const body = { embeddings: { float: [[1, 2]] }, response_type: 'embeddings_by_type' }
    const model = 'bedrock/cohere.embed-multilingual-v3'
    world.vendor.next({ script: told(200, body, { 'x-amzn-bedrock-input-token-count': '7' }) })
    const { usage } = await openai.embeddings.create({ model, input: 'Grüezi', encoding_format: 'float' })
    expect(usage.prompt_tokens).toBe(7)
    // Without a valid report, the gateway counts.
    world.vendor.next({ script: told(200, body, { 'x-amzn-bedrock-input-token-count': '-3' }) })
    const own = await openai.embeddings.create({ model, input: 'Grüezi', encoding_format: 'float' })
    expect(own.usage.prompt_tokens).toBeGreaterThan(0)
  })

  test("are refused in AWS's words if AWS refuses them", async () => {
    const message = 'Malformed input request.'
    world.vendor.next({ script: told(400, { message }, { 'x-amzn-errortype': 'ValidationException' }) })
    const asked = openai.embeddings.create({ model: 'bedrock/amazon.titan-embed-text-v2:0', input: 'a' })
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
  })
})
