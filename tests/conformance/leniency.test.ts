import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import type { TestKey } from '../nodes/test-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'
import { plainScript, streamScript } from './vendors/scripted/scripted-answer.ts'
import { asAnthropic } from './vendors/scripted/as-anthropic.ts'
import { asDeepseek, asOpenai } from './vendors/scripted/as-chat.ts'
import { scripted } from './sdk-node.ts'

const claude = 'anthropic/claude-sonnet-4-5'
const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING']
const pricing = { prompt: '0.000003', completion: '0.000015' }
const usage = { input: 12, cached: 0, output: 4, reasoning: 0 }
const messages = [{ role: 'user' as const, content: 'Well?' }]
const drop = { 'x-turnpike-unsupported': 'drop' }
const refuse = { 'x-turnpike-unsupported': 'refuse' }

const vendor = suiteVendor()
const node = suiteNode(() => {
  const anthropic = { style: 'anthropic' as const, base_url: vendor.baseUrl({}, ''), api_keys: ['sk'] }
  const deepseek = { style: 'deepseek' as const, base_url: vendor.baseUrl(), api_keys: ['sk'] }
  const openai = { style: 'openai' as const, base_url: vendor.baseUrl(), api_keys: ['sk'] }
  return {
    providers: {
      anthropic,
      easy: { ...anthropic, unsupported_fields: 'drop' },
      texts: anthropic,
      deepseek,
      openai,
    },
    routing: { auto: { tiers: Object.fromEntries(tiers.map((tier) => [tier, [claude]])) } },
    models: {
      'anthropic/claude-sonnet-4-5': { pricing },
      'easy/claude-sonnet-4-5': { pricing },
      'deepseek/deepseek-chat': { pricing, modalities: { input: ['text'] } },
      'texts/deepseek-chat': { pricing, modalities: { input: ['text'] } },
      'texts/anything': { pricing },
      'openai/gpt': { pricing },
    },
  }
})
const key = suiteKey(node)

interface Told {
  status: number
  dropped: string | null
  model: string | null
  /** The vendor's request, if it got one. */
  sent: Record<string, unknown> | undefined
  error: { message: string; param: string } | undefined
}

async function ask(
  body: { model?: string; stream?: boolean; [field: string]: unknown },
  headers: Record<string, string> = {},
  from: TestKey = key,
): Promise<Told> {
  const { entries } = vendor.journal
  const before = entries.length
  const says = body.model?.startsWith('deepseek') === true ? asDeepseek : asAnthropic
  const script = body.stream === true ? streamScript : plainScript
  vendor.next({ script: script(says, { text: 'Yes.', usage }) })
  const asked = { model: 'anthropic/claude-sonnet-4-5', messages, max_tokens: 50, ...body }
  const response = await node.chat(from, asked, { headers })
  const text = await response.text()
  if (entries.length === before) vendor.director.forgetPlans()
  const sent = entries[before]?.request.body.toString()
  return {
    status: response.status,
    dropped: response.headers.get('x-turnpike-dropped'),
    model: response.headers.get('x-turnpike-model'),
    sent: sent === undefined ? undefined : (JSON.parse(sent) as Record<string, unknown>),
    error: response.ok ? undefined : (JSON.parse(text) as { error: Told['error'] }).error,
  }
}

