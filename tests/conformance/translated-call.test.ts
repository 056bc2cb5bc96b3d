import type { VendorScript } from '@turnpike/simulators'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, test } from 'vitest'
import { scripted } from './sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'

const schemas = openaiSchemas()

const model = 'claude/opus'
const bytesOnly = 'gem/flash'
const messages = [{ role: 'user', content: 'Grüezi' }]
const usage = { input_tokens: 11, cache_read_input_tokens: 5, output_tokens: 7 }
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' }

const whole = {
  ...head,
  content: [
    { type: 'thinking', thinking: 'Hm, 中', signature: 'c2ln' },
    { type: 'text', text: 'Grüß Gott' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
}

const events: { type: string; [field: string]: unknown }[] = [
  {
    type: 'message_start',
    message: { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm, ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: '中' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Grüß ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Gott' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 7 },
  },
  { type: 'message_stop' },
]

const eventStream = { 'content-type': 'text/event-stream' }
const framed = (given: typeof events): string =>
  given.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')

interface Said {
  content: string
  reasoning_content: string
  reasoning_details: unknown[]
}

const vendorBody = {
  content: 'Grüß Gott',
  reasoning_content: 'Hm, 中',
  reasoning_details: [
    { type: 'reasoning.text', text: 'Hm, 中', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
  ],
}

interface RequestRow {
  outcome: string
  status: number
  cost_usd: string
  attempts: unknown
}

interface Body {
  choices: { message: Said; delta: Partial<Said>; finish_reason: string | null }[]
  usage: Record<string, unknown>
  error: { message: string; param: string | null; code: number; type: string }
}

describe('a call that is translated to another format', () => {
  const vendor = suiteVendor()
  const node = suiteNode(() => {
    const claude = { style: 'anthropic' as const, base_url: vendor.origin, api_keys: ['sk-of-claude'] }
    const gem = { style: 'google' as const, base_url: `${vendor.origin}/v1beta`, api_keys: ['g'] }
    const pricing = { prompt: '0.000003', completion: '0.000015' }
    const described = { context_length: 200_000, max_output_tokens: 8_000, pricing }
    return {
      providers: { claude, gem },
      models: { [model]: described, [bytesOnly]: described },
    }
  })
  const key = suiteKey(node)

  /** The result of this request if the vendor answers so. */
  function asked(fields: object, script?: VendorScript): Promise<Response> {
    if (script !== undefined) vendor.next({ script })
    return node.chat(key, { model, messages, ...fields })
  }

  const streamed = (given: typeof events, headers = {}): VendorScript =>
    scripted(200, framed(given), { ...eventStream, ...headers })

  async function lastRow(): Promise<RequestRow> {
    const { data } = await node.admin<{ data: RequestRow[] }>(
      `/accounts/${key.accountId}/usage/requests?limit=1`,
    )
    return data[0]!
  }

  test('reaches the vendor in its format', async () => {
    await asked({ max_completion_tokens: 50, metadata: { tags: ['a'] } }, scripted(200, whole))
    const { request } = vendor.journal.entries.at(-1)!
    expect(request.path).toBe('/v1/messages')
    expect(request.headers).toMatchObject({ 'x-api-key': 'sk-of-claude', 'anthropic-version': '2023-06-01' })
    expect(request.headers['authorization']).toBeUndefined()
    const body = JSON.parse(request.body.toString()) as Record<string, unknown>
    expect(body).toMatchObject({ model: 'opus', max_tokens: 50 })
    expect(body).not.toHaveProperty('metadata')
  })

  test('gets a plain answer, and is charged', async () => {
    const response = await asked({}, scripted(200, whole, { 'retry-after': '30' }))
    expect(response.headers.get('retry-after')).toBeNull()
    const body = (await response.json()) as Body
    if (schemas !== undefined) expect(schemas.faultsOfCompletion(body)).toEqual([])
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', message: vendorBody })
    expect(body.usage).toMatchObject({ prompt_tokens: 16, completion_tokens: 7, cost_usd: '0.000153' })
    expect(await lastRow()).toMatchObject({ outcome: 'completed', cost_usd: '0.000153' })
  })

  test('gets a stream with the same contents', async () => {
    const response = await asked({ stream: true, stream_options: { include_usage: true } }, streamed(events))
    const { chunks, done } = chunksOf(await response.text())
    if (schemas !== undefined) for (const one of chunks) expect(schemas.faultsOfChunk(one)).toEqual([])
    const deltas = chunks.flatMap((one) => one.choices).map((choice) => choice.delta)
    const joined = (field: 'content' | 'reasoning_content'): string =>
      deltas.map((delta) => delta[field] ?? '').join('')
    expect({
      content: joined('content'),
      reasoning_content: joined('reasoning_content'),
      reasoning_details: deltas.flatMap((delta) => delta.reasoning_details ?? []),
    }).toEqual(vendorBody)
    expect(deltas[0]).toMatchObject({ role: 'assistant' })
    expect(chunks.at(-1)!.usage).toMatchObject({
      prompt_tokens: 16,
      completion_tokens: 7,
      cost_usd: '0.000153',
    })
    expect(done).toBe(true)
    expect(await lastRow()).toMatchObject({ outcome: 'completed', cost_usd: '0.000153' })
  })

  test('ends with an error event if the stream breaks off', async () => {
    const response = await asked({ stream: true }, streamed(events.slice(0, 8)))
    const { chunks, done } = chunksOf(await response.text())
    expect(done).toBe(false)
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'error' }], error: { code: 502 } })
    expect(await lastRow()).toMatchObject({ outcome: 'upstream_cut' })
  })

  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const limited = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }
  test.each([
    ['a whole answer', { stream: true }, scripted(200, whole), 502, /did not return a stream/],
    ['an error as JSON', { stream: true }, scripted(200, overloaded), 503, /overloaded/i],
    [
      'an error as JSON with the type of events',
      { stream: true },
      scripted(200, overloaded, eventStream),
      503,
      /overloaded/i,
    ],
    ['an error event', { stream: true }, streamed([overloaded]), 503, /overloaded/i],
    [
      'our credential',
      {},
      scripted(401, { type: 'error', error: { message: 'bad key' } }),
      502,
      /credential/,
    ],
    ['too many requests', {}, scripted(429, limited, { 'retry-after': '7' }), 429, /Slow down/],
    ['an HTML page', {}, scripted(200, '<html>'), 502, /not return a chat completion/],
  ])('is an error if the answer is %s', async (_name, fields, script, status, message) => {
    const response = await asked(fields, script)
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as Body
    expect(error.message).toMatch(message)
    if (status === 429) expect(response.headers.get('retry-after')).toBe('7')
    expect(await lastRow()).toMatchObject({ outcome: 'failed', status, cost_usd: '0' })
  })

  test.each([
    [{ n: 2 }, 'n'],
    [{ temperature: 1.5 }, 'temperature'],
    [{ logprobs: true }, 'logprobs'],
    [{ something: 1 }, 'something'],
  ])('is refused if it cannot be translated: %j', async (fields, param) => {
    await expectRefused(fields, param)
  })

  test.each([
    ['http://127.0.0.1/a.png'],
    ['http://[::1]/'],
    ['http://localhost/a.png'],
    ['https://a:b@example.com/'],
  ])('is refused if %s would have to be fetched for a vendor that fetches none', async (url) => {
    const content = [{ type: 'image_url', image_url: { url } }]
    const fields = { model: bytesOnly, messages: [{ role: 'user', content }] }
    await expectRefused(fields, 'messages[0].content[0].image_url.url')
  })

  async function expectRefused(fields: object, param: string): Promise<void> {
    const before = vendor.journal.total
    const response = await asked(fields)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as Body
    expect(error).toMatchObject({ param, type: 'invalid_request_error' })
    expect(error.message).not.toContain('127.0.0.1:')
    expect(vendor.journal.total).toBe(before)
    expect(await lastRow()).toMatchObject({ outcome: 'failed', status: 400, cost_usd: '0', attempts: [] })
  }
})

function chunksOf(text: string): { chunks: Body[]; done: boolean } {
  const payloads = text
    .split('\n\n')
    .filter((one) => one.startsWith('data: '))
    .map((one) => one.slice(6))
  const chunks = payloads.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one) as Body)
  return { chunks, done: payloads.at(-1) === '[DONE]' }
}
