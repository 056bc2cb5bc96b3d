import { describe, expect, test } from 'vitest'
import { otherStyles, startMessagesNode, styleNames, styles, type StyleName } from './messages-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** What Claude Code sends, and further fields of the API, with a vendor of each style. */

const reasoning = (model: string): object => ({
  [model]: {
    pricing: { prompt: '0.000001', completion: '0.000002' },
    supported_parameters: ['reasoning', 'reasoning_effort'],
  },
})
const world = await suiteWorld(
  startMessagesNode({
    models: {
      ...reasoning('openai/gpt-5.2'),
      ...reasoning('openai/o4-mini'),
      'anthropic/claude-long': {
        pricing: { prompt: '0.000001', completion: '0.000002' },
        context_length: 1_000_000,
      },
    },
  }),
)

const schema = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
  additionalProperties: false,
}
const format = { type: 'json_schema', schema }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
const own = { name: 'read', input_schema: { type: 'object', properties: {} } }

async function sentTo(style: StyleName, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  world.says(style)
  const answered = await world.post({ model: styles[style].model, ...body })
  expect(answered.body.error).toBeUndefined()
  expect(answered.status).toBe(200)
  return world.lastSent()
}

test.each(styleNames)("a session's title by a JSON schema, from %s", async (style) => {
  world.says(style, { text: '{"title":"Fix the tests"}' })
  const { status, body } = await world.post({
    model: styles[style].model,
    tools: [],
    thinking: { type: 'disabled' },
    metadata: { user_id: JSON.stringify({ device: 'd'.repeat(64), session: 's'.repeat(36) }) },
    output_config: { format },
  })
  expect({ status, content: body['content'] }).toMatchObject({
    status: 200,
    content: [{ type: 'text', text: '{"title":"Fix the tests"}' }],
  })
})

describe('a schema', () => {
  test('is strict for OpenAI, if the model supports that', async () => {
    const responseFormat = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } }
    expect((await sentTo('openai', { output_config: { format } }))['response_format']).toEqual(responseFormat)
    const open = { ...schema, required: [] }
    const loose = await sentTo('openai', { output_config: { format: { type: 'json_schema', schema: open } } })
    expect(loose['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: open },
    })
    const local = await sentTo('local', { output_config: { format } })
    expect(local['response_format']).toEqual({ type: 'json_schema', json_schema: { name: 'answer', schema } })
  })

  test('becomes an instruction for DeepSeek, after other instructions', async () => {
    const sent = await sentTo('deepseek', { system: 'Be brief.', output_config: { format } })
    expect(sent['response_format']).toEqual({ type: 'json_object' })
    const [first, second, third] = sent['messages'] as { role: string; content: string }[]
    expect([first?.content, third?.role]).toEqual(['Be brief.', 'user'])
    expect(second).toMatchObject({
      role: 'system',
      content: expect.stringContaining(JSON.stringify(schema)) as string,
    })
  })

  test('is refused as strict by a vendor that gets it only as an instruction', async () => {
    const response = await world.node.chat(world.key, {
      model: styles.deepseek.model,
      messages: [{ role: 'user', content: 'x' }],
      response_format: { type: 'json_schema', json_schema: { name: 's', strict: true, schema } },
    })
    const { error } = (await response.json()) as { error: { param: string } }
    expect({ status: response.status, param: error.param }).toEqual({
      status: 400,
      param: 'response_format.json_schema.strict',
    })
  })
})

test.each(styleNames)('a text document reaches %s', async (style) => {
  const source = { type: 'text', media_type: 'text/plain', data: 'Grüße aus Bern' }
  const document = { type: 'document', title: 'A letter', source }
  const messages = [{ role: 'user', content: [document, { type: 'text', text: 'From where?' }] }]
  const sent = JSON.stringify(await sentTo(style, { messages }))
  const coded = Buffer.from('Grüße aus Bern').toString('base64')
  expect(sent.includes('Grüße aus Bern') || sent.includes(coded)).toBe(true)
})

test('a picture from a tool becomes the user\u2019s picture for OpenAI', async () => {
  const call = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: {} })
  const result = (id: string, content: object[]): object => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
  })
  const messages = [
    { role: 'user', content: 'Look at both.' },
    { role: 'assistant', content: [call('one'), call('two')] },
    { role: 'user', content: [result('one', [image]), result('two', [{ type: 'text', text: 'done' }])] },
  ]
  const sent = await sentTo('openai', { tools: [own], messages })
  const sentMessages = (sent['messages'] as { role: string; content: unknown }[]).slice(2)
  expect(sentMessages.map(({ role }) => role)).toEqual(['tool', 'tool', 'user'])
  expect(JSON.stringify(sentMessages.slice(0, 2))).not.toContain('image_url')
  expect(sentMessages[2]?.content).toMatchObject([{ type: 'text' }, { type: 'image_url' }])
})

test.each([
  ['openai/gpt-5.2', 'disabled', 'none'],
  ['openai/gpt-5-mini', 'disabled', 'minimal'],
  ['openai/o4-mini', 'disabled', 'low'],
  ['openai/gpt-5.2', 'max', 'xhigh'],
  ['openai/gpt-5-mini', 'max', 'high'],
  ['openai/o4-mini', 'adaptive', 'medium'],
])('%s reasons with %s: %s', async (model, wish, effort) => {
  world.says('openai')
  const thinking = { type: wish === 'max' ? 'adaptive' : wish }
  const config = wish === 'max' ? { output_config: { effort: 'max' } } : {}
  expect((await world.post({ model, thinking, ...config })).status).toBe(200)
  expect(world.lastSent()['reasoning_effort']).toBe(effort)
})

