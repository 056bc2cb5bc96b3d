import { describe, expect, test } from 'vitest'
import { startFaultNode } from '../faults/fault-node.ts'
import type { Misbehaviour } from '../faults/faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** What a vendor tells the operator, who is its customer, and no caller may see. */

const usage = {
  prompt_tokens: 10,
  completion_tokens: 4,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 2, audio_tokens: 0, cost: 0.01 },
  completion_tokens_details: { reasoning_tokens: 1 },
  cost: 0.0123,
  is_byok: true,
  cost_details: { upstream_inference_cost: 0.0123 },
  cost_in_usd_ticks: 123_456,
  estimated_cost: 0.0123,
  queue_time: 0.1,
  vendorMargin: '7',
}
const beside = {
  provider: 'SecretHost',
  x_groq: { id: 'req_vendor', usage },
  usage_breakdown: { models: [] },
}
const headers = {
  'openai-organization': 'acme-research',
  'openai-project': 'proj_acme',
  'x-request-id': 'req_vendor',
  'x-ratelimit-limit-requests': '7777',
  'set-cookie': '__cf_bm=vendor; path=/',
  'cf-ray': 'vendor-ray',
  'anthropic-organization-id': 'acme-research',
  'x-litellm-response-cost': '0.0123',
}
const head = { id: 'c', object: 'chat.completion', created: 1, model: 'v' }

/** As a stream whose chunks differ only in their contents, or as a plain answer. */
const tells: Misbehaviour = (_answer, { body }) => {
  const streams = (JSON.parse(body.toString()) as { stream?: boolean }).stream === true
  const delta = (content: string): object => ({ index: 0, delta: { content }, finish_reason: null })
  const chunks: object[] = [
    { ...head, choices: [delta('one')], ...beside },
    { ...head, choices: [delta(' two')], ...beside },
    { ...head, ...beside, choices: [{ ...delta(' three'), usage }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage, ...beside },
  ]
  const message = { role: 'assistant', content: 'one two three' }
  const whole = {
    ...head,
    choices: [{ index: 0, message, finish_reason: 'stop', cost: 1 }],
    usage,
    ...beside,
  }
  const text = streams
    ? `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
    : JSON.stringify(whole)
  return {
    status: 200,
    headers: { 'content-type': streams ? 'text/event-stream' : 'application/json', ...headers },
    steps: [{ type: 'head' }, { type: 'bytes', bytes: Buffer.from(text), tokens: 3 }, { type: 'end' }],
    bill: undefined,
  }
}

const world = await suiteWorld(
  startFaultNode(new Map([['v', tells]]), (urlOf) => ({
    providers: { v: { style: 'openai', base_url: urlOf('v'), api_keys: ['k'] } },
    models: { 'v/m': { pricing: { prompt: '0.000001', completion: '0.000002' } } },
  })),
)

describe.each([
  ['plain', {}],
  ['streamed', { stream: true }],
  ['streamed with usage', { stream: true, stream_options: { include_usage: true } }],
])('an answer, %s', (_how, more) => {
  test("contains the caller's cost, and none of the operator’s", async () => {
    const { response, body, row } = await world.ask({ model: 'v/m', ...more })
    expect(response.status).toBe(200)
    expect(body).toContain('three')
    expect(body).not.toMatch(
      /SecretHost|req_vendor|byok|ticks|cost_details|estimated|queue|argin|0\.0123|x_groq/,
    )
    const usageText = /"usage":(\{.*?\}\}?[^{}]*\})/s.exec(body.replaceAll('"usage":null', ''))?.[1]
    if (!('stream' in more) || 'stream_options' in more)
      expect(JSON.parse(usageText!)).toEqual({
        prompt_tokens: 10,
        completion_tokens: 4,
        total_tokens: 14,
        prompt_tokens_details: { audio_tokens: 0, cached_tokens: 2, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 1 },
        cost_usd: '0.000018',
        cost: 0.000018,
      })
    expect(row.cost_usd).toBe('0.000018')
    // Operators see the vendor's own report.
    expect((row as unknown as { usage: { raw: object } }).usage.raw).toMatchObject({
      is_byok: true,
      cost: 0.0123,
    })
  })

  test('has no header of the vendor', async () => {
    const { response } = await world.ask({ model: 'v/m', ...more })
    const sent = JSON.stringify([...response.headers])
    expect(sent).not.toMatch(/acme|vendor|7777|0\.0123|cookie|cf-ray|litellm/)
    expect(response.headers.get('x-request-id')).toMatch(/^req_0/)
  })
})
