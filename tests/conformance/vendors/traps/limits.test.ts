import { describe, expect, test } from 'vitest'
import { object, type Json } from '../oracle/json.ts'
import { errorOf, startTrapNode } from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

const world = await suiteWorld(startTrapNode())

/** `max_output_tokens` of the models of the test's node. */
const modelLimit = 64_000

describe('limits of the output', () => {
  test("max_tokens absent on Anthropic: the model's own limit, not a small cap", async () => {
    const { sent } = await world.ask('anthropic', {})
    expect(sent).toMatchObject({ max_tokens: modelLimit })
  })

  test.each(['max_tokens', 'max_completion_tokens'])('%s gets each vendor’s name', async (field) => {
    const request = { [field]: 2_000 }
    expect((await world.ask('anthropic', request)).sent).toMatchObject({ max_tokens: 2_000 })
    expect((await world.ask('mistral', request)).sent).toMatchObject({ max_tokens: 2_000 })
    expect((await world.ask('deepseek', request)).sent).toMatchObject({ max_tokens: 2_000 })
    const { sent } = await world.ask('gemini', request)
    expect(sent).toMatchObject({ generationConfig: { maxOutputTokens: 2_000 } })
  })

  test('a reasoning model of OpenAI takes no max_tokens, so it gets max_completion_tokens', async () => {
    const { sent } = await world.ask('openai', { max_tokens: 2_000 })
    expect(sent).toMatchObject({ max_completion_tokens: 2_000 })
    expect(sent).not.toHaveProperty('max_tokens')
  })
})

describe('a field that matters is refused by name', () => {
  const schemaless = { type: 'object', properties: {} }

  test.each<[string, string, Json]>([
    ['anthropic', 'temperature', { temperature: 1.5 }],
    ['mistral', 'temperature', { temperature: 1.9 }],
    ['gemini', 'stop', { stop: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['deepseek', 'stop', { stop: Array.from({ length: 17 }, (_, index) => `stop ${index}`) }],
    ['anthropic', 'n', { n: 2 }],
    ['deepseek', 'n', { n: 2 }],
    ['anthropic', 'logprobs', { logprobs: true }],
    ['mistral', 'logprobs', { logprobs: true }],
    ['anthropic', 'frequency_penalty', { frequency_penalty: 1 }],
    ['anthropic', 'logit_bias', { logit_bias: { '50256': -100 } }],
    ['gemini', 'logit_bias', { logit_bias: { '50256': -100 } }],
    ['deepseek', 'response_format', { response_format: schemaFormat(schemaless, true) }],
    ['anthropic', 'no_such_field', { no_such_field: 1 }],
    ['gemini', 'no_such_field', { no_such_field: 1 }],
  ])('%s: %s', async (vendor, field, request) => {
    const answer = await world.ask(vendor, request)
    expect(answer.status).toBe(400)
    const error = errorOf(answer)
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 400 })
    expect(String(error['param']).split('.')[0]).toBe(field)
    expect(String(error['message'])).toMatch(/^.{10,}$/u)
    expect(answer.sent).toBeUndefined()
  })
})

function schemaFormat(schema: object, strict = false): Json {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict } }
}

describe('a field that does not matter is omitted or translated', () => {
  test.each(['anthropic', 'gemini'])('hints: %s', async (vendor) => {
    const hints = { user: 'user-abc123', seed: 7, store: true, service_tier: 'auto', n: 1, logprobs: false }
    const { status, sent } = await world.ask(vendor, hints)
    expect(status).toBe(200)
    for (const field of ['user', 'store', 'n', 'logprobs']) expect(sent).not.toHaveProperty(field)
  })

  test('values without effect', async () => {
    const neutral = { frequency_penalty: 0, presence_penalty: 0, temperature: 1, top_p: 1, n: 1 }
    for (const vendor of ['anthropic', 'gemini', 'mistral', 'deepseek'])
      expect(await world.ask(vendor, neutral)).toMatchObject({ status: 200 })
  })

  test.each([
    ['anthropic', { stop_sequences: ['END', 'FIN'] }],
    ['gemini', { generationConfig: { stopSequences: ['END', 'FIN'] } }],
    ['mistral', { stop: ['END', 'FIN'] }],
    ['deepseek', { stop: ['END', 'FIN'] }],
  ])('stop sequences: %s', async (vendor, expected) => {
    expect((await world.ask(vendor, { stop: ['END', 'FIN'] })).sent).toMatchObject(expected)
  })

  test('Anthropic gets a JSON schema, and the answer is its content', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    const { status, sent } = await world.ask('anthropic', { response_format: schemaFormat(schema) })
    expect(status).toBe(200)
    expect(object(sent!['output_config'])['format']).toMatchObject({ type: 'json_schema' })
  })
})
