import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteNode, suiteVendor } from '../../nodes/suite.ts'

/** Callers of Messages with Claude at Google Cloud: their bytes pass through `rawPredict`. */

const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = { input_tokens: 100, output_tokens: 50 }
const answer = {
  id: 'msg_vrtx_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Grüezi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
}
const below = '/v1/projects/p/locations/global/publishers'
const model = 'claude-sonnet-4-5%4020250929'

let client: Anthropic

const vendor = suiteVendor()
const node = suiteNode(() => {
  const base_url = vendor.baseUrl({}, `${below}/google`)
  const pricing = { prompt: '0.000003', completion: '0.000015' }
  return {
    providers: { vertex: { base_url, api_keys: ['ya29.token'] } },
    models: { 'vertex/claude-sonnet-4-5@20250929': { formats: ['vertex-messages'], pricing } },
  }
})
beforeAll(async () => {
  const key = await node.createKey()
  client = new Anthropic({ apiKey: key.raw, baseURL: node.origin, maxRetries: 0 })
})

describe('Messages to Claude at Google Cloud', () => {
  const lastCall = (): { path: string; headers: Record<string, string>; body: object } => {
    const { path, headers, body } = vendor.journal.entries.at(-1)!.request
    return { path, headers, body: JSON.parse(body.toString()) as object }
  }

  test('pass unchanged, except for the envelope', async () => {
    vendor.next({ script: scripted(200, answer) })
    const body = { max_tokens: 500, top_k: 7, messages }
    const betas = 'interleaved-thinking-2025-05-14,claude-code-20250219'
    const { data, response } = await client.messages
      .create(
        { model: 'vertex/claude-sonnet-4-5@20250929', ...body },
        { headers: { 'anthropic-beta': betas } },
      )
      .withResponse()
    expect(data).toMatchObject({ content: answer.content, usage: { ...usage, cost_usd: '0.00105' } })
    const { path, headers, body: sent } = lastCall()
    expect(path).toBe(`${below}/anthropic/models/${model}:rawPredict`)
    expect(sent).toEqual({ ...body, anthropic_version: 'vertex-2023-10-16' })
    expect(headers).toMatchObject({
      authorization: 'Bearer ya29.token',
      'anthropic-beta': 'interleaved-thinking-2025-05-14',
    })
    expect(headers).not.toHaveProperty('anthropic-version')
    expect(response.headers.get('x-turnpike-dropped')).toBe('anthropic-beta:claude-code-20250219')
  })

  test('are answered in a stream', async () => {
    const events = [
      { type: 'message_start', message: { ...answer, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüezi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    vendor.next({ script: scripted(200, text, { 'content-type': 'text/event-stream' }) })
    const asked = { model: 'vertex/claude-sonnet-4-5@20250929', max_tokens: 500, messages }
    expect(await client.messages.stream(asked).finalMessage()).toMatchObject({ content: answer.content })
    const { path, body } = lastCall()
    expect(path).toBe(`${below}/anthropic/models/${model}:streamRawPredict`)
    expect(body).toMatchObject({ stream: true })
  })

  test.each([
    [401, { error: { code: 401, message: 'Expired.', status: 'UNAUTHENTICATED' } }, 502],
    [429, { error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED' } }, 429],
    [400, { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: no' } }, 400],
  ])('are refused with the real reason: %s', async (status, body, told) => {
    vendor.next({ script: scripted(status, body) })
    const asked = { model: 'vertex/claude-sonnet-4-5@20250929', max_tokens: 500, messages }
    await expect(client.messages.create(asked)).rejects.toMatchObject({ status: told })
  })

  const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }]
  const toolUse = { type: 'tool_use' as const, id: 'toolu_vrtx_1', name: 'weather', input: { city: 'Paris' } }
  const name = 'vertex/claude-sonnet-4-5@20250929'

  test('call tools, plain and streamed', async () => {
    const called = { ...answer, content: [toolUse], stop_reason: 'tool_use' }
    vendor.next({ script: scripted(200, called) })
    const plain = await client.messages.create({ model: name, max_tokens: 500, tools, messages })
    expect(plain).toMatchObject({ stop_reason: 'tool_use', content: [toolUse] })
    expect(lastCall().body).toMatchObject({ tools })
    const events = [
      { type: 'message_start', message: { ...called, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { ...toolUse, input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"city"' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: ':"Paris"}' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    vendor.next({ script: scripted(200, text, { 'content-type': 'text/event-stream' }) })
    const asked = { model: name, max_tokens: 500, tools, messages }
    expect(await client.messages.stream(asked).finalMessage()).toMatchObject({
      stop_reason: 'tool_use',
      content: [toolUse],
    })
  })

  test("accept Claude's tools that the client runs", async () => {
    vendor.next({ script: scripted(200, answer) })
    const own = [
      { type: 'bash_20250124' as const, name: 'bash' as const },
      { type: 'text_editor_20250728' as const, name: 'str_replace_based_edit_tool' as const },
      ...tools,
    ]
    await client.messages.create({ model: name, max_tokens: 9, messages, tools: own })
    expect(lastCall().body).toMatchObject({ tools: own })
  })

  test('accept pictures as bytes, but not by URL, which Google Cloud does not fetch', async () => {
    vendor.next({ script: scripted(200, answer) })
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data }
    const shown = [{ role: 'user' as const, content: [{ type: 'image' as const, source }] }]
    await client.messages.create({ model: name, max_tokens: 9, messages: shown })
    expect(lastCall().body).toMatchObject({ messages: shown })
    const before = vendor.journal.total
    const url = 'https://pictures.invalid/a.png'
    const content = [{ type: 'image' as const, source: { type: 'url' as const, url } }]
    const asked = client.messages.create({
      model: name,
      max_tokens: 9,
      messages: [{ role: 'user', content }],
    })
    await expect(asked).rejects.toMatchObject({ status: 400 })
    expect(vendor.journal.total).toBe(before)
  })

  test.each<[string, object]>([
    ['tools', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }],
    ['mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://mcp.invalid', name: 'x' }] }],
    ['service_tier', { service_tier: 'priority' }],
    ['speed', { speed: 'fast' }],
    ['cache_control', { cache_control: { type: 'ephemeral', ttl: '24h' } }],
  ])('are refused for what is billed separately: %s', async (field, more) => {
    const before = vendor.journal.total
    const asked = client.messages.create({ model: name, max_tokens: 9, messages, ...more })
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(field) })
    expect(vendor.journal.total).toBe(before)
  })

  test('are counted without being answered', async () => {
    const before = vendor.journal.total
    const { input_tokens: tokens } = await client.messages.countTokens({ model: name, messages })
    expect(tokens).toBeGreaterThan(0)
    expect(vendor.journal.total).toBe(before)
  })
})
