import type OpenAI from 'openai'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, test } from 'vitest'
import { scripted, startSdkNode, upstreamKey } from './sdk-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

type Completion = OpenAI.Chat.ChatCompletion
type Chunk = OpenAI.Chat.ChatCompletionChunk

const schemas = openaiSchemas()
const model = 'openai/gpt-4o-mini'
const say = (content: string): { role: 'user'; content: string }[] => [{ role: 'user', content }]

const world = await suiteWorld(startSdkNode())

/** A plain answer, validated by OpenAI's own schema, with our price. */
async function answer(
  body: Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, 'model'>,
): Promise<Completion> {
  const completion = await world.client.chat.completions.create({ model, ...body })
  expect(schemas?.faultsOfCompletion(completion) ?? []).toEqual([])
  expect(completion).toMatchObject({ object: 'chat.completion', model })
  const { cost_usd: exact, cost } = completion.usage as unknown as { cost_usd: string; cost: number }
  expect(exact).toMatch(/^0\.\d+$/u)
  expect(cost).toBe(Number(exact))
  return completion
}

async function streamed(
  body: Omit<OpenAI.Chat.ChatCompletionCreateParamsStreaming, 'model' | 'stream'>,
): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of await world.client.chat.completions.create({ model, ...body, stream: true })) {
    expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([])
    expect(chunk).toMatchObject({ object: 'chat.completion.chunk', model, id: chunks[0]?.id ?? chunk.id })
    chunks.push(chunk)
  }
  return chunks
}

function textOf(chunks: Chunk[], choice = 0): string {
  const choices = chunks.flatMap((chunk) => chunk.choices).filter((one) => one.index === choice)
  return choices.map((one) => one.delta.content ?? '').join('')
}

describe('text', () => {
  test('is plain, with the provider in the headers', async () => {
    const {
      data,
      response,
      request_id: requestId,
    } = await world.client.chat.completions
      .create({ model, messages: say('Grüße, 世界 🙂 [sandbox: pace=0]') })
      .withResponse()
    expect(data.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'Grüße, 世界 🙂', refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ])
    expect(requestId).toMatch(/^req_[0-9a-z]{26}$/u)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'x-turnpike-model': model,
      'x-turnpike-provider': 'openai',
      'x-turnpike-attempts': '1',
      'x-turnpike-cost': (data.usage as unknown as { cost_usd: string }).cost_usd,
    })
    expect(response.headers.has('openai-version')).toBe(false)
    expect(response.headers.get('x-ratelimit-limit-requests')).not.toBe('10000')
    expect(world.lastRequest().headers).toMatchObject({
      authorization: `Bearer ${upstreamKey}`,
      'x-client-request-id': requestId,
    })
  })

  test("has OpenAI's fields, plus only the cost and the tokens written to a cache", async () => {
    const messages = say('one two [sandbox: pace=0 cached=3]')
    const heads = ['choices', 'created', 'id', 'model', 'object', 'service_tier']
    const plain = await answer({ messages })
    expect(Object.keys(plain).toSorted()).toEqual([...heads, 'usage'])
    const { cost_usd: costUsd, cost, ...usage } = plain.usage as unknown as Record<string, unknown>
    expect([typeof costUsd, typeof cost]).toEqual(['string', 'number'])
    expect(usage).toEqual({
      prompt_tokens: expect.any(Number),
      completion_tokens: 2,
      total_tokens: expect.any(Number),
      prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0, cache_write_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    })
    for (const chunk of await streamed({ messages })) expect(Object.keys(chunk).toSorted()).toEqual(heads)
  })

  test('is streamed', async () => {
    const chunks = await streamed({ messages: say('one two three four [sandbox: pace=0]') })
    expect(textOf(chunks)).toBe('one two three four')
    expect(
      chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.finish_reason !== null),
    ).toEqual([expect.objectContaining({ index: 0, finish_reason: 'stop' })])
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false)
    expect(world.lastRequest().json['stream_options']).toEqual({ include_usage: true })
  })

  test('is streamed with include_usage: null in every chunk, and the numbers in the last', async () => {
    const messages = say('one two three [sandbox: pace=0]')
    const chunks = await streamed({ messages, stream_options: { include_usage: true } })
    const last = chunks.pop()!
    expect(last).toMatchObject({ choices: [], usage: { completion_tokens: 3, cost_usd: expect.any(String) } })
    expect(chunks.every((chunk) => chunk.usage === null)).toBe(true)
    const plain = await answer({ messages })
    expect(last.usage).toEqual(plain.usage)
  })

  test('is streamed without include_usage, if the request says so', async () => {
    const chunks = await streamed({
      messages: say('one two [sandbox: pace=0]'),
      stream_options: { include_usage: false, include_obfuscation: false },
    })
    expect(chunks.some((chunk) => 'usage' in chunk || chunk.choices.length === 0)).toBe(false)
    expect(world.lastRequest().json['stream_options']).toEqual({
      include_usage: true,
      include_obfuscation: false,
    })
  })

  test('is accumulated from a stream by the SDK as in the plain answer', async () => {
    const body = { model, messages: say('one two three [sandbox: pace=0]') }
    const final = await world.client.chat.completions.stream(body).finalChatCompletion()
    const { choices } = await answer(body)
    expect(final.choices[0]!.message.content).toBe(choices[0]!.message.content)
    expect(final.choices[0]!.finish_reason).toBe('stop')
  })

  test.each([2, 3])('has %i choices for n', async (n) => {
    const messages = say('one two [sandbox: pace=0]')
    const { choices } = await answer({ messages, n })
    expect(choices.map((choice) => choice.index)).toEqual([...Array(n).keys()])
    expect(choices.every((choice) => choice.message.content === 'one two')).toBe(true)
    const chunks = await streamed({ messages, n })
    for (let choice = 0; choice < n; choice++) expect(textOf(chunks, choice)).toBe('one two')
  })

  test('ends at a stop sequence', async () => {
    const messages = say('one two three four [sandbox: pace=0]')
    const { choices } = await answer({ messages, stop: [' three'] })
    expect(choices[0]).toMatchObject({ message: { content: 'one two' }, finish_reason: 'stop' })
  })

  test('ends at its limit', async () => {
    const messages = say('one two three four [sandbox: pace=0]')
    const { choices, usage } = await answer({ messages, max_completion_tokens: 2 })
    expect(choices[0]).toMatchObject({ message: { content: 'one two' }, finish_reason: 'length' })
    expect(usage!.completion_tokens).toBe(2)
  })

  test('includes reasoning text, plain and streamed', async () => {
    const messages = say('one two [sandbox: pace=0 reasoning=5]')
    const { choices, usage } = await answer({ messages })
    const { reasoning_content: thought } = choices[0]!.message as unknown as { reasoning_content: string }
    expect(thought.split(' ')).toHaveLength(5)
    expect(usage!.completion_tokens_details!.reasoning_tokens).toBe(5)
    const chunks = await streamed({ messages })
    const deltas = chunks.map((chunk) => chunk.choices[0]!.delta as { reasoning_content?: string })
    const streamedThought = deltas.map((delta) => delta.reasoning_content ?? '').join('')
    expect(streamedThought.split(' ')).toHaveLength(5)
    expect(textOf(chunks)).toBe(choices[0]!.message.content)
  })
})

