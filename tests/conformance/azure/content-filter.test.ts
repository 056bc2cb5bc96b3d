import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

/**
 * Results of Azure's content filter for a prompt and an answer, at both of its addresses.
 * https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-filter
 */

type Json = Record<string, unknown>

const safe = { filtered: false, severity: 'safe' }
const verdict = { hate: safe, jailbreak: { detected: false, filtered: false }, violence: safe }
const prompt_filter_results = [{ prompt_index: 0, content_filter_results: verdict }]
const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
const head = { id: 'chatcmpl-1', created: 1_780_491_942, model: 'gpt-4o-2024-11-20' }
const messages = [{ role: 'user' as const, content: 'Hello' }]
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let openai: OpenAI
let claude: Anthropic

const vendor = suiteVendor()
const node = suiteNode(() => {
  const at = (below: string) => ({
    vendor: 'azure' as const,
    base_url: vendor.baseUrl({}, below),
    api_keys: ['k'],
    formats: ['openai-chat' as const],
  })
  return { providers: { dated: at(''), v1: at('/openai/v1') } }
})
const key = suiteKey(node)
beforeAll(() => {
  openai = new OpenAI({ apiKey: key.raw, baseURL: node.baseUrl, maxRetries: 0 })
  claude = new Anthropic({ apiKey: key.raw, baseURL: node.origin, maxRetries: 0 })
})

const whole = (choice: Json): Json => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, logprobs: null, content_filter_results: verdict, ...choice }],
  prompt_filter_results,
  usage,
})

const wholeAnswer = whole({
  finish_reason: 'stop',
  message: { role: 'assistant', content: 'Hi', refusal: null },
})

function streamed(...chunks: readonly Json[]): ReturnType<typeof scripted> {
  const data = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  return scripted(200, data.map((one) => `data: ${one}\n\n`).join(''), {
    'content-type': 'text/event-stream',
  })
}

const chunk = (choice: Json, more: Json = {}): Json => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, finish_reason: null, logprobs: null, ...choice }],
  ...more,
})
const empty = { choices: [], created: 0, id: '', model: '', object: '' }

describe.each([
  ['dated/gpt-4o', '/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21'],
  ['v1/gpt-4o', '/openai/v1/chat/completions'],
])("a result of Azure's filter, for %s at %s", (model, path) => {
  test('is passed on in a plain answer, for the prompt and the answer', async () => {
    vendor.next({ script: scripted(200, wholeAnswer) })
    const answer = await openai.chat.completions.create({ model, messages })
    expect(answer).toMatchObject({
      prompt_filter_results,
      choices: [{ content_filter_results: verdict, message: { content: 'Hi' } }],
    })
    const { request } = vendor.journal.entries.at(-1)!
    expect(request.path).toBe(path)
    expect(request.headers).toMatchObject({ 'api-key': 'k' })
    expect(request.headers).not.toHaveProperty('authorization')
  })

  test('is passed on in a stream, even if it comes after the text', async () => {
    const late = { ...verdict, protected_material_text: { detected: false, filtered: false } }
    const offsets = { check_offset: 0, start_offset: 0, end_offset: 2 }
    vendor.next({
      script: streamed(
        { ...empty, prompt_filter_results },
        chunk({ delta: { role: 'assistant', content: '' }, content_filter_results: {} }),
        chunk({ delta: { content: 'Hi' }, content_filter_results: verdict }),
        // From the asynchronous filter: no text, only its results.
        chunk({ content_filter_results: late, content_filter_offsets: offsets }),
        chunk({ delta: {}, finish_reason: 'stop', content_filter_results: {} }),
        { ...chunk({}), choices: [], usage },
      ),
    })
    const chunks: Json[] = []
    for await (const one of await openai.chat.completions.create({ model, messages, stream: true }))
      chunks.push(one as unknown as Json)
    expect(chunks.find((one) => 'prompt_filter_results' in one)).toMatchObject({ prompt_filter_results })
    const choices = chunks.flatMap((one) => one['choices'] as Json[])
    expect(choices).toContainEqual(expect.objectContaining({ content_filter_results: verdict }))
    expect(choices).toContainEqual(
      expect.objectContaining({ content_filter_results: late, content_filter_offsets: offsets }),
    )
  })

  test('ends a blocked answer with the finish reason of each format', async () => {
    const held = whole({
      finish_reason: 'content_filter',
      content_filter_results: { ...verdict, violence: { filtered: true, severity: 'high' } },
      message: { role: 'assistant', content: 'Once', refusal: null },
    })
    vendor.next({ script: scripted(200, held) })
    const own = await openai.chat.completions.create({ model, messages })
    expect(own.choices[0]).toMatchObject({ finish_reason: 'content_filter' })
    vendor.next({ script: scripted(200, held) })
    const message = await claude.messages.create({ model, max_tokens: 9, messages })
    expect(message).toMatchObject({ stop_reason: 'refusal', content: [{ text: 'Once' }] })
    vendor.next({
      script: streamed(
        { ...empty, prompt_filter_results },
        chunk({ delta: { role: 'assistant', content: 'Once' } }),
        chunk({ delta: {}, finish_reason: 'content_filter' }),
        { ...chunk({}), choices: [], usage },
      ),
    })
    const stream = await claude.messages.stream({ model, max_tokens: 9, messages }).finalMessage()
    expect(stream).toMatchObject({ stop_reason: 'refusal', content: [{ text: 'Once' }] })
  })

  test('that refuses a prompt is the caller’s error, and causes no cooldown', async () => {
    const error = {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: verdict },
    }
    for (const status of [400, 400, 400, 403]) {
      vendor.next({ script: scripted(status, { error }) })
      const refused = openai.chat.completions.create({ model, messages })
      await expect(refused).rejects.toMatchObject({ status, message: expect.stringContaining('filtered') })
    }
    vendor.next({ script: scripted(200, wholeAnswer) })
    expect((await openai.chat.completions.create({ model, messages })).choices).toHaveLength(1)
  })

  test('lets pictures through as OpenAI does', async () => {
    vendor.next({ script: scripted(200, wholeAnswer) })
    const content = [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
    ]
    await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] })
    const { request } = vendor.journal.entries.at(-1)!
    expect(JSON.parse(request.body.toString())).toMatchObject({ messages: [{ role: 'user', content }] })
  })

  test.each([
    [401, { error: { code: '401', message: 'Access denied due to invalid subscription key.' } }, 502],
    [404, { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' } }, 404],
    [429, { error: { code: '429', message: 'Requests have exceeded the call rate limit.' } }, 429],
    [500, { error: { code: 'InternalServerError', message: 'x' } }, 502],
  ])('an error of %s is reported as such', async (status, body, told_) => {
    vendor.next({ script: scripted(status, body) })
    // Cooldowns are covered by another test; a separate node here would take a second for each case.
    const response = await node.chat(key, { model: model.replace('4o', '4o-mini'), messages })
    const { error } = (await response.json()) as { error: { code: number } }
    expect([told_, 503]).toContain(error.code)
    expect(response.status).toBe(error.code)
  })
})
