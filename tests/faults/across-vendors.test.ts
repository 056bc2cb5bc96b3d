import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { afterAll, describe, expect, test } from 'vitest'
import { asAnthropic } from '../conformance/vendors/scripted/as-anthropic.ts'
import { asOpenai } from '../conformance/vendors/scripted/as-chat.ts'
import { asGoogle } from '../conformance/vendors/scripted/as-google.ts'
import {
  plainScript,
  streamScript,
  type ScriptedAnswer,
  type ScriptedVendor,
} from '../conformance/vendors/scripted/scripted-answer.ts'
import { costOf, startFaultNode } from './fault-node.ts'
import { after, beforeHead, openaiError, refusal, type Misbehaviour } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/**
 * The fallback chain speaks OpenAI's format, then Anthropic's, then Google's: each vendor gets a translation
 * of the caller's original request.
 */

const prices = {
  'chat/gpt': { prompt: '0.000001', completion: '0.000002' },
  'claude/sonnet': { prompt: '0.000003', completion: '0.000015' },
  'gemini/flash': { prompt: '0.0000005', completion: '0.000004' },
}
const vendors = { chat: asOpenai, claude: asAnthropic, gemini: asGoogle }
type VendorName = keyof typeof vendors

const answer: ScriptedAnswer = {
  text: 'Ich sehe nach.',
  calls: [{ id: 'call01abc', name: 'get_weather', arguments: { city: 'Zürich', days: 2 } }],
  usage: { input: 120, cached: 0, output: 40, reasoning: 0 },
}

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather of a city.',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    },
  },
]

const request = {
  model: 'chat/gpt',
  models: ['claude/sonnet', 'gemini/flash'],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Wie wird das Wetter in Zürich?' },
  ],
  tools,
  tool_choice: 'required',
  temperature: 0.5,
  max_tokens: 300,
}

/** Answers in the vendor's format, streamed if the request asks for it. */
function saying(says: ScriptedVendor): Misbehaviour {
  return (_answer, { path, body }) => {
    const streamed = path.includes('streamGenerateContent') || body.includes('"stream":true')
    return streamed ? streamScript(says, answer) : plainScript(says, answer)
  }
}

const overloaded = refusal(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
const exhausted = refusal(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota.' } })

const world = await suiteWorld(
  startFaultNode(new Map(), (urlOf) => ({
    providers: {
      chat: { style: 'openai', base_url: urlOf('chat'), api_keys: ['k'] },
      claude: { style: 'anthropic', base_url: urlOf('claude').replace(/\/v1$/, ''), api_keys: ['k'] },
      gemini: { style: 'google', base_url: `${urlOf('gemini')}beta`, api_keys: ['k'] },
    },
    models: Object.fromEntries(
      Object.entries(prices).map(([id, pricing]) => [
        id,
        { pricing, supported_parameters: ['tools', 'temperature'] },
      ]),
    ),
  })),
)
const client = new OpenAI({ baseURL: world.node.baseUrl, apiKey: world.key.raw, maxRetries: 0 })
afterAll(async () => {
  expect(await world.node.admin('/ledger/verify')).toMatchObject({ ok: true })
})

/** Sends the request by the official SDK. Returns the message (assembled from a stream) and its row. */
async function ask(stream: boolean, user: string) {
  const body = { ...request, user } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  if (!stream) {
    const { data, response } = await client.chat.completions.create(body).withResponse()
    return { completion: data, row: await world.row(response.headers.get('x-request-id')!) }
  }
  const running = client.chat.completions.stream({
    ...body,
    stream_options: { include_usage: true },
  } as never)
  const completion = await running.finalChatCompletion()
  const requestId = /req_\w+/.exec(completion.id)?.[0]
  const { data } = await world.node.admin<{ data: { id: string }[] }>(
    `/accounts/${world.key.accountId}/usage/requests?limit=1`,
  )
  return { completion, row: await world.row(requestId ?? data[0]!.id) }
}

const chain: [string, Partial<Record<VendorName, Misbehaviour>>, VendorName, string[]][] = [
  ['the first answers', {}, 'chat', ['ok']],
  ['the first is down', { chat: openaiError(503, null) }, 'claude', ['status-503', 'ok']],
  [
    'the first is down and the second overloaded',
    { chat: openaiError(500, null), claude: overloaded },
    'gemini',
    ['status-500', 'status-529', 'ok'],
  ],
  [
    'both break off before a token',
    { chat: after(20, 'reset'), claude: beforeHead('reset') },
    'gemini',
    ['connection-lost', 'connection-lost', 'ok'],
  ],
]

describe.each([
  ['plain', false],
  ['streamed', true],
] as const)('%s', (_way, stream) => {
  test.each(chain)('%s', async (_what, broken, served, results) => {
    for (const name of Object.keys(vendors) as VendorName[])
      world.misbehaviours.set(name, broken[name] ?? saying(vendors[name]))
    const user = randomUUID()
    const { completion, row } = await ask(stream, user)
    const model = Object.keys(prices).find((id) => id.startsWith(served)) as keyof typeof prices
    expect(completion.model).toBe(model)
    const [{ message, finish_reason: finish }] = completion.choices as [OpenAI.ChatCompletion.Choice]
    expect([message.content, finish]).toEqual(['Ich sehe nach.', 'tool_calls'])
    const [call] = message.tool_calls as [OpenAI.ChatCompletionMessageFunctionToolCall]
    expect(call.function.name).toBe('get_weather')
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Zürich', days: 2 })
    expect(row.attempts.map(({ result }) => result)).toEqual(results)
    expect(row).toMatchObject({ model_served: model, provider: served, tokens_in: 120, tokens_out: 40 })
    expect(row.cost_usd).toBe(costOf(row, prices[model]))
    expectOriginal(served)
  })

  test('fails if no vendor answers', async () => {
    world.misbehaviours.set('chat', openaiError(500, null))
    world.misbehaviours.set('claude', overloaded)
    world.misbehaviours.set('gemini', exhausted)
    await expect(ask(stream, randomUUID())).rejects.toMatchObject({ status: 503 })
  })
})

/** Expects that the vendor that served got nothing in other vendors' formats, and nothing was lost. */
function expectOriginal(served: VendorName): void {
  const { request: call } = world.vendor.journal.entries.at(-1)!
  const body = JSON.parse(call.body.toString()) as Record<string, unknown>
  expect(body).not.toHaveProperty('models')
  if (served === 'chat') {
    expect(body).toMatchObject({ model: 'gpt', messages: request.messages, tools, temperature: 0.5 })
  } else if (served === 'claude') {
    expect(body).toMatchObject({
      model: 'sonnet',
      max_tokens: 300,
      temperature: 0.5,
      tools: [{ name: 'get_weather', input_schema: tools[0] && { type: 'object', required: ['city'] } }],
      tool_choice: { type: 'any' },
    })
  } else {
    expect(call.path).toContain('/models/flash:')
    expect(body).toMatchObject({
      generationConfig: { maxOutputTokens: 300, temperature: 0.5 },
      tools: [{ functionDeclarations: [{ name: 'get_weather' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    })
  }
}
