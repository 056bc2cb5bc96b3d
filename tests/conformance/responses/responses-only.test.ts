import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { asOpenai } from '../vendors/scripted/as-chat.ts'
import { asResponses } from '../vendors/scripted/as-responses.ts'
import { plainScript, streamScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { suiteNode, suiteVendor } from '../../nodes/suite.ts'

/* Models of the catalog that OpenAI serves only at `/responses`, called by the SDKs of other APIs. */

let chat: OpenAI
let anthropic: Anthropic

const vendor = suiteVendor()
const node = suiteNode(() => {
  const base_url = vendor.baseUrl()
  return {
    providers: {
      openai: { base_url, api_keys: ['sk'] },
      proxy: { vendor: 'openai', base_url, api_keys: ['sk'] },
    },
    models: {
      'house/pro': {
        pricing: { prompt: '0', completion: '0' },
        upstreams: [{ provider: 'openai', model: 'gpt-5-pro-2025-10-06' }],
      },
      'house/new': {
        pricing: { prompt: '0', completion: '0' },
        formats: ['openai-responses'],
        upstreams: [{ provider: 'proxy', model: 'gpt-99' }],
      },
      'house/mixed': {
        pricing: { prompt: '0', completion: '0' },
        formats: ['openai-responses'],
        upstreams: [{ provider: 'proxy', model: 'gpt-99', formats: ['openai-chat'] }],
      },
    },
  }
})
beforeAll(async () => {
  const { raw } = await node.createKey({ creditUsd: '1000' })
  chat = new OpenAI({ apiKey: raw, baseURL: node.baseUrl, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: raw, baseURL: node.origin, maxRetries: 0 })
})

function says(answer: ScriptedAnswer, stream: boolean, as = asResponses): void {
  vendor.director.forgetPlans()
  vendor.journal.clear()
  vendor.next({ script: (stream ? streamScript : plainScript)(as, answer) })
}

function answers(status: number, body: string): void {
  vendor.director.forgetPlans()
  const bytes = Buffer.from(body)
  vendor.next({
    script: {
      status,
      headers: { 'content-type': 'application/json' },
      steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
      bill: undefined,
    },
  })
}

function sent(): { path: string; body: Record<string, unknown> } {
  const { request } = vendor.journal.entries.at(-1)!
  return { path: request.path, body: JSON.parse(request.body.toString()) as Record<string, unknown> }
}

const usage = { input: 20, cached: 0, output: 5, reasoning: 30 }
const turn: ScriptedAnswer = {
  reasoning: { text: 'Where is it?', signature: 'b3BhcXVl' },
  text: 'I look it up.',
  calls: [{ id: 'call_a', name: 'weather', arguments: { city: 'Zürich' } }],
  usage,
}
const last: ScriptedAnswer = { text: 'Sunny, 24°.', usage }
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } }
/** The vendor's second request, whatever the caller's format is. */
const input = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'b3BhcXVl' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look it up.' }] },
  { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"city":"Zürich"}' },
  { type: 'function_call_output', call_id: 'call_a', output: 'sunny' },
]

