import { converseFrame, invokeFrame } from '@turnpike/simulators/clouds/frames'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { claude, nova, startBedrockNode, streamed, told } from './bedrock-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/**
 * Exchanges from AWS's documentation: a tool call and its result, by Converse and in Anthropic's format,
 * plain and streamed, and pictures.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */

const question = { role: 'user' as const, content: 'What is the most popular song on WZPZ?' }
const parameters = {
  type: 'object',
  properties: { sign: { type: 'string', description: 'The call sign of a radio station, as WZPZ.' } },
  required: ['sign'],
}
const description = 'Get the most popular song played on a radio station.'
const tool = { type: 'function' as const, function: { name: 'top_song', description, parameters } }
const id = 'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q'
const call = { id, type: 'function' as const, function: { name: 'top_song', arguments: '{"sign":"WZPZ"}' } }
const result = '{"song":"Elemental Hotel","artist":"8 Storey Hike"}'
const jpeg = '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////'

const world = await suiteWorld(startBedrockNode())
const openai = new OpenAI({ apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 0 })

async function lastCost(): Promise<unknown> {
  const { data } = await world.node.admin<{ data: { cost_usd: string }[] }>('/usage/requests?limit=1')
  return data[0]!.cost_usd
}

describe('a tool by Converse', () => {
  const usage = { inputTokens: 100, outputTokens: 50, totalTokens: 150 }
  const toolUse = { toolUseId: id, name: 'top_song', input: { sign: 'WZPZ' } }
  /** 100 × 0.06 + 50 × 0.24 millionths of a dollar. */
  const costUsd = '0.000018'
  const events = [
    converseFrame('messageStart', { role: 'assistant' }),
    converseFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'I look it up.' }, p: 'abc' }),
    converseFrame('contentBlockStop', { contentBlockIndex: 0 }),
    converseFrame('contentBlockStart', {
      contentBlockIndex: 1,
      start: { toolUse: { toolUseId: id, name: 'top_song' } },
    }),
    converseFrame('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '' } } }),
    converseFrame('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"sign":' } } }),
    converseFrame('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '"WZPZ"}' } } }),
    converseFrame('contentBlockStop', { contentBlockIndex: 1 }),
    converseFrame('messageStop', { stopReason: 'tool_use' }),
    converseFrame('metadata', { usage, metrics: { latencyMs: 1_275 } }),
  ]

  test('is called in a plain answer, and its result is sent', async () => {
    const message = { role: 'assistant', content: [{ toolUse }] }
    const asked = { model: nova, tools: [tool] }
    world.vendor.next({ script: told(200, { output: { message }, stopReason: 'tool_use', usage }) })
    const first = await openai.chat.completions.create({ ...asked, messages: [question] })
    expect(first.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [call] } })
    expect(await lastCost()).toBe(costUsd)
    const modelTurn = { role: 'assistant', content: [{ text: 'It is "Elemental Hotel" by 8 Storey Hike.' }] }
    world.vendor.next({
      script: told(200, { output: { message: modelTurn }, stopReason: 'end_turn', usage }),
    })
    const answered = { role: 'tool' as const, tool_call_id: id, content: result }
    const messages = [question, first.choices[0]!.message, answered]
    const second = await openai.chat.completions.create({ ...asked, messages })
    expect(second.choices[0]!.message.content).toContain('Elemental Hotel')
    expect(world.lastSent().body).toMatchObject({
      messages: [
        { role: 'user', content: [{ text: question.content }] },
        { role: 'assistant', content: [{ toolUse }] },
        { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: result }] } }] },
      ],
      toolConfig: {
        tools: [{ toolSpec: { name: 'top_song', description, inputSchema: { json: parameters } } }],
      },
    })
  })

  test('is called in a stream, however the stream is split', async () => {
    for (const seed of [1, 2, 3]) {
      world.vendor.next({ script: streamed(...events), split: { seed } })
      const stream = openai.chat.completions.stream({ model: nova, tools: [tool], messages: [question] })
      const { choices } = await stream.finalChatCompletion()
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { content: 'I look it up.', tool_calls: [call] },
      })
      expect(await lastCost()).toBe(costUsd)
    }
  })

  test('is called for a caller of Messages, in a stream', async () => {
    world.vendor.next({ script: streamed(...events) })
    const tools = [{ name: 'top_song', description, input_schema: parameters as { type: 'object' } }]
    const asked = { model: nova, max_tokens: 500, tools, messages: [question] }
    const message = await world.claude.messages.stream(asked).finalMessage()
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'I look it up.' },
        { type: 'tool_use', id, name: 'top_song', input: { sign: 'WZPZ' } },
      ],
    })
  })
})

