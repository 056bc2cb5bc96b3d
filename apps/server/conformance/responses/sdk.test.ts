import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import OpenAI, { APIError } from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { startTestNode, type TestKey, type TestNode } from '../../testing/test-node.ts'
import { scripted, sdk } from '../sdk-node.ts'

const pricing = { prompt: '0.000001', completion: '0.000002' }
const counts = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }

/** What a vendor of each style answers with: a text, or a call of `weather` behind a thought. */
const answers: Record<string, (call: boolean, text: string) => object> = {
  chat: (call, text) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      call
        ? {
            index: 0,
            message: {
              role: 'assistant',
              content: null,
              reasoning_content: 'hm',
              tool_calls: [
                {
                  id: 'call_123',
                  type: 'function',
                  function: { name: 'weather', arguments: '{"city":"Bern"}' },
                },
              ],
            },
            finish_reason: 'tool_calls',
          }
        : { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' },
    ],
    usage: counts,
  }),
  messages: (call, text) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: call
      ? [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'tool_use', id: 'call_123', name: 'weather', input: { city: 'Bern' } },
        ]
      : [{ type: 'text', text }],
    stop_reason: call ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 5, output_tokens: 3 },
  }),
  generate: (call, text) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: call
            ? [
                { text: 'hm', thought: true },
                { functionCall: { name: 'weather', args: { city: 'Bern' } }, thoughtSignature: 'c2ln' },
              ]
            : [{ text }],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 },
  }),
}

const styles = [
  ['openai', 'openai', 'chat', '/v1'],
  ['anthropic', 'anthropic', 'messages', ''],
  ['google', 'google', 'generate', '/v1beta'],
  ['mistral', 'mistral', 'chat', '/v1'],
  ['deepseek', 'deepseek', 'chat', '/v1'],
] as const

let vendor: VendorServer
let node: TestNode
let key: TestKey
let client: OpenAI

beforeAll(async () => {
  vendor = await startVendorServer()
  node = await startTestNode({
    input: {
      providers: Object.fromEntries(
        styles.map(([name, style, , version]) => [
          name,
          { style, base_url: vendor.baseUrl({}, version), api_keys: ['sk'] },
        ]),
      ),
      models: Object.fromEntries(styles.map(([name]) => [`${name}/m`, { pricing }])),
    },
  })
  key = await node.createKey()
  client = sdk(node, key.raw)
})

afterAll(async () => {
  await node.stop()
  await vendor.close()
})

const lastBody = (): Record<string, unknown> =>
  JSON.parse(vendor.journal.entries.at(-1)!.request.body.toString()) as Record<string, unknown>

async function thrownBy(asked: Promise<unknown>): Promise<APIError> {
  const thrown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof APIError) return thrown
  throw new Error(`the SDK threw no APIError: ${String(thrown)}`)
}

describe.each(styles)('a vendor of the style of %s', (name, _style, kind) => {
  const model = `${name}/m`
  const weather = {
    type: 'function' as const,
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: false,
  }

  test('answers, and is counted', async () => {
    vendor.next({ script: scripted(200, answers[kind]!(false, 'Hello there.')) })
    const response = await client.responses.create({ model, input: 'Hello', instructions: 'Be brief.' })
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_req_/u) as string,
      object: 'response',
      model,
      status: 'completed',
      output_text: 'Hello there.',
      instructions: 'Be brief.',
      store: false,
      usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8, cost_usd: '0.000011', cost: 0.000011 },
    })
  })

  test('runs a conversation with a tool, and gets its own reasoning back', async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How is the weather in Bern?' }]
    vendor.next({ script: scripted(200, answers[kind]!(true, '')) })
    const first = await client.responses.create({ model, input, tools: [weather] })
    const [thought, call] = first.output
    expect(thought).toMatchObject({ type: 'reasoning' })
    if (call?.type !== 'function_call') throw new Error('expected a call')
    expect({ name: call.name, arguments: JSON.parse(call.arguments) as unknown }).toEqual({
      name: 'weather',
      arguments: { city: 'Bern' },
    })
    input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]))
    input.push({ type: 'function_call_output', call_id: call.call_id, output: 'rain' })
    vendor.next({ script: scripted(200, answers[kind]!(false, 'It rains.')) })
    const second = await client.responses.create({ model, input, tools: [weather] })
    expect(second.output_text).toBe('It rains.')
    const sent = JSON.stringify(lastBody())
    expect(sent).toContain('rain')
    if (kind !== 'chat') expect(sent).toContain('c2ln')
    expect(sent).not.toContain('turnpike.')
  })

  test('refuses tools that it would have to run, by name', async () => {
    const tools = [{ type: 'code_interpreter' as const, container: { type: 'auto' as const } }]
    const error = await thrownBy(client.responses.create({ model, input: 'x', tools }))
    expect([error.status, error.type, error.param]).toEqual([400, 'invalid_request_error', 'tools[0]'])
  })

  test('is asked without a search of the web', async () => {
    vendor.next({ script: scripted(200, answers[kind]!(false, 'Hello.')) })
    const response = await client.responses.create({ model, input: 'x', tools: [{ type: 'web_search' }] })
    expect(response.tools).toEqual([])
    expect(lastBody()).not.toHaveProperty('tools')
  })
})

