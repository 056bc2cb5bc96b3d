import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

/** `/v1/responses/compact`: only the conversation's own vendor can compact it. */

const usage = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 400 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1_050,
}
const compacted = {
  id: 'resp_vendors',
  object: 'response.compaction',
  created_at: 1_760_000_000,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: 'Hi' }],
    },
    { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA' },
  ],
  usage,
}

const messageItem = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' }
const answered = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  model: 'm',
  status: 'completed',
  error: null,
  output: [{ ...messageItem, content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] }],
  usage,
}

let client: OpenAI

const vendor = suiteVendor()
const node = suiteNode(() => {
  const at = { base_url: vendor.baseUrl(), api_keys: ['sk'] }
  const pricing = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' }
  return {
    providers: { openai: at, groq: { ...at }, azure: { ...at, base_url: vendor.origin } },
    models: { 'openai/m': { pricing }, 'azure/m': { pricing }, 'groq/m': { pricing } },
  }
})
const key = suiteKey(node, { creditUsd: '5' })
beforeAll(async () => {
  client = new OpenAI({ baseURL: `${node.origin}/v1`, apiKey: key.raw, maxRetries: 0 })
})
beforeEach(() => {
  vendor.director.forgetPlans()
  vendor.journal.clear()
})

const input = [
  { role: 'user' as const, content: 'Hi' },
  { type: 'compaction' as const, encrypted_content: 'gAAAB' },
]

test.each([
  ['openai/m', '/v1/responses/compact'],
  ['azure/m', '/openai/v1/responses/compact'],
])("%s is called at %s, with its caller's own words", async (model, path) => {
  vendor.next({ script: scripted(200, compacted) })
  const metadata = { tags: ['team:search'] }
  const answer = await client.responses.compact({ model, input, instructions: 'Briefly.', metadata } as never)
  const { request } = vendor.journal.entries.at(-1)!
  expect(request.path).toBe(path)
  expect(JSON.parse(request.body.toString())).toEqual({ model: 'm', input, instructions: 'Briefly.' })
  const { id, usage: told, ...others } = answer
  expect(id).toMatch(/^resp_req_/)
  expect(others).toEqual({
    object: compacted.object,
    created_at: compacted.created_at,
    output: compacted.output,
  })
  // 600 + 400 / 10 of input, 50 × 2 of output.
  expect(told).toEqual({ ...usage, cost_usd: '0.00074', cost: 0.00074 })
})

test('compaction is charged and recorded like an answer', async () => {
  const payer = await node.createKey({ creditUsd: '1' })
  vendor.next({ script: scripted(200, compacted) })
  const own = new OpenAI({ baseURL: `${node.origin}/v1`, apiKey: payer.raw, maxRetries: 0 })
  await own.responses.compact({ model: 'openai/m', input })
  const { data } = await node.admin<{ data: object[] }>(`/accounts/${payer.accountId}/usage/requests`)
  expect(data).toMatchObject([
    { endpoint: 'responses', outcome: 'completed', model_served: 'openai/m', cost_usd: '0.00074' },
  ])
})

describe('compaction is refused', () => {
  async function refusal(body: object): Promise<{ status: number; param: string | null; message: string }> {
    const response = await node.post(key, '/responses/compact', { model: 'openai/m', input: 'Hi', ...body })
    const { error } = (await response.json()) as { error: { param: string | null; message: string } }
    return { status: response.status, param: error.param, message: error.message }
  }

  test('for a model whose vendor does not have it, before any call', async () => {
    const { status, param, message } = await refusal({ model: 'groq/m' })
    expect([status, param]).toEqual([400, 'model'])
    expect(message).toContain('No vendor of this model serves /v1/responses/compact')
    expect(vendor.journal.entries).toEqual([])
  })

  test('with an output limit, which its vendor does not accept', async () => {
    expect(await refusal({ max_output_tokens: 20_000 })).toMatchObject({
      status: 400,
      param: 'max_output_tokens',
    })
    vendor.next({ script: scripted(200, compacted) })
    const poor = await node.createKey({ creditUsd: '0.01' })
    const response = await node.post(poor, '/responses/compact', { model: 'openai/m', input })
    expect([response.status, response.headers.get('x-turnpike-max-output-tokens')]).toEqual([200, null])
  })

  test('as a stream', async () => {
    expect(await refusal({ stream: true })).toMatchObject({ status: 400, param: 'stream' })
  })

  test('if the vendor refuses it, in the vendor’s words', async () => {
    vendor.next({
      script: scripted(400, {
        error: { message: 'No such item.', type: 'invalid_request_error', param: 'input' },
      }),
    })
    expect(await refusal({})).toMatchObject({ status: 400, param: 'input' })
  })

  test('if the vendor returns something else', async () => {
    vendor.next({ script: scripted(200, { object: 'response.compaction' }) })
    expect((await refusal({})).status).toBe(502)
  })
})

test('the hold counts input twice if the vendor may compact it within an answer', async () => {
  const ask = async (threshold: number | undefined, creditUsd: string): Promise<number> => {
    const poor = await node.createKey({ creditUsd })
    vendor.next({
      script: scripted(200, {
        ...answered,
        output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }, ...answered.output],
      }),
    })
    const response = await node.post(poor, '/responses', {
      model: 'openai/m',
      input: 'word '.repeat(20_000),
      max_output_tokens: 16,
      context_management: [{ type: 'compaction', compact_threshold: threshold }],
    })
    vendor.director.forgetPlans()
    return response.status
  }
  // 20,000 tokens of input cost two cents, and a summary of 8,192 less than two.
  expect(await ask(1_000_000, '0.05')).toBe(200)
  for (const threshold of [10_000, undefined]) {
    expect(await ask(threshold, '0.05')).toBe(402)
    expect(await ask(threshold, '0.2')).toBe(200)
  }
})