describe("Claude, in Anthropic's format", () => {
  const usage = { input_tokens: 100, output_tokens: 50 }
  /** 100 × 3.3 + 50 × 16.5 millionths of a dollar. */
  const costUsd = '0.001155'
  const head = { id: 'msg_bdrk_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929' }
  const toolUse = { type: 'tool_use', id: 'toolu_bdrk_1', name: 'top_song', input: { sign: 'WZPZ' } }
  const tools = [{ name: 'top_song', description, input_schema: parameters as { type: 'object' } }]
  const answer = { ...head, content: [toolUse], stop_reason: 'tool_use', stop_sequence: null, usage }
  const events = [
    { type: 'message_start', message: { ...answer, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { ...toolUse, input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"sign":"W' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: 'ZPZ"}' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 100 } },
  ]

  test('calls a tool, plain and streamed, and gets its result', async () => {
    const asked = { model: claude, max_tokens: 500, tools, messages: [question] }
    world.vendor.next({ script: told(200, answer) })
    const plain = await world.claude.messages.create(asked)
    expect(plain).toMatchObject({ stop_reason: 'tool_use', content: [toolUse] })
    world.vendor.next({ script: streamed(...events.map(invokeFrame)), split: { seed: 4 } })
    const stream = await world.claude.messages.stream(asked).finalMessage()
    expect(stream).toMatchObject({ stop_reason: 'tool_use', content: [toolUse] })
    expect(await lastCost()).toBe(costUsd)
    world.vendor.next({ script: told(200, { ...answer, content: [{ type: 'text', text: 'It is.' }] }) })
    const toolResult = { type: 'tool_result' as const, tool_use_id: toolUse.id, content: result }
    const messages = [
      question,
      { role: 'assistant' as const, content: plain.content },
      { role: 'user' as const, content: [toolResult] },
    ]
    await world.claude.messages.create({ ...asked, messages })
    expect(world.lastSent().body).toEqual({
      max_tokens: 500,
      tools,
      messages,
      anthropic_version: 'bedrock-2023-05-31',
    })
  })

  test('calls it for callers of chat completions, plain and streamed', async () => {
    const asked = { model: claude, tools: [tool], messages: [question] }
    const called = { ...call, id: toolUse.id }
    world.vendor.next({ script: told(200, answer) })
    const plain = await openai.chat.completions.create(asked)
    expect(plain.choices[0]!.message.tool_calls).toEqual([called])
    world.vendor.next({ script: streamed(...events.map(invokeFrame)) })
    const stream = await openai.chat.completions.stream(asked).finalChatCompletion()
    expect(stream.choices[0]!.message.tool_calls).toMatchObject([called])
    expect(world.lastSent().body).toMatchObject({ tools: [{ name: 'top_song', input_schema: parameters }] })
  })

  test('gets a picture from callers of either format', async () => {
    const source = { type: 'base64' as const, media_type: 'image/jpeg' as const, data: jpeg }
    const pictureAnswer = { ...answer, content: [{ type: 'text', text: 'Ants.' }], stop_reason: 'end_turn' }
    const content = [
      { type: 'image' as const, source },
      { type: 'text' as const, text: "What's in this image?" },
    ]
    world.vendor.next({ script: told(200, pictureAnswer) })
    await world.claude.messages.create({
      model: claude,
      max_tokens: 1_024,
      messages: [{ role: 'user', content }],
    })
    expect(world.lastSent().body['messages']).toEqual([{ role: 'user', content }])
    world.vendor.next({ script: told(200, pictureAnswer) })
    const url = `data:image/jpeg;base64,${jpeg}`
    await openai.chat.completions.create({
      model: claude,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: "What's in this image?" },
          ],
        },
      ],
    })
    expect(world.lastSent().body['messages']).toEqual([{ role: 'user', content }])
  })
})

