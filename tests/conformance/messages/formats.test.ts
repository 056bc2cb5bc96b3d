import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' }
const messages = [{ role: 'user' as const, content: 'Hello' }]
const billing = { type: 'text' as const, text: 'x-anthropic-billing-header: cc_version=2.1' }
const brief = { type: 'text' as const, text: 'Be brief.' }

let client: Anthropic

const vendor = suiteVendor()
const node = suiteNode(() => {
  const both = { base_url: vendor.baseUrl(), api_keys: ['sk-deepseek'] }
  return {
    providers: {
      deepseek: { ...both, formats: ['deepseek-chat', 'anthropic-messages'] },
      plain: { ...both, vendor: 'deepseek' },
    },
    models: {
      'deepseek/m': { pricing, supported_parameters: ['tools', 'reasoning'] },
      'plain/m': { pricing },
    },
  }
})
const key = suiteKey(node)
beforeAll(async () => {
  client = new Anthropic({ apiKey: key.raw, baseURL: node.origin, maxRetries: 0 })
})

const usage = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 50 }
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'Hm', signature: 'proof' },
    { type: 'text', text: 'Hi' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
}
const nothing = { input_tokens: 0, output_tokens: 0 }
/** 100 × 3 + 900 × 0.3 + 50 × 15 millionths of a dollar. */
const costUsd = '0.00132'

function lastCall(): { path: string; body: Record<string, unknown>; headers: Record<string, unknown> } {
  const { path, body, headers } = vendor.journal.entries.at(-1)!.request
  return { path, body: JSON.parse(body.toString()) as Record<string, unknown>, headers }
}

describe('a provider with several formats', () => {
  test("is called in the caller's format, so that fields of that format alone reach it", async () => {
    vendor.next({ script: scripted(200, answer) })
    const message = await client.messages.create({
      model: 'deepseek/m',
      max_tokens: 500,
      ...({ top_k: 7 } as object),
      system: [billing, brief],
      messages,
    })
    expect(message).toMatchObject({ model: 'deepseek/m', content: answer.content })
    expect(message.usage).toMatchObject({ ...usage, cost_usd: costUsd })
    const { path, body, headers } = lastCall()
    expect(path).toBe('/anthropic/v1/messages')
    expect(body).toEqual({ model: 'm', max_tokens: 500, top_k: 7, system: [brief], messages })
    expect(headers).toMatchObject({
      authorization: 'Bearer sk-deepseek',
      'anthropic-version': expect.any(String),
    })
  })

  test('has each token in its bucket if only the last event has the counts', async () => {
    const events = [
      { type: 'message_start', message: { ...answer, content: [], stop_reason: null, usage: nothing } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    vendor.next({ script: scripted(200, text, { 'content-type': 'text/event-stream' }) })
    const stream = client.messages.stream({ model: 'deepseek/m', max_tokens: 500, messages })
    const message = await stream.finalMessage()
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'Hi' }], usage })
    const { data } = await node.admin<{ data: object[] }>('/usage/requests?limit=1')
    const row = { endpoint: 'messages', operation: 'generate', stream: true, cost_usd: costUsd }
    expect(data).toMatchObject([row])
  })

  test('is called in its first format by callers of any other', async () => {
    vendor.next({
      script: scripted(200, {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 50,
          total_tokens: 1_050,
          prompt_cache_hit_tokens: 900,
          prompt_cache_miss_tokens: 100,
        },
      }),
    })
    const response = await node.chat(key, { model: 'deepseek/m', messages })
    expect(lastCall().path).toBe('/v1/chat/completions')
    expect(response.headers.get('x-turnpike-cost')).toBe(costUsd)
  })

  test('refuses what its vendor runs and bills itself', async () => {
    const tools = [{ type: 'web_search_20250305' as const, name: 'web_search' as const }]
    const before = vendor.journal.entries.length
    await expect(
      client.messages.create({ model: 'deepseek/m', max_tokens: 9, messages, tools }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('tools') })
    expect(vendor.journal.entries).toHaveLength(before)
  })

  test('has its tokens counted by the gateway', async () => {
    const before = vendor.journal.entries.length
    const { input_tokens: tokens } = await client.messages.countTokens({ model: 'deepseek/m', messages })
    expect(tokens).toBeGreaterThan(0)
    expect(vendor.journal.entries).toHaveLength(before)
  })

  test('is translated to if the configuration does not list the format', async () => {
    vendor.next({ script: scripted(500, { error: { message: 'no' } }) })
    await expect(client.messages.create({ model: 'plain/m', max_tokens: 9, messages })).rejects.toMatchObject(
      { status: expect.any(Number) },
    )
    expect(lastCall().path).toBe('/v1/chat/completions')
  })
})
