import { exceptionFrame, invokeFrame } from '@turnpike/simulators/clouds/frames'
import { describe, expect, test } from 'vitest'
import { bearerKey, claude, startBedrockNode, streamed, told } from './bedrock-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Callers of Messages with Claude at Bedrock: their bytes pass, in AWS's envelope. */

const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 1_000,
  cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
  output_tokens: 50,
}
const answer = {
  id: 'msg_bdrk_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [
    { type: 'thinking', thinking: 'Hm', signature: 'proof' },
    { type: 'text', text: 'Grüezi' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
}
/** 100 × 3.3 + 10 × 4.125 + 20 × 6.6 + 1,000 × 0.33 + 50 × 16.5 millionths of a dollar. */
const costUsd = '0.00165825'
const model = 'us.anthropic.claude-sonnet-4-5-20250929-v1%3A0'

const events = [
  { type: 'message_start', message: { ...answer, content: [], stop_reason: null, usage } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grü' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ezi\n"ja"' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' 🌍' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  {
    type: 'message_stop',
    'amazon-bedrock-invocationMetrics': { inputTokenCount: 7_000, outputTokenCount: 9_000 },
  },
]
const frames = events.map(invokeFrame)

const world = await suiteWorld(startBedrockNode())

describe('Messages to Claude at Bedrock', () => {
  test('pass unchanged, except for the envelope', async () => {
    world.vendor.next({ script: told(200, answer) })
    const body = { max_tokens: 500, top_k: 7, metadata: { user_id: 'ann' }, messages }
    const message = await world.claude.messages.create({ model: claude, ...body })
    expect(message).toMatchObject({ id: answer.id, model: claude, content: answer.content })
    expect(message.usage).toMatchObject({ ...usage, cost_usd: costUsd })
    const { path, headers, body: sent } = world.lastSent()
    expect(path).toBe(`/model/${model}/invoke`)
    expect(headers).toMatchObject({ authorization: `Bearer ${bearerKey}`, accept: 'application/json' })
    expect(headers).not.toHaveProperty('anthropic-version')
    expect(sent).toEqual({ ...body, anthropic_version: 'bedrock-2023-05-31' })
  })

  test("are answered with the contents of AWS's frames", async () => {
    world.vendor.next({ script: streamed(...frames), split: { seed: 5 } })
    const stream = world.claude.messages.stream({ model: claude, max_tokens: 500, messages })
    const message = await stream.finalMessage()
    expect(message).toMatchObject({
      model: claude,
      content: [{ type: 'text', text: 'Grüezi\n"ja" 🌍' }],
      stop_reason: 'end_turn',
    })
    // What AWS counts besides is not added to it.
    expect(message.usage).toMatchObject(usage)
    const { data } = await world.node.admin<{ data: object[] }>('/usage/requests?limit=1')
    expect(data).toMatchObject([{ stream: true, cost_usd: costUsd }])
    const { path, headers, body } = world.lastSent()
    expect(path).toBe(`/model/${model}/invoke-with-response-stream`)
    expect(headers).toMatchObject({ accept: 'application/vnd.amazon.eventstream' })
    expect(body).not.toHaveProperty('stream')
  })

  test("do not pass on AWS's own measurements", async () => {
    world.vendor.next({ script: streamed(...frames) })
    const response = await fetch(`${world.node.origin}/v1/messages`, {
      method: 'POST',
      headers: {
        'x-api-key': world.key.raw,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({ model: claude, max_tokens: 500, stream: true, messages }),
    })
    const text = await response.text()
    expect(text).not.toMatch(/invocationMetrics|7000|9000/u)
    expect(text).toMatch(/event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/u)
  })

  test.each([
    [claude, 'interleaved-thinking-2025-05-14', ['interleaved-thinking-2025-05-14']],
    [
      claude,
      'claude-code-20250219, context-management-2025-06-27,mcp-servers-2025-12-04',
      ['context-management-2025-06-27'],
    ],
    ['bedrock/us.anthropic.claude-opus-4-7', 'interleaved-thinking-2025-05-14', undefined],
  ])('send %s the betas that it supports there: %s', async (name, betas, sent) => {
    world.vendor.next({ script: told(200, answer) })
    const { response } = await world.claude.messages
      .create({ model: name, max_tokens: 500, messages }, { headers: { 'anthropic-beta': betas } })
      .withResponse()
    const { headers, body } = world.lastSent()
    expect(body['anthropic_beta']).toEqual(sent)
    expect(headers).not.toHaveProperty('anthropic-beta')
    const dropped = response.headers.get('x-turnpike-dropped') ?? ''
    const left = betas.split(',').filter((beta) => sent?.includes(beta.trim()) !== true)
    for (const beta of left) expect(dropped).toContain(beta.trim())
  })

  test('of an agent arrive without the settings that it would refuse', async () => {
    world.vendor.next({ script: told(200, answer) })
    const schema = { type: 'object' as const }
    const context_management = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] }
    const asked = {
      model: claude,
      max_tokens: 500,
      messages,
      tools: [
        { name: 'a', input_schema: schema, eager_input_streaming: true, defer_loading: true },
        { name: 'b', input_schema: schema },
      ],
      context_management,
    }
    const betas = 'claude-code-20250219,tool-search-tool-2025-10-19'
    const { response } = await world.claude.messages
      .create(asked, { headers: { 'anthropic-beta': betas } })
      .withResponse()
    const { body } = world.lastSent()
    expect(body).not.toHaveProperty('context_management')
    expect(body['tools']).toEqual([
      { name: 'a', input_schema: schema, defer_loading: true },
      { name: 'b', input_schema: schema },
    ])
    expect(response.headers.get('x-turnpike-dropped')?.split(/, ?/u).toSorted()).toEqual([
      'anthropic-beta:claude-code-20250219',
      'context_management',
      'tools.0.eager_input_streaming',
    ])
  })

  test('accept settings that cost no more than AWS’s defaults, and refuse others', async () => {
    world.vendor.next({ script: told(200, answer) })
    const usual = { service_tier: 'auto', speed: 'standard', inference_geo: 'global' } as object
    await world.claude.messages.create({ model: claude, max_tokens: 500, messages, ...usual })
    expect(Object.keys(world.lastSent().body).toSorted()).toEqual([
      'anthropic_version',
      'max_tokens',
      'messages',
    ])
    const fast = { speed: 'fast' } as object
    const asked = world.claude.messages.create({ model: claude, max_tokens: 500, messages, ...fast })
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('speed') })
  })

  test('do not let callers choose the version or betas of the body', async () => {
    world.vendor.next({ script: told(200, answer) })
    const own = { anthropic_version: 'bedrock-2099', anthropic_beta: ['x'] } as object
    await world.claude.messages.create({ model: claude, max_tokens: 500, messages, ...own })
    const { body } = world.lastSent()
    expect(body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31' })
    expect(body).not.toHaveProperty('anthropic_beta')
  })

  test('break off with an error if AWS reports one in the stream', async () => {
    const broken = [
      ...frames.slice(0, 4),
      exceptionFrame('serviceUnavailableException', { message: 'Busy.' }),
    ]
    world.vendor.next({ script: streamed(...broken) })
    const stream = world.claude.messages.stream({ model: claude, max_tokens: 500, messages })
    await expect(stream.finalMessage()).rejects.toThrow(/overloaded|down for the moment/u)
  })

  test('break off with an error if a frame is cut off or invalid', async () => {
    const bad = Buffer.from(frames[4]!)
    bad[bad.length - 10]! ^= 1
    for (const last of [frames[4]!.subarray(0, 30), bad]) {
      world.vendor.next({ script: streamed(...frames.slice(0, 4), last) })
      const stream = world.claude.messages.stream({ model: claude, max_tokens: 500, messages })
      await expect(stream.finalMessage()).rejects.toThrow(/upstream/iu)
    }
  })

  test('are counted by the gateway: AWS is not called for that', async () => {
    const before = world.vendor.journal.total
    const { input_tokens: tokens } = await world.claude.messages.countTokens({ model: claude, messages })
    expect(tokens).toBeGreaterThan(0)
    expect(world.vendor.journal.total).toBe(before)
  })

  test('do not pass with URLs of pictures, which AWS does not fetch', async () => {
    const before = world.vendor.journal.total
    const source = { type: 'url' as const, url: 'https://pictures.invalid/a.png' }
    const content = [{ type: 'image' as const, source }]
    const asked = world.claude.messages.create({
      model: claude,
      max_tokens: 9,
      messages: [{ role: 'user', content }],
    })
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('source') })
    expect(world.vendor.journal.total).toBe(before)
  })

  test('are refused for what is billed separately there', async () => {
    const tools = [{ type: 'web_search_20250305' as const, name: 'web_search' as const }]
    const asked = world.claude.messages.create({ model: claude, max_tokens: 9, messages, tools })
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('tools') })
  })
})