describe('a field that a vendor cannot honour', () => {
  test('is refused by default, and if the header asks for that', async () => {
    for (const headers of [{}, refuse]) {
      const { status, error, sent, dropped } = await ask({ logit_bias: { 1: 2 } }, headers)
      expect([status, error?.param, sent, dropped]).toEqual([400, 'logit_bias', undefined, null])
    }
  })

  test.each([false, true])('is omitted and named if the header asks for that, stream: %s', async (stream) => {
    const response = await ask({ logit_bias: { 1: 2 }, n: 3, seed: 4, stream }, drop)
    expect([response.status, response.dropped]).toEqual([200, 'n, logit_bias'])
    expect(response.sent).not.toHaveProperty('logit_bias')
    expect((await ask({ stream }, drop)).dropped).toBeNull()
  })

  test('is omitted from a schema, which stays', async () => {
    const schema = { type: 'object', properties: { days: { type: 'number' } }, required: ['days'] }
    const response_format = { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } }
    const response = await ask({ model: 'deepseek/deepseek-chat', response_format }, drop)
    expect([response.status, response.dropped]).toEqual([200, 'response_format.json_schema.strict'])
    expect(JSON.stringify(response.sent)).toContain('days')
  })

  test("is omitted if the body asks for that in OpenRouter's way", async () => {
    const lenient = { provider: { require_parameters: false } }
    expect(await ask({ top_k: 3, min_p: 0.5, ...lenient })).toMatchObject({ status: 200, dropped: 'min_p' })
    const strict = { provider: { require_parameters: true } }
    expect(await ask({ min_p: 0.5, ...strict, model: 'easy/claude-sonnet-4-5' })).toMatchObject({
      status: 400,
      error: { param: 'min_p' },
    })
    expect(await ask({ min_p: 0.5, ...lenient }, refuse)).toMatchObject({ status: 400 })
    const wrong = await ask({ provider: { require_parameters: 'no' } })
    expect(wrong).toMatchObject({
      error: {
        param: 'provider.require_parameters',
        message: 'provider.require_parameters: expected true or false.',
      },
    })
  })

  test('is omitted if its provider is configured so, unless request or key say otherwise', async () => {
    const body = { model: 'easy/claude-sonnet-4-5', min_p: 0.5 }
    expect(await ask(body)).toMatchObject({ status: 200, dropped: 'min_p' })
    expect(await ask(body, refuse)).toMatchObject({ status: 400, error: { param: 'min_p' } })
    const strict = await withRule('refuse')
    expect(await ask(body, {}, strict)).toMatchObject({ status: 400 })
    expect(await ask(body, drop, strict)).toMatchObject({ status: 200 })
  })

  test('is omitted if the key is configured so', async () => {
    const easy = await withRule('drop')
    expect(await ask({ min_p: 0.5 }, {}, easy)).toMatchObject({ status: 200, dropped: 'min_p' })
    expect(await ask({ min_p: 0.5 }, refuse, easy)).toMatchObject({ status: 400 })
    await node.admin(`/accounts/${easy.accountId}/keys/${easy.id}`, {
      method: 'PATCH',
      body: { unsupported_fields: null },
    })
    expect(await ask({ min_p: 0.5 }, {}, easy)).toMatchObject({ status: 400 })
  })

  test('is a 400 that lists the accepted values if the header has another value', async () => {
    const { error } = await ask({}, { 'x-turnpike-unsupported': 'maybe' })
    expect(error).toMatchObject({
      param: 'x-turnpike-unsupported',
      message: 'x-turnpike-unsupported: expected drop or refuse.',
    })
  })

  test('is refused in any case if it is content, a limit of the output, or costs extra', async () => {
    const custom = { type: 'custom', custom: { name: 'f' } }
    for (const body of [{ tools: [custom] }, { inference_geo: 'us' }, { container: 'container_of_somebody' }])
      expect(await ask(body, drop)).toMatchObject({ status: 400, sent: undefined })
  })
})

const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }
const read = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [pdf, png] }] },
]
const sentences = [
  '[A document was left out here: you cannot be given it.]',
  '[An image was left out here: you cannot be given it.]',
]

