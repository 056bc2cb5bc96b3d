import Anthropic from '@anthropic-ai/sdk'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, type TestKey, type TestNode } from '../testing/test-node.ts'
import { plainScript, streamScript } from './vendors/scripted/scripted-answer.ts'
import { asAnthropic } from './vendors/scripted/as-anthropic.ts'
import { asDeepseek } from './vendors/scripted/as-chat.ts'
import { scripted } from './sdk-node.ts'

const claude = 'anthropic/claude-sonnet-4-5'
const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING']
const pricing = { prompt: '0.000003', completion: '0.000015' }
const usage = { input: 12, cached: 0, output: 4, reasoning: 0 }
const messages = [{ role: 'user' as const, content: 'Well?' }]
const drop = { 'x-turnpike-unsupported': 'drop' }
const refuse = { 'x-turnpike-unsupported': 'refuse' }

let vendor: VendorServer
let node: TestNode
let key: TestKey

beforeAll(async () => {
  vendor = await startVendorServer()
  const anthropic = { style: 'anthropic' as const, base_url: vendor.baseUrl({}, ''), api_keys: ['sk'] }
  const deepseek = { style: 'deepseek' as const, base_url: vendor.baseUrl(), api_keys: ['sk'] }
  const openai = { style: 'openai' as const, base_url: vendor.baseUrl(), api_keys: ['sk'] }
  node = await startTestNode({
    input: {
      providers: {
        anthropic,
        easy: { ...anthropic, unsupported_fields: 'drop' },
        deepseek,
        openai,
      },
      routing: { auto: { tiers: Object.fromEntries(tiers.map((tier) => [tier, [claude]])) } },
      models: {
        'anthropic/claude-sonnet-4-5': { pricing },
        'easy/claude-sonnet-4-5': { pricing },
        'deepseek/deepseek-chat': { pricing },
        'openai/gpt': { pricing },
      },
    },
  })
  key = await node.createKey()
})

afterAll(async () => {
  await node.stop()
  await vendor.close()
})

interface Told {
  status: number
  dropped: string | null
  model: string | null
  /** The vendor's request, where it got one. */
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
  test('is refused by default, and by a word', async () => {
    for (const headers of [{}, refuse]) {
      const { status, error, sent, dropped } = await ask({ logit_bias: { 1: 2 } }, headers)
      expect([status, error?.param, sent, dropped]).toEqual([400, 'logit_bias', undefined, null])
    }
  })

  test.each([false, true])('is left out and named where the header says so, stream: %s', async (stream) => {
    const told = await ask({ logit_bias: { 1: 2 }, n: 3, seed: 4, stream }, drop)
    expect([told.status, told.dropped]).toEqual([200, 'n, logit_bias'])
    expect(told.sent).not.toHaveProperty('logit_bias')
    expect((await ask({ stream }, drop)).dropped).toBeNull()
  })

  test('is left out where the body says so as OpenRouter has it', async () => {
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

  test('is left out where its provider has it so, unless the request or its key says otherwise', async () => {
    const body = { model: 'easy/claude-sonnet-4-5', min_p: 0.5 }
    expect(await ask(body)).toMatchObject({ status: 200, dropped: 'min_p' })
    expect(await ask(body, refuse)).toMatchObject({ status: 400, error: { param: 'min_p' } })
    const strict = await withRule('refuse')
    expect(await ask(body, {}, strict)).toMatchObject({ status: 400 })
    expect(await ask(body, drop, strict)).toMatchObject({ status: 200 })
  })

  test('is left out where the key has it so', async () => {
    const easy = await withRule('drop')
    expect(await ask({ min_p: 0.5 }, {}, easy)).toMatchObject({ status: 200, dropped: 'min_p' })
    expect(await ask({ min_p: 0.5 }, refuse, easy)).toMatchObject({ status: 400 })
    await node.admin(`/accounts/${easy.accountId}/keys/${easy.id}`, {
      method: 'PATCH',
      body: { unsupported_fields: null },
    })
    expect(await ask({ min_p: 0.5 }, {}, easy)).toMatchObject({ status: 400 })
  })

  test('is a 400 that says what is expected where the header has another word', async () => {
    const { error } = await ask({}, { 'x-turnpike-unsupported': 'maybe' })
    expect(error).toMatchObject({
      param: 'x-turnpike-unsupported',
      message: 'x-turnpike-unsupported: expected drop or refuse.',
    })
  })

  test('is refused even so where it is what was said, or bounds the answer, or costs', async () => {
    const part = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const audio = { messages: [{ role: 'user', content: [part] }] }
    for (const body of [audio, { inference_geo: 'us' }, { container: 'container_of_somebody' }])
      expect(await ask(body, drop)).toMatchObject({ status: 400, sent: undefined })
  })
})

describe('what was left out', () => {
  test('is named in the words of /v1/messages', async () => {
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

  test('is that of the candidate which answered', async () => {
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

  test('is not a reason to pass the model over that was asked', async () => {
    const body = { models: ['openai/gpt'], min_p: 0.5 }
    expect(await ask(body, drop)).toMatchObject({ model: 'anthropic/claude-sonnet-4-5', dropped: 'min_p' })
  })

  test('is not a reason to pass a model over where auto-routing chooses it', async () => {
    const body = { model: 'auto', min_p: 0.5, logit_bias: { 1: 2 } }
    expect(await ask(body)).toMatchObject({ status: 400, sent: undefined })
    expect(await ask(body, drop)).toMatchObject({ status: 200, model: claude, dropped: 'min_p, logit_bias' })
  })

  test('fits into a header, however much it is', async () => {
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