describe('the SDK', () => {
  const model = 'openai/m'

  test('streams, event by event', async () => {
    const stream = client.responses.stream({ model, input: 'one two three [sandbox: pace=0]' })
    const types: string[] = []
    let text = ''
    for await (const event of stream) {
      types.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect(types.slice(0, 4)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
    ])
    expect(types.at(-1)).toBe('response.completed')
    const final = await stream.finalResponse()
    expect([final.output_text, text]).toEqual(['one two three', 'one two three'])
    expect(final.usage).toMatchObject({ output_tokens: 3, cost_usd: expect.any(String) as string })
  })

  test('parses a structured answer', async () => {
    vendor.next({ script: scripted(200, answers['chat']!(false, '{"city":"Bern"}')) })
    const format = zodTextFormat(zod.object({ city: zod.string() }), 'place')
    const parsed = await client.responses.parse({ model, input: 'Where?', text: { format } })
    expect(parsed.output_parsed).toEqual({ city: 'Bern' })
    expect(lastBody()['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'place' },
    })
  })

  test('counts, free of charge', async () => {
    const counted = await client.responses.inputTokens.count({ model, input: 'How many tokens is this?' })
    expect(counted.object).toBe('response.input_tokens')
    expect(counted.input_tokens).toBeGreaterThan(3)
    expect(counted.input_tokens).toBeLessThan(20)
  })

  test('sends tags, and finds them in the row of its request', async () => {
    const metadata = { tags: ['team-a'], purpose: 'test' } as unknown as Record<string, string>
    const response = await client.responses.create({ model, input: 'one [sandbox: pace=0]', metadata })
    const id = response.id.slice('resp_'.length)
    const row = await node.admin<{ tags: string[]; endpoint: string }>(
      `/accounts/${key.accountId}/usage/requests/${id}`,
    )
    expect([row.tags, row.endpoint]).toEqual([['team-a'], 'responses'])
    expect(lastBody()).not.toHaveProperty('metadata')
  })

  test('is told that nothing is kept', async () => {
    const kept = [
      client.responses.retrieve('resp_1'),
      client.responses.delete('resp_1'),
      client.conversations.create({}),
    ]
    for (const asked of kept) {
      const error = await thrownBy(asked)
      expect([error.status, error.message]).toEqual([404, expect.stringContaining('not kept here')])
    }
    const error = await thrownBy(
      client.responses.create({ model, input: 'x', previous_response_id: 'resp_1' }),
    )
    expect([error.status, error.param]).toEqual([400, 'previous_response_id'])
  })

  test('is told what went wrong in words that it knows', async () => {
    const unknown = await thrownBy(client.responses.create({ model: 'openai/nobody', input: 'x' }))
    expect([unknown.status, unknown.type]).toEqual([404, 'not_found_error'])
    const stranger = sdk(node, 'sk-turnpike-nobody')
    expect(await thrownBy(stranger.responses.create({ model, input: 'x' }))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    })
    const message = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."
    const refusal = {
      error: { message, type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' },
    }
    vendor.next({ script: scripted(400, refusal) })
    expect(await thrownBy(client.responses.create({ model, input: 'x' }))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    })
  })
})

test('a WebSocket is told to use the stream of events', async () => {
  const { hostname, port } = new URL(node.origin)
  const { request } = process.getBuiltinModule('node:http')
  const status = await new Promise((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    request({ hostname, port, path: '/v1/responses', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(426)
  expect((await fetch(`${node.baseUrl}/responses`)).status).toBe(405)
})