describe('a document and a picture from a tool, for a model that accepts neither', () => {
  const asked = (model: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${node.origin}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key.raw, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, max_tokens: 50, messages: read }),
    })

  test('are a 400 that names the first one by its path', async () => {
    const response = await asked('deepseek/deepseek-chat', {})
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { param: string; message: string } }
    expect(error.param).toBe('messages.2.content.0.content.0')
    expect(error.message).toMatch(/^messages\.2\.content\.0\.content\.0/)
  })

  test.each([
    ['a vendor of another format', 'deepseek/deepseek-chat', asDeepseek],
    ["a vendor of the caller's own format", 'texts/deepseek-chat', asAnthropic],
  ])('are replaced by a sentence each, for %s', async (_what, model, says) => {
    vendor.next({ script: plainScript(says, { text: 'Yes.', usage }) })
    const response = await asked(model, drop)
    expect(response.status, await response.clone().text()).toBe(200)
    const paths = ['messages.2.content.0.content.0', 'messages.2.content.0.content.1']
    expect(response.headers.get('x-turnpike-dropped')).toBe(paths.join(', '))
    const id = response.headers.get('x-request-id')!
    const row = await node.admin<{ dropped: string[] }>(`/accounts/${key.accountId}/usage/requests/${id}`)
    expect(row.dropped).toEqual(paths)
    const sent = vendor.journal.entries.at(-1)!.request.body.toString()
    for (const sentence of sentences) expect(sent).toContain(sentence)
    expect(sent).not.toContain('AAAA')
  })

  test('reach a model whose input types are unknown', async () => {
    vendor.next({ script: plainScript(asAnthropic, { text: 'Yes.', usage }) })
    const response = await asked('texts/anything', drop)
    expect([response.status, response.headers.get('x-turnpike-dropped')]).toEqual([200, null])
    expect(vendor.journal.entries.at(-1)!.request.body.toString()).toContain('AAAA')
  })
})

describe("a field that a vendor of the caller's own format refuses", () => {
  const unknown = (name: string): object => ({
    error: {
      message: `Unknown parameter: '${name}'.`,
      type: 'invalid_request_error',
      param: name,
      code: null,
    },
  })
  const sentBodies = (): Record<string, unknown>[] =>
    vendor.journal.entries.map(
      ({ request }) => JSON.parse(request.body.toString()) as Record<string, unknown>,
    )
  const post = (body: object, headers: Record<string, string> = drop): Promise<Response> =>
    node.chat(key, { model: 'openai/gpt', messages, max_tokens: 50, ...body }, { headers })

  test.each([false, true])('is omitted in a second attempt, and named, stream: %s', async (stream) => {
    vendor.director.forgetPlans()
    vendor.next({ script: scripted(400, unknown('enable_x')) })
    vendor.next({ script: (stream ? streamScript : plainScript)(asOpenai, { text: 'Yes.', usage }) })
    const before = vendor.journal.entries.length
    const response = await post({ enable_x: true, top_k: 3, stream })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(stream ? '[DONE]' : 'Yes.')
    expect(response.headers.get('x-turnpike-dropped')).toBe('enable_x')
    const [first, second] = sentBodies().slice(before)
    expect(first).toMatchObject({ enable_x: true, top_k: 3 })
    const { enable_x: _refused, ...rest } = first!
    expect(second).toEqual(rest)
    const id = response.headers.get('x-request-id')!
    const row = await node.admin<{ attempts: { result: string }[]; dropped: string[] }>(
      `/accounts/${key.accountId}/usage/requests/${id}`,
    )
    expect(row).toMatchObject({ dropped: ['enable_x'] })
    expect(row.attempts.map(({ result }) => result)).toEqual(['status-400', 'ok'])
  })

  test('is omitted once; a further refusal is passed on', async () => {
    vendor.director.forgetPlans()
    vendor.next({ script: scripted(400, unknown('enable_x')) })
    vendor.next({ script: scripted(400, unknown('enable_y')) })
    const before = vendor.journal.entries.length
    const response = await post({ enable_x: true, enable_y: true })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'enable_y' } })
    expect(sentBodies().length - before).toBe(2)
  })

  test.each<[string, object, string, Record<string, string>]>([
    ['without leniency', { enable_x: true }, 'enable_x', {}],
    ['of ours', { metadata: { tags: ['a'], b: 'c' } }, 'metadata', drop],
    ['that limits the answer', {}, 'max_tokens', drop],
  ])('is refused: %s', async (_which, fields, name, headers) => {
    vendor.director.forgetPlans()
    vendor.next({ script: scripted(400, unknown(name)) })
    const before = vendor.journal.entries.length
    const response = await post(fields, headers)
    expect([response.status, sentBodies().length - before]).toEqual([400, 1])
    await response.text()
  })
})

