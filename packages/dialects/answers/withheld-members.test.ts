import { readFileSync } from 'node:fs'
import { allRecordings } from '@turnpike/simulators'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'
import { describe, expect, it, test } from 'vitest'
import type { BridgeHead, BridgeListener, StreamBridge } from '../bridge.ts'
import { openaiChatCaller } from '../openai-chat/caller.ts'
import { formatPricedUsage } from '../openai-chat/caller/usage.ts'
import { parseUsage } from '../openai-chat/vendor/usage.ts'
import { generateFormats } from '../registry.ts'
import { bridged } from '../testing/bridged.ts'
import { openBridge } from './translating-bridge.ts'
import { readWholeAnswer } from './whole-answer.ts'
import { withoutWithheld } from './withheld-members.ts'

const head: BridgeHead = { id: 'c', model: 'm/m', created: 1, includeUsage: true }
const cost = { usd: '0.5' }
const ours = new Set(['usage.cost', 'usage.cost_usd'])
const businesslike = /cost|price|bill|byok|ticks|credit|estimate|^provider$|groq|breakdown|gateway|metrics/i

/** Paths of members that reveal what the operator pays, or to whom. */
function revealingPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => revealingPaths(item, `${path}[]`))
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [...(businesslike.test(name) && !ours.has(at) ? [at] : []), ...revealingPaths(member, at)]
  })
}

/** Objects that a caller gets from a stream's bytes through the gateway's bridge. */
function streamed(bytes: Buffer, name: keyof typeof generateFormats = 'openai-chat'): unknown[] {
  const open = (listener: BridgeListener): StreamBridge =>
    openBridge(openaiChatCaller, generateFormats[name], head, listener)
  const sent = bridged(open, [bytes])
  const text = sent.text + sent.bridge.closing(sent.usage, cost)
  const events = text.split('\n\n').filter((event) => event.startsWith('data: {'))
  return events.map((event) => JSON.parse(event.slice(6)))
}

const chunk = (members: object, choice: object = {}): string =>
  `data: ${JSON.stringify({
    id: 'c',
    model: 'v',
    choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null, ...choice }],
    ...members,
  })}\n\n`
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const last = chunk({ usage: { ...usage, cost: 1, cost_details: { a: 1 } } }, { finish_reason: 'stop' })

const secrets: [string, object, object?][] = [
  ['OpenRouter’s provider', { provider: 'OpenAI' }],
  ['a provider before the choices', { object: 'chat.completion.chunk', provider_name: 'OpenAI' }],
  ['Groq’s own field', { x_groq: { id: 'req_1', usage: { total_time: 1 } } }],
  ['usage by model', { usage_breakdown: { models: [{ model: 'm', usage }] } }],
  ['Hugging Face’s metrics', { sla_metrics: { ts: 1 } }],
  ['a cost', { Estimated_Cost: 0.1 }],
  ['a cost that is nested', { meta: { api: 1, billed_units: { input_tokens: 4 } } }],
  ['another gateway’s', { pydantic_ai_gateway: { cost_estimate: 1 } }],
  ['a cost in the choice', {}, { cost: 0.1 }],
  ['Moonshot’s usage in the choice', {}, { usage: { ...usage, cost: 1 } }],
  ['a cost in the delta', {}, { delta: { content: 'x', costInUsd: 0.1 } }],
  ['a cost within the choice', {}, { info: { a: [{ cost: 0.1 }] } }],
  ['a cost within the delta', {}, { delta: { content: 'x', info: { billed_units: 1 } } }],
  [
    'whose account it was, nested',
    { info: { account_id: 'OpenAI', a: { 'api-key-alias': 'OpenAI', org: 'OpenAI' } } },
  ],
  ['GitHub’s price', { copilot_usage: { total_nano_aiu: 5, cost: 1 } }],
  ['who served', { upstream_provider: 'OpenAI', served_by: 'OpenAI', litellm_call_id: 'OpenAI' }],
  ['a key', { key_alias: 'OpenAI', api_key: 'OpenAI' }],
]

const styles = ['openai-chat', 'mistral-chat', 'deepseek-chat'] as const

