import { beforeAll, describe, expect, test } from 'vitest'
import { asResponses } from '../vendors/scripted/as-responses.ts'
import { plainScript, streamScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { suiteNode, suiteVendor } from '../../nodes/suite.ts'

/* A vendor of OpenAI's Responses, called by each of the callers' APIs. */

let key: string

const vendor = suiteVendor()
const node = suiteNode(() => {
  const pricing = { prompt: '0.00001', completion: '0.0001', input_cache_read: '0.000001' }
  const model = { pricing, context_length: 400_000, max_output_tokens: 64_000 }
  return {
    providers: { house: { style: 'openai-responses', base_url: vendor.baseUrl(), api_keys: ['sk'] } },
    models: { 'house/gpt-5-pro': { ...model, supported_parameters: ['reasoning', 'tools'] } },
  }
})
beforeAll(async () => {
  key = (await node.createKey({ creditUsd: '100' })).raw
})

interface Asked {
  status: number
  text: string
  /** The vendor's request, with its path. */
  sent: Record<string, unknown>
  at: string
}

async function ask(path: string, body: object, answer?: ScriptedAnswer): Promise<Asked> {
  vendor.journal.clear()
  const isStream = 'stream' in body && body.stream === true
  if (answer !== undefined)
    vendor.next({ script: (isStream ? streamScript : plainScript)(asResponses, answer) })
  const response = await fetch(node.origin + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'house/gpt-5-pro', ...body }),
  })
  const text = await response.text()
  const request = vendor.journal.entries.at(-1)?.request
  const sent = JSON.parse(request?.body.toString() ?? '{}') as Record<string, unknown>
  return { status: response.status, text, sent, at: request?.path ?? '' }
}

const usage = { input: 12, cached: 5, output: 4, reasoning: 3 }
/** 12 and 5 cached tokens in, 7 out. */
const cost = '0.000825'
const answer: ScriptedAnswer = {
  reasoning: { text: 'Let me see.', signature: 'b3BhcXVl' },
  text: 'Grüezi 🌍',
  calls: [{ id: 'call_a', name: 'weather', arguments: { city: 'Zürich' } }],
  usage,
}
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const asked: [path: string, body: object][] = [
  [
    '/v1/chat/completions',
    {
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'weather', parameters } }],
      stream_options: { include_usage: true },
    },
  ],
  [
    '/v1/messages',
    {
      max_tokens: 1_000,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'weather', input_schema: parameters }],
    },
  ],
]
/** A caller of Responses is not translated. */
const own = { input: 'Hi', tools: [{ type: 'function', name: 'weather', parameters }] }

describe.each(asked)('%s', (path, body) => {
  test.each([true, false])('gets an answer, charged exactly; stream: %s', async (stream) => {
    const { stream_options: _options, ...plain } = body as Record<string, unknown>
    const { status, text, sent, at } = await ask(path, stream ? { ...body, stream } : plain, answer)
    expect([status, at]).toEqual([200, '/v1/responses'])
    expect(sent).toMatchObject({
      model: 'gpt-5-pro',
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'weather', strict: false }],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    })
    expect(text).toContain(cost)
    for (const expected of ['Gr', 'Let me', 'weather', 'call_a']) expect(text).toContain(expected)
  })

  test('refuses a tool that the vendor would run', async () => {
    const { tools } = body as { tools: object[] }
    const served = {
      type: path === '/v1/messages' ? 'code_execution_20250825' : 'code_interpreter',
      name: 'x',
    }
    const { status, at } = await ask(path, { ...body, tools: [...tools, served], stream: false })
    expect([status, at]).toEqual([400, ''])
  })
})

describe('/v1/responses', () => {
  test.each([true, false])('passes the answer, charged exactly; stream: %s', async (stream) => {
    const body = { ...own, metadata: { tags: ['a'], purpose: 'x' }, store: true, stream }
    const { status, text, sent, at } = await ask('/v1/responses', body, answer)
    expect([status, at]).toEqual([200, '/v1/responses'])
    expect(sent).toEqual({
      model: 'gpt-5-pro',
      ...own,
      metadata: { purpose: 'x' },
      store: false,
      stream,
      include: ['reasoning.encrypted_content'],
    })
    expect(text).toContain(`"cost_usd":"${cost}"`)
    for (const expected of [
      'Gr',
      'Let me',
      'weather',
      'call_a',
      '"model":"house/gpt-5-pro"',
      '"id":"resp_req_',
    ])
      expect(text).toContain(expected)
  })

  test('refuses a tool that the vendor would run and bill', async () => {
    const tools = [...own.tools, { type: 'code_interpreter', container: { type: 'auto' } }]
    const { status, text, at } = await ask('/v1/responses', { ...own, tools })
    expect([status, at]).toEqual([400, ''])
    expect(text).toContain('"param":"tools[1].type"')
  })
})

test('returns reasoning unchanged, and matches a result with its call', async () => {
  const [path, body] = asked[0]!
  const { stream_options: _options, ...plain } = body as Record<string, unknown>
  const first = await ask(path, plain, answer)
  const { choices } = JSON.parse(first.text) as { choices: { message: object }[] }
  const messages = [
    { role: 'user', content: 'Hi' },
    choices[0]!.message,
    { role: 'tool', tool_call_id: 'call_a', content: 'sunny' },
  ]
  const { status, sent } = await ask(path, { ...plain, messages }, { text: 'Sunny.', usage })
  expect(status).toBe(200)
  expect(sent['input']).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'b3BhcXVl' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Grüezi 🌍' }] },
    { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"city":"Zürich"}' },
    { type: 'function_call_output', call_id: 'call_a', output: 'sunny' },
  ])
})

test.each([
  ['previous_response_id', 'resp_neighbour'],
  ['conversation', 'conv_1'],
  ['prompt', { id: 'pmpt_1' }],
  ['background', true],
])('does not let a caller of chat completions reach %s', async (name, value) => {
  const [path, body] = asked[0]!
  const { stream_options: _options, ...plain } = body as Record<string, unknown>
  const { status, text, at } = await ask(path, { ...plain, [name]: value })
  expect([status, at]).toEqual([400, ''])
  expect(text).toContain(`"param":"${name}"`)
})