describe('the list of omitted fields', () => {
  test('uses the names of /v1/messages', async () => {
    vendor.next({ script: plainScript(asDeepseek, { text: 'Yes.', usage }) })
    const client = new Anthropic({ authToken: key.raw, baseURL: node.origin, maxRetries: 0 })
    const { response, data } = await client.messages
      .create(
        {
          model: 'deepseek/deepseek-chat',
          max_tokens: 50,
          messages,
          top_k: 3,
          tools: [
            { type: 'web_search_20250305', name: 'web_search' },
            { name: 'f', input_schema: { type: 'object' } },
          ],
        } as Anthropic.MessageCreateParamsNonStreaming,
        { headers: drop },
      )
      .withResponse()
    expect(data.content).toEqual([expect.objectContaining({ type: 'text', text: 'Yes.' })])
    expect(response.headers.get('x-turnpike-dropped')).toBe('tools.0, top_k')
  })

  test('is that of the candidate that answered', async () => {
    vendor.next({ script: scripted(500, {}) })
    const body = { models: ['deepseek/deepseek-chat'], n: 2, response_format: { type: 'json_object' } }
    vendor.next({ script: plainScript(asDeepseek, { text: '{}', usage }) })
    const response = await node.chat(
      key,
      { model: 'anthropic/claude-sonnet-4-5', messages, top_k: 3, frequency_penalty: 1, ...body },
      { headers: drop },
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('x-turnpike-model')).toBe('deepseek/deepseek-chat')
    expect(response.headers.get('x-turnpike-dropped')).toBe('n, top_k')
  })

  test('does not make the gateway skip the requested model', async () => {
    const body = { models: ['openai/gpt'], min_p: 0.5 }
    expect(await ask(body, drop)).toMatchObject({ model: 'anthropic/claude-sonnet-4-5', dropped: 'min_p' })
  })

  test('does not make auto-routing skip a model', async () => {
    const body = { model: 'auto', min_p: 0.5, logit_bias: { 1: 2 } }
    expect(await ask(body)).toMatchObject({ status: 400, sent: undefined })
    expect(await ask(body, drop)).toMatchObject({ status: 200, model: claude, dropped: 'min_p, logit_bias' })
  })

  test('fits into a header, however long it is', async () => {
    const made = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a,"${at}é${'x'.repeat(300)}`, 1]))
    const { status, dropped } = await ask(made, drop)
    expect(status).toBe(200)
    expect(dropped!.length).toBeLessThan(4_000)
    expect(dropped).toMatch(/^a%2C%220%C3%A9x{90,100}\.\.\., .*, and 40 more$/u)
  })
})

async function withRule(rule: 'drop' | 'refuse'): Promise<TestKey> {
  const { accountId } = await node.createKey()
  const made = await node.admin<{ id: string; raw: string; unsupported_fields: string }>(
    `/accounts/${accountId}/keys`,
    { method: 'POST', body: { name: 'with a rule', unsupported_fields: rule } },
  )
  expect(made.unsupported_fields).toBe(rule)
  await node.admin(`/accounts/${accountId}/credits`, {
    method: 'POST',
    body: { amount_usd: '5', key_id: made.id, kind: 'grant', reason: 'test' },
  })
  return { accountId, id: made.id, raw: made.raw }
}