describe.each([
  ['openai/gpt-5-pro', false],
  ['openai/gpt-5.2-codex', true],
])('%s', (model, streams) => {
  const ofVendor = model.slice('openai/'.length)

  test.each([true, false])('reasons, calls a tool and answers, by chat; stream: %s', async (stream) => {
    const asked = {
      model,
      reasoning_effort: 'high' as const,
      tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
    }
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Weather?' }]
    says(turn, stream && streams)
    const first = stream
      ? await chat.chat.completions.stream({ ...asked, messages }).finalChatCompletion()
      : await chat.chat.completions.create({ ...asked, messages })
    const [choice] = first.choices
    expect(choice!.finish_reason).toBe('tool_calls')
    expect(choice!.message.tool_calls).toMatchObject([{ id: 'call_a', function: { name: 'weather' } }])
    // The SDK's stream helper keeps only the last piece of fields that it does not know.
    const reasoning_content = stream && streams ? 'is it?' : 'Where is it?'
    expect(choice!.message).toMatchObject({ content: 'I look it up.', reasoning_content })
    expect(sent()).toMatchObject({
      path: '/v1/responses',
      body: { model: ofVendor, store: false, include: ['reasoning.encrypted_content'] },
    })
    expect(sent().body['reasoning']).toEqual({ effort: 'high', summary: 'auto' })

    messages.push(choice!.message, { role: 'tool', tool_call_id: 'call_a', content: 'sunny' })
    says(last, stream && streams)
    const second = stream
      ? await chat.chat.completions.stream({ ...asked, messages }).finalChatCompletion()
      : await chat.chat.completions.create({ ...asked, messages })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Sunny, 24°.' } })
    expect(sent().body['input']).toEqual(input)
  })

  test.each([true, false])('does so by Messages; stream: %s', async (stream) => {
    const asked = {
      model,
      max_tokens: 4_000,
      thinking: { type: 'enabled' as const, budget_tokens: 2_000 },
      tools: [{ name: 'weather', input_schema: parameters }],
    }
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather?' }]
    says(turn, stream && streams)
    const first = stream
      ? await anthropic.messages.stream({ ...asked, messages }).finalMessage()
      : await anthropic.messages.create({ ...asked, messages })
    expect(first.stop_reason).toBe('tool_use')
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(first.content[0]).toMatchObject({ thinking: 'Where is it?' })
    expect(first.usage).toMatchObject({ input_tokens: 20, output_tokens: 35 })

    messages.push(
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a', content: 'sunny' }] },
    )
    says(last, stream && streams)
    const second = stream
      ? await anthropic.messages.stream({ ...asked, messages }).finalMessage()
      : await anthropic.messages.create({ ...asked, messages })
    expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'Sunny, 24°.' }] })
    expect(sent().body['input']).toEqual(input)
  })
})

test.each([
  ['the catalog', 'house/pro', '/v1/responses'],
  ['the configuration of the model', 'house/new', '/v1/responses'],
  ['the configuration of the upstream', 'house/mixed', '/v1/chat/completions'],
])('calls a model at the address from %s', async (_name, model, path) => {
  says(last, false, path === '/v1/responses' ? asResponses : asOpenai)
  const { choices } = await chat.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect([choices[0]!.message.content, sent().path]).toEqual(['Sunny, 24°.', path])
})

test('a refused stream fails with the whole answer, and breaks off with it', async () => {
  const ask = async (): Promise<string> => {
    const body = {
      model: 'openai/gpt-5-pro',
      stream: true as const,
      messages: [{ role: 'user' as const, content: 'Hi' }],
    }
    let text = ''
    for await (const { choices } of await chat.chat.completions.create(body))
      text += choices[0]?.delta.content ?? choices[0]?.finish_reason ?? ''
    return text
  }
  const whole = { id: 'resp_1', object: 'response', output: [], usage: null }
  const failed = { ...whole, status: 'failed', error: { code: 'server_error', message: 'It broke.' } }
  answers(200, JSON.stringify(failed))
  await expect(ask()).rejects.toThrow('It broke.')
  const content = [{ type: 'output_text', text: 'Half', annotations: [] }]
  const incomplete = {
    ...whole,
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ type: 'message', id: 'msg_1', role: 'assistant', content }],
    usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
  }
  answers(200, JSON.stringify(incomplete, undefined, 2))
  expect(await ask()).toBe('Halflength')
  answers(429, '{"error":{"message":"Slow down."}}')
  await expect(ask()).rejects.toThrow('Slow down.')
})

test.each([
  ['openai/o3-deep-research', {}, 'tools'],
  ['openai/computer-use-preview', {}, 'tools'],
  ['openai/gpt-5-pro', { temperature: 0.2 }, 'temperature'],
  ['openai/gpt-5-pro', { top_p: 0.5 }, 'top_p'],
  ['openai/gpt-5-pro', { logprobs: true }, 'logprobs'],
  ['openai/gpt-5-pro', { max_completion_tokens: 3 }, 'max_completion_tokens'],
  ['openai/gpt-5-pro', { n: 2 }, 'n'],
  ['openai/gpt-5-pro', { stop: 'x' }, 'stop'],
])('%s is not called with what it does not support: %s', async (model, more, param) => {
  const { total } = vendor.journal
  const body = { model, messages: [{ role: 'user' as const, content: 'Hi' }], ...more }
  await expect(chat.chat.completions.create(body)).rejects.toMatchObject({ status: 400, param })
  expect(vendor.journal.total).toBe(total)
})