describe('what the vendor receives', () => {
  test.each([
    ['seed', { seed: 7 }],
    ['logprobs', { logprobs: true, top_logprobs: 2 }],
    ['sampling', { temperature: 0.25, top_p: 0.5, frequency_penalty: -1.5, presence_penalty: 2 }],
    [
      'hints',
      { user: 'u', store: true, service_tier: 'flex', prompt_cache_key: 'k', safety_identifier: 's' },
    ],
    ['logit_bias', { logit_bias: { '50256': -100 } }],
    ['output', { modalities: ['text'], verbosity: 'low', reasoning_effort: 'minimal' }],
    ['prediction', { prediction: { type: 'content', content: 'one' } }],
  ])('%s', async (_name, fields) => {
    const body = { messages: say('one [sandbox: pace=0]'), ...fields }
    await answer(body as never)
    expect(world.lastRequest().json).toEqual({ model: 'gpt-4o-mini', ...body })
  })

  test('includes a developer message', async () => {
    const messages = [
      { role: 'developer' as const, content: 'Be terse. [sandbox: pace=0]' },
      { role: 'user' as const, name: 'ann', content: 'one two' },
    ]
    const { choices } = await answer({ messages })
    expect(choices[0]!.message.content).toBe('one two')
    expect(world.lastRequest().json['messages']).toEqual(messages)
  })

  test.each([
    ['a data URL', 'data:image/png;base64,iVBORw0KGgo='],
    ['an http URL', 'https://images.example/a.png?size=2&x=%20'],
  ])('includes a picture by %s', async (_name, url) => {
    const content = [
      { type: 'text' as const, text: 'What is this? [sandbox: pace=0]' },
      { type: 'image_url' as const, image_url: { url, detail: 'low' as const } },
    ]
    const { choices } = await answer({ messages: [{ role: 'user', content }] })
    expect(choices[0]!.message.content).toContain('[image_url]')
    expect(world.lastRequest().json['messages']).toEqual([{ role: 'user', content }])
  })

  test('includes metadata without our tags, which are in the row of the request', async () => {
    const metadata = { tags: ['team-a', 'batch'], purpose: 'test' } as unknown as Record<string, string>
    const { _request_id: id } = await world.client.chat.completions.create(
      { model, messages: say('one [sandbox: pace=0]'), metadata },
      { headers: { 'x-turnpike-tags': 'batch, nightly' } },
    )
    expect(world.lastRequest().json['metadata']).toEqual({ purpose: 'test' })
    expect(world.lastRequest().headers).not.toHaveProperty('x-turnpike-tags')
    const row = await world.node.admin<{ tags: string[] }>(
      `/accounts/${world.key.accountId}/usage/requests/${id}`,
    )
    expect(row.tags.toSorted()).toEqual(['batch', 'nightly', 'team-a'])
  })

  test('comes from a bare model name if it is unique', async () => {
    const completion = await world.client.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: say('one [sandbox: pace=0]'),
    })
    expect(completion.model).toBe(model)
  })
})

describe('what the vendor returns', () => {
  test('includes log probabilities', async () => {
    const token = { token: ' one', logprob: -0.25, bytes: [32, 111, 110, 101], top_logprobs: [] }
    const choice = {
      index: 0,
      message: { role: 'assistant', content: ' one', refusal: null },
      logprobs: { content: [token], refusal: null },
      finish_reason: 'stop',
    }
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
    const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: 'gpt-4o-mini' }
    world.vendor.next({ script: scripted(200, { ...head, choices: [choice], usage }) })
    const completion = await answer({ messages: say('one'), logprobs: true })
    expect(completion.choices).toEqual([choice])
  })

  test('is corrected if it has nulls or values that OpenAI does not know', async () => {
    const message = { role: 'assistant', content: 'one' }
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
    const choices = [{ message, finish_reason: 'eos' }]
    world.vendor.next({ script: scripted(200, { id: '', system_fingerprint: null, choices, usage }) })
    const completion = await answer({ messages: say('one') })
    expect(completion.id).toMatch(/^chatcmpl-req_/u)
    expect(completion.choices).toEqual([
      { index: 0, message: { ...message, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ])
    expect(completion).not.toHaveProperty('system_fingerprint')
  })
})