describe("an operator's guardrail", () => {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const blocked = {
    id: 'msg_bdrk_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'Sorry, I cannot talk about that.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
    'amazon-bedrock-trace': { guardrail: { input: { 'gr-1': { topicPolicy: {} } } } },
    'amazon-bedrock-guardrailAction': 'INTERVENED',
  }
  const messages = [question]

  test('turns a blocked answer into a refusal, for callers of any format', async () => {
    world.vendor.next({ script: told(200, blocked) })
    const own = await world.claude.messages.create({ model: claude, max_tokens: 99, messages })
    expect(own).toMatchObject({ stop_reason: 'refusal', content: blocked.content })
    expect(JSON.stringify(own)).not.toMatch(/amazon-bedrock|gr-1/u)
    world.vendor.next({ script: told(200, blocked) })
    const chat = await openai.chat.completions.create({ model: claude, messages })
    expect(chat.choices[0]).toMatchObject({ finish_reason: 'content_filter' })
    world.vendor.next({ script: told(200, { ...blocked, 'amazon-bedrock-guardrailAction': 'NONE' }) })
    const passed = await openai.chat.completions.create({ model: claude, messages })
    expect(passed.choices[0]).toMatchObject({ finish_reason: 'stop' })
  })

  test.each(['content_block_delta', 'message_delta', 'message_stop'])(
    'turns a blocked stream into a refusal if %s says so',
    async (type) => {
      const { 'amazon-bedrock-trace': trace, 'amazon-bedrock-guardrailAction': _action, ...start } = blocked
      const events = [
        { type: 'message_start', message: { ...start, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sorry 🌍.' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ]
      const marks = { 'amazon-bedrock-guardrailAction': 'INTERVENED', 'amazon-bedrock-trace': trace }
      const frames = events.map((event) => invokeFrame(event.type === type ? { ...event, ...marks } : event))
      world.vendor.next({ script: streamed(...frames) })
      const own = await world.claude.messages
        .stream({ model: claude, max_tokens: 99, messages })
        .finalMessage()
      expect(own).toMatchObject({ stop_reason: 'refusal', content: [{ text: 'Sorry 🌍.' }], usage })
      expect(JSON.stringify(own)).not.toMatch(/amazon-bedrock|gr-1/u)
      world.vendor.next({ script: streamed(...frames) })
      const chat = await openai.chat.completions.stream({ model: claude, messages }).finalChatCompletion()
      expect(chat.choices[0]).toMatchObject({ finish_reason: 'content_filter' })
    },
  )

  test('reads the whole prompt: no caller chooses which parts it reads', async () => {
    world.vendor.next({ script: told(200, { ...blocked, 'amazon-bedrock-guardrailAction': 'NONE' }) })
    const own = { 'amazon-bedrock-guardrailConfig': { tagSuffix: 'harmless' } } as object
    const { response } = await world.claude.messages
      .create({ model: claude, max_tokens: 99, messages, ...own })
      .withResponse()
    expect(JSON.stringify(world.lastSent().body)).not.toContain('tagSuffix')
    expect(response.headers.get('x-turnpike-dropped')).toContain('amazon-bedrock-guardrailConfig')
  })
})