test('leniency omits what the model does not support, and names it', async () => {
  says(last, false)
  const asked = {
    model: 'openai/gpt-5-pro',
    messages: [{ role: 'user' as const, content: 'Hi' }],
    temperature: 0.2,
    stop: 'x',
  }
  const headers = { 'x-turnpike-unsupported': 'drop' }
  const { response } = await chat.chat.completions.create(asked, { headers }).withResponse()
  expect(response.headers.get('x-turnpike-dropped')?.split(/, ?/).toSorted()).toEqual(['stop', 'temperature'])
  expect(Object.keys(sent().body)).not.toContain('temperature')
})

test('disabled reasoning is only hidden if the model must reason', async () => {
  says({ text: 'Hi.', usage }, false)
  await anthropic.messages.create({
    model: 'openai/gpt-5-pro',
    max_tokens: 1_000,
    thinking: { type: 'disabled' },
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(sent().body['reasoning']).toEqual({ effort: 'high' })
})

test('omits hints, and fields for which the model has only one value', async () => {
  says(last, false)
  await chat.chat.completions.create({
    model: 'openai/gpt-5-pro',
    messages: [{ role: 'user', content: 'Hi' }],
    temperature: 1,
    top_p: 1,
    seed: 7,
    reasoning_effort: 'low',
  })
  const { body } = sent()
  expect(body['reasoning']).toMatchObject({ effort: 'high' })
  expect(Object.keys(body)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:temp|top_p|seed)/)]),
  )
})

test.each([
  ['openai/o3-deep-research', 'web_search_preview', 200],
  ['openai/gpt-5-pro', 'web_search_preview', 200],
  // More expensive with models that do not reason.
  ['openai/gpt-4.1', 'web_search_preview', 400],
  ['openai/computer-use-preview', 'computer_use_preview', 200],
])('a caller of Responses gets this status with %s and %s: %i', async (model, type, status) => {
  const action = { type: 'search', query: 'Zürich' }
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action }
  const content = [{ type: 'output_text', text: 'Found.', annotations: [] }]
  const message = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content }
  const isSearch = type === 'web_search_preview'
  answers(
    200,
    JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: isSearch ? [search, { ...search, id: 'ws_2' }, message] : [message],
      // More than fits into its context, which was read repeatedly.
      usage: { input_tokens: isSearch ? 500_000 : 500, output_tokens: 10, total_tokens: 500_010 },
    }),
  )
  const tool = { type, display_width: 1, display_height: 1, environment: 'browser' }
  const asked = chat.responses.create({
    model,
    input: 'Where is it?',
    tools: [tool as OpenAI.Responses.Tool],
  })
  if (status === 400) return expect(asked).rejects.toMatchObject({ status, param: 'tools[0].type' })
  const cost = { 'openai/o3-deep-research': '5.0204', 'openai/gpt-5-pro': '7.5212' }[model] ?? '0.00162'
  expect((await asked).usage).toMatchObject({ cost_usd: cost })
})

const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const asked: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Weather?' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_a', content: 'sunny' },
  { role: 'user', content: [{ type: 'text', text: 'And this?' }, picture] },
]

test.each([
  ['input[0]', 'messages[0]'],
  ['input[3].arguments', 'messages[2]'],
  ['input[4]', 'messages[3]'],
  ['input[5].content[1].image_url', 'messages[4].content[1]'],
  ['input[9]', 'messages'],
  ['max_output_tokens', 'max_completion_tokens'],
  ['reasoning.effort', 'reasoning_effort'],
  ['text.format.schema', 'response_format'],
  ['tools[0].parameters', 'tools[0].function.parameters'],
  ['service_tier', 'service_tier'],
])("an error of the vendor about %s names the caller's %s", async (param, named) => {
  for (const stream of [true, false]) {
    const error = { message: `Invalid '${param}'.`, type: 'invalid_request_error', param, code: null }
    answers(400, JSON.stringify({ error }))
    const body = { model: 'openai/gpt-5.2-codex', messages: asked, stream }
    await expect(chat.chat.completions.create(body)).rejects.toMatchObject({ status: 400, param: named })
  }
  answers(400, JSON.stringify({ error: { message: 'No.', param: 'input[0].content[0]' } }))
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const body = { model: 'openai/gpt-5.2-codex', max_tokens: 100, messages }
  await expect(anthropic.messages.create(body)).rejects.toThrow('messages.0.content')
})