describe.each(styles)("callers do not see the operator's business data from %s", (style) => {
  it.each(secrets)('in a stream: %s', (_what, members, choice = {}) => {
    const text = chunk({}) + chunk(members, choice) + chunk(members, choice) + chunk({}) + last
    const events = streamed(Buffer.from(`${text}data: [DONE]\n\n`), style)
    expect(events.flatMap((one) => revealingPaths(one))).toEqual([])
    expect(JSON.stringify(events)).not.toContain('OpenAI')
    const deltas = events.map((one) => (one as { choices: { delta?: object }[] }).choices[0]?.delta)
    const contents = deltas.filter((delta) => delta !== undefined && 'content' in delta)
    expect(contents.map((delta) => (delta as { content: string }).content).join('')).toBe('xxxxx')
    if (style === 'openai-chat')
      for (const delta of contents)
        expect(JSON.stringify(delta)).toMatch(/^\{"content":"x"(,"info":\{\})?\}$/)
  })

  it.each(secrets)('in a whole answer: %s', (_what, members, choice = {}) => {
    const { delta, ...others } = choice as { delta?: object }
    const body = {
      choices: [{ index: 0, message: { content: 'x', ...delta }, finish_reason: 'stop', ...others }],
      usage: { ...usage, is_byok: false, cost_in_usd_ticks: 7 },
      ...members,
    }
    const answer = readWholeAnswer(openaiChatCaller, generateFormats[style], JSON.stringify(body), head)
    const text = answer.body(parseUsage(usage), cost)
    expect(revealingPaths(JSON.parse(text))).toEqual([])
    expect(text).not.toContain('OpenAI')
  })
})

const business = { cost: 'OpenAI', organization_id: 'OpenAI', info: { price: 'OpenAI' } }
const block = { type: 'weird', input: { price: 3 } }
const counted = { input_tokens: 3, output_tokens: 4, ...business }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'v', ...business }
const candidate = {
  content: { role: 'model', parts: [{ text: 'x', ...business }] },
  finishReason: 'STOP',
  ...business,
}
const google = { candidates: [candidate], usageMetadata: { promptTokenCount: 3, ...business }, ...business }

describe('a translated answer does not contain it either', () => {
  it.each<[keyof typeof generateFormats, object, object[]]>([
    [
      'anthropic-messages',
      {
        ...message,
        content: [{ type: 'text', text: 'x', ...business }, block],
        stop_reason: 'end_turn',
        usage: counted,
      },
      [
        { type: 'message_start', message: { ...message, content: [], usage: counted } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'x', ...business } },
        { type: 'content_block_stop', index: 0, ...business },
        { type: 'content_block_start', index: 1, content_block: block },
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', ...business }, usage: counted },
        { type: 'message_stop', ...business },
      ],
    ],
    ['google-generate', google, [google]],
  ])('of %s', (style, whole, events) => {
    const answer = readWholeAnswer(openaiChatCaller, generateFormats[style], JSON.stringify(whole), head)
    const text = answer.body(answer.usage, cost)
    const lines = events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
    const stream = JSON.stringify(streamed(Buffer.from(lines), style))
    for (const output of [text, stream]) {
      expect(output).toContain('"content":"x"')
      expect(output).not.toContain('OpenAI')
      // A tool's arguments are part of the answer itself.
      if (style === 'anthropic-messages') expect(output).toContain('"input":{"price":3}')
    }
  })
})

describe('callers see everything else', () => {
  it('including what an answer says to its reader', () => {
    const body = {
      citations: ['https://a.example/prices'],
      search_results: [{ title: 'Prices', price: '3 USD' }],
      prompt_filter_results: [{ prompt_index: 0 }],
      service_tier: 'default',
      metadata: { a: 'b' },
    }
    expect(withoutWithheld(body)).toBe(body)
  })

  it('even in deeply nested values', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as Record<string, unknown>
    expect(JSON.stringify(withoutWithheld(deep)).length).toBeLessThan(500)
  })
})

const priced = besideCheckout('usagePricing')

test.skipIf(priced === undefined)('no recorded usage body costs its caller more than our usage does', () => {
  const lines = readFileSync(priced!, 'utf8').trim().split('\n')
  let bodies = 0
  for (const line of lines) {
    const { body } = JSON.parse(line) as { body: { usage?: unknown } }
    const counted = parseUsage(body.usage)
    if (counted === undefined) continue
    bodies++
    const answer = { usage: formatPricedUsage(counted, cost) }
    expect(revealingPaths(answer)).toEqual([])
    expect(answer.usage).toMatchObject({ cost: 0.5, cost_usd: '0.5' })
  }
  expect(bodies).toBeGreaterThan(200)
})

const recordings = allRecordings()

describe("a recorded answer contains none of the operator's business data", () => {
  const cases = recordings.cases.filter(({ api, status }) => api === 'chat' && status === 200)
  it.each(cases)('$id', ({ id, stream, features }) => {
    const bytes = recordings.response(id)
    if (features.includes('midstream-error')) return
    if (stream) return expect(streamed(bytes).flatMap((one) => revealingPaths(one))).toEqual([])
    const answer = readWholeAnswer(
      openaiChatCaller,
      generateFormats['openai-chat'],
      bytes.toString('utf8'),
      head,
    )
    expect(revealingPaths(JSON.parse(answer.body(answer.usage, cost)))).toEqual([])
  })
})
