import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

/** Models of other companies at Google Cloud, each called at its own address within the project. */

const project = '/v1/projects/p/locations/us-central1'
const llama = 'vertex/meta/llama-3.3-70b-instruct-maas'
const mistral = 'vertex/mistral-small@2503'
const messages = [{ role: 'user' as const, content: 'Weather in Paris?' }]
const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
/** 100 × 1 + 50 × 2 millionths of a dollar. */
const costUsd = '0.0002'
const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const call = {
  id: 'abcdefghi',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Paris"}' },
}

interface Sent {
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

let openai: OpenAI

const vendor = suiteVendor()
const node = suiteNode(() => {
  const pricing = { prompt: '0.000001', completion: '0.000002' }
  return {
    providers: {
      vertex: { base_url: vendor.baseUrl({}, `${project}/publishers/google`), api_keys: ['ya29.token'] },
    },
    models: {
      [llama]: { formats: ['openai-chat'], pricing, modalities: { input: ['text', 'image'] } },
      [mistral]: { formats: ['vertex-mistral'], pricing, modalities: { input: ['text', 'image'] } },
    },
  }
})
const key = suiteKey(node)
beforeAll(async () => {
  openai = new OpenAI({ apiKey: key.raw, baseURL: node.baseUrl, maxRetries: 0 })
})

function lastCall(): Sent {
  const { path, headers, body } = vendor.journal.entries.at(-1)!.request
  return { path, headers, body: JSON.parse(body.toString()) as Sent['body'] }
}

async function lastCost(): Promise<unknown> {
  const { data } = await node.admin<{ data: { cost_usd: string }[] }>('/usage/requests?limit=1')
  return data[0]!.cost_usd
}

const partners = [
  { model: llama, named: 'meta/llama-3.3-70b-instruct-maas', path: '/endpoints/openapi/chat/completions' },
  {
    model: mistral,
    named: 'mistral-small',
    path: '/publishers/mistralai/models/mistral-small%402503:rawPredict',
  },
]

describe.each(partners)('$model at Google Cloud', ({ model, named, path }) => {
  const whole = (message: object, finish: string): object => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1_764_000_000,
    model: named,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
  })

  test('answers, and calls tools, at its own address', async () => {
    vendor.next({ script: scripted(200, whole({ content: null, tool_calls: [call] }, 'tool_calls')) })
    const asked = { model, messages, tools: [weather], max_tokens: 9 }
    const { choices } = await openai.chat.completions.create(asked)
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [call] } })
    expect(await lastCost()).toBe(costUsd)
    const { path: called, headers, body } = lastCall()
    expect(called).toBe(project + path)
    expect(headers).toMatchObject({ authorization: 'Bearer ya29.token' })
    expect(body).toMatchObject({ model: named, max_tokens: 9, tools: [weather] })
    expect(body).not.toHaveProperty('max_completion_tokens')
  })

  test('answers in a stream, and is charged by the counts of its last event', async () => {
    const chunk = (delta: object, more: object = {}): object => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1_764_000_000,
      model: named,
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    })
    const events = [
      chunk({ role: 'assistant', content: 'Gr' }),
      chunk({ content: 'ü' }),
      { ...chunk({ content: '' }, { finish_reason: 'stop' }), usage },
    ]
    const text = [...events.map((event) => JSON.stringify(event)), '[DONE]']
    const body = text.map((data) => `data: ${data}\n\n`).join('')
    vendor.next({ script: scripted(200, body, { 'content-type': 'text/event-stream' }) })
    let streamedText = ''
    for await (const { choices } of await openai.chat.completions.create({ model, messages, stream: true }))
      streamedText += choices[0]?.delta.content ?? ''
    expect(streamedText).toBe('Grü')
    expect(await lastCost()).toBe(costUsd)
    const sent = lastCall()
    expect(sent.path).toBe(project + path.replace(':rawPredict', ':streamRawPredict'))
    expect(sent.body).toMatchObject({ model: named, stream: true })
  })

  test('accepts pictures', async () => {
    vendor.next({ script: scripted(200, whole({ content: 'A dot.' }, 'stop')) })
    const url = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
    const content = [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'image_url' as const, image_url: { url } },
    ]
    await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] })
    expect(JSON.stringify(lastCall().body['messages'])).toContain(url)
  })

  test.each([
    [401, { error: { code: 401, message: 'Expired.', status: 'UNAUTHENTICATED' } }, 502],
    [429, [{ error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED' } }], 429],
    [400, { error: { code: 400, message: 'No such thing.', status: 'INVALID_ARGUMENT' } }, 400],
    [503, { error: { code: 503, message: 'Busy.', status: 'UNAVAILABLE' } }, 503],
  ])('is refused with the real reason: %s', async (status, body, told) => {
    vendor.next({ script: scripted(status, body) })
    await expect(openai.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: told })
  })

  test('is not called for data that is stored in the project', async () => {
    const before = vendor.journal.total
    const own = { google: { cached_content: 'projects/p/locations/us-central1/cachedContents/1' } } as object
    const asked = openai.chat.completions.create({ model, messages, ...own })
    await expect(asked).rejects.toMatchObject({ status: 400 })
    expect(vendor.journal.total).toBe(before)
  })
})