test.each(otherStyles)('fields for Anthropic alone do not reach %s', async (style) => {
  const sent = await sentTo(style, {
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197; cch=1' },
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'system', content: [{ type: 'text', text: 'Two files have changed.' }] },
    ],
    service_tier: 'standard_only',
    cache_control: { type: 'ephemeral', ttl: '1h' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    diagnostics: { previous_message_id: 'msg_01' },
  })
  const text = JSON.stringify(sent)
  for (const word of ['billing', 'cache_control', 'context_management', 'diagnostics', 'standard_only'])
    expect(text).not.toContain(word)
  expect(text).toContain('Be brief.')
  expect(text).toContain('Two files have changed.')
})

test('cache diagnostics pass to Anthropic', async () => {
  const diagnostics = { previous_message_id: 'msg_01' }
  expect((await sentTo('anthropic', { diagnostics }))['diagnostics']).toEqual(diagnostics)
})

describe.each(styleNames)('%s: data stored at the vendor', (style) => {
  test.each<[string, object]>([
    ['thread', { thread: { type: 'continue', previous_message_id: 'msg_01' } }],
    ['container', { container: 'container_01' }],
    ['user_profile_id', { user_profile_id: 'uprof_01' }],
    [
      'messages.0.content.0.source.file_id',
      {
        messages: [
          { role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'file_01' } }] },
        ],
      },
    ],
    [
      'messages.0.content.0.file_id',
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_01' }] }] },
    ],
    [
      'messages.0.content.0.content.0.source.file_id',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'web_fetch_tool_result',
                tool_use_id: 'srvtoolu_1',
                content: [{ type: 'document', source: { type: 'file', file_id: 'file_01' } }],
              },
            ],
          },
        ],
      },
    ],
  ])('cannot be referenced by %s', async (param, body) => {
    const { asked } = world
    const { status, body: answer } = await world.post({ model: styles[style].model, ...body })
    expect({ status, param: answer.error?.param }).toEqual({ status: 400, param })
    expect(world.asked).toBe(asked)
  })
})

describe('the version of the API', () => {
  test.each(['2023-06-01', '2026-10-21'])('is accepted if it is %s', async (version) => {
    world.says('openai')
    const headers = { 'anthropic-version': version }
    expect((await world.post({ model: styles.openai.model }, { headers })).status).toBe(200)
  })

  test.each(['', '/count_tokens'])('is refused if it does not exist: /v1/messages%s', async (path) => {
    const headers = { 'anthropic-version': '2020-01-01' }
    const { status, body } = await world.post({ model: styles.openai.model }, { headers, path })
    expect({ status, ...body.error }).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param: 'anthropic-version',
    })
  })
})

test.each([
  ['a member twice', '"messages":[{"role":"user","role":"user","content":"x"}]', 'messages.0.role'],
  ['another spelling', '"messages":[{"role":"user","Content":"x","content":"x"}]', 'messages.0.Content'],
  ['half a character', '"messages":[{"role":"user","content":"\\ud800"}]', 'messages.0.content'],
  ['a wrong block', '"messages":[{"role":"user","content":[{"type":"text"}]}]', 'messages.0.content.0.text'],
])('a count refuses %s by its path', async (_what, messages, param) => {
  const body = `{"model":"${styles.openai.model}","max_tokens":5,${messages}}`
  for (const path of ['', '/count_tokens']) {
    const { status, body: answer } = await world.post(body, { path })
    expect({ status, param: answer.error?.param }).toEqual({ status: 400, param })
    expect(answer.error?.message.startsWith(param)).toBe(true)
  }
})

test('the hold for a small file with many pages depends on its pages', async () => {
  const pages = '3 0 obj\n<< /Type /Page >>\nendobj\n'.repeat(60)
  const data = Buffer.from(`%PDF-1.4\n${pages}`).toString('base64')
  const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }
  const body = {
    model: styles.anthropic.model,
    max_tokens: 10,
    messages: [{ role: 'user', content: [document, { type: 'text', text: 'Read.' }] }],
  }
  const poor = await world.node.createKey({ creditUsd: '0.1' })
  expect((await world.post(body, { key: poor })).status).toBe(402)
  world.says('anthropic')
  expect((await world.post(body)).status).toBe(200)
})

test.each([
  [
    'anthropic/claude-sonnet-4-6',
    'context-management-2025-06-27,context-1m-2025-08-07,a',
    'context-management-2025-06-27,a',
  ],
  ['anthropic/claude-sonnet-4-6', 'context-1m-2025-08-07', undefined],
  ['anthropic/claude-long', 'context-1m-2025-08-07', 'context-1m-2025-08-07'],
])('%s gets as long a context as it has a price for: %s', async (model, beta, sent) => {
  world.says('anthropic')
  expect((await world.post({ model }, { headers: { 'anthropic-beta': beta } })).status).toBe(200)
  expect(world.vendor.journal.entries.at(-1)!.request.headers['anthropic-beta']).toBe(sent)
})
