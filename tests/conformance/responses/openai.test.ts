import { describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

/** OpenAI itself for callers of Responses: its tools, its token counts, and its addresses. */

const pricing = { prompt: '0.000001', completion: '0.000002' }
const usage = { input_tokens: 1_000, output_tokens: 10, total_tokens: 1_010 }

const vendor = suiteVendor()
const node = suiteNode(() => {
  const at = { base_url: vendor.baseUrl(), api_keys: ['sk'] }
  return {
    providers: { openai: at, azure: { ...at, base_url: vendor.origin } },
    models: {
      'openai/m': { pricing: { ...pricing, web_search: '0.01' } },
      'openai/unpriced': { pricing, supported_parameters: ['reasoning'] },
      'azure/m': { pricing },
    },
  }
})
const key = suiteKey(node, { creditUsd: '5' })

interface Asked {
  status: number
  headers: Headers
  body: { error?: { param: string }; usage?: { cost_usd: string }; input_tokens?: number }
  sent: Record<string, unknown>
  at: string
}

async function ask(body: object, { path = '', output = [] as object[], of = key } = {}): Promise<Asked> {
  vendor.journal.clear()
  const answer = { id: 'r', object: 'response', status: 'completed', model: 'm', output, usage }
  vendor.next({ script: scripted(200, answer) })
  const response = await node.post(of, `/responses${path}`, { model: 'openai/m', input: 'Hi', ...body })
  const request = vendor.journal.entries.at(-1)?.request
  vendor.director.forgetPlans()
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Asked['body'],
    sent: JSON.parse(request?.body.toString() ?? '{}') as Asked['sent'],
    at: request?.path ?? '',
  }
}

test.each([
  ['openai/m', '/v1/responses'],
  // Without a deployment in the path, and without a version.
  ['azure/m', '/openai/v1/responses'],
])('%s is called at %s', async (model, path) => {
  const { status, at, sent } = await ask({ model })
  expect([status, at, sent['model']]).toEqual([200, path, 'm'])
})

test('callers of chat completions are served by chat completions', async () => {
  vendor.next({ script: scripted(500, { error: { message: 'no' } }) })
  await node.chat(key, { model: 'openai/m', messages: [{ role: 'user', content: 'Hi' }] })
  expect(vendor.journal.entries.at(-1)!.request.path).toBe('/v1/chat/completions')
})

const search = { type: 'web_search', external_web_access: false }
const searched = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }

describe('a search of the web', () => {
  test('passes, and is charged by number', async () => {
    const { status, body, sent } = await ask({ tools: [search] }, { output: [searched, searched] })
    expect([status, sent['tools']]).toEqual([200, [search]])
    // 1,000 of input, 10 of output, 2 searches.
    expect(body.usage!.cost_usd).toBe('0.02102')
  })

  test('is omitted for models without a price for it, and the response says so', async () => {
    const tools = [{ type: 'function', name: 'f', parameters: {} }, search]
    const { status, sent, headers } = await ask({ model: 'openai/unpriced', tools })
    expect([status, sent['tools']]).toEqual([200, [tools[0]]])
    expect(headers.get('x-turnpike-dropped')).toBe('tools[1]')
  })

  test('is limited to what the credit covers', async () => {
    const poor = await node.createKey({ creditUsd: '0.06' })
    const { status, sent, headers } = await ask({ tools: [search], max_output_tokens: 100 }, { of: poor })
    expect(status).toBe(200)
    expect(sent['max_tool_calls']).toBeLessThan(10)
    expect(headers.get('x-turnpike-max-uses')).toBe(String(sent['max_tool_calls']))
  })
})

test.each([
  ['local_shell', {}],
  ['shell', {}],
  ['shell', { environment: { type: 'local' } }],
  ['apply_patch', {}],
  ['computer', {}],
  ['tool_search', {}],
])('accepts %s %j, which the caller runs', async (type, more) => {
  const tools = [{ type, ...more }]
  const { status, sent } = await ask({ tools })
  expect([status, sent['tools']]).toEqual([200, tools])
})

test.each([
  ['a container', { type: 'code_interpreter', container: { type: 'auto' } }, 'tools[0].type'],
  ['a hosted shell', { type: 'shell', environment: { type: 'container_auto' } }, 'tools[0].type'],
  ['pictures', { type: 'image_generation' }, 'tools[0].type'],
  [
    'a server of the caller’s',
    { type: 'mcp', server_label: 'x', server_url: 'https://x.com' },
    'tools[0].type',
  ],
  ['the preview of the search', { type: 'web_search_preview' }, 'tools[0].type'],
  ['an index', { type: 'file_search', vector_store_ids: ['vs_1'] }, 'tools[0].vector_store_ids[0]'],
])('refuses %s by its path, wherever it is offered', async (_what, tool, param) => {
  const plain = await ask({ tools: [tool] })
  expect([plain.status, plain.body.error?.param, plain.at]).toEqual([400, param, ''])
  const input = [
    { type: 'additional_tools', role: 'developer', tools: [tool] },
    { role: 'user', content: 'x' },
  ]
  const inInput = await ask({ input })
  expect([inInput.status, inInput.at]).toEqual([400, ''])
  expect(inInput.body.error?.param).toMatch(/^input\[0\]\.tools\[0\]/u)
})

test('the vendor counts tokens, if it supports all fields of the request for a count', async () => {
  vendor.journal.clear()
  vendor.next({ script: scripted(200, { object: 'response.input_tokens', input_tokens: 4_711 }) })
  const response = await node.post(key, '/responses/input_tokens', {
    model: 'openai/m',
    input: 'Hi',
    max_output_tokens: 5,
    metadata: { a: 'b' },
  })
  expect(await response.json()).toEqual({ object: 'response.input_tokens', input_tokens: 4_711 })
  const { path, body } = vendor.journal.entries.at(-1)!.request
  expect(path).toBe('/v1/responses/input_tokens')
  expect(JSON.parse(body.toString())).toEqual({ model: 'm', input: 'Hi' })
})
