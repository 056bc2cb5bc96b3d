import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { formatted } from '../testing/formatted.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'

const tool = (name: string, beside: object = {}): object => ({
  type: 'function',
  function: { name, description: 'd', parameters: { type: 'object', properties: { a: {} } }, ...beside },
})
const named = (name: string): object => ({ type: 'function', function: { name } })

describe('limits', () => {
  it("are the model's own if the caller sets none", () => {
    expect(formatted({})).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 64_000,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(formatted({ max_completion_tokens: 9, stream: true })).toMatchObject({
      max_tokens: 9,
      stream: true,
    })
  })
})

describe('sampling', () => {
  it('is sent unchanged', () => {
    expect(formatted({ temperature: 0.5, top_k: 3, stop: ['a', 'b'] })).toMatchObject({
      temperature: 0.5,
      top_k: 3,
      stop_sequences: ['a', 'b'],
    })
    expect(formatted({ top_p: 0.5, stop: 'a' })).toMatchObject({ top_p: 0.5, stop_sequences: ['a'] })
    expect(formatted({ temperature: 0.5, top_p: 0.5 }, 'claude-sonnet-4-20250514')).toMatchObject({
      temperature: 0.5,
      top_p: 0.5,
    })
  })

  it('is left out if it has the default value', () => {
    const body = formatted({ temperature: 1, top_p: 1 }, 'claude-opus-5')
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages'])
  })

  it.each([
    [{ temperature: 1.5 }, 'temperature', undefined],
    [{ temperature: 0.5 }, 'temperature', 'claude-opus-4-7'],
    [{ top_p: 0.5 }, 'top_p', 'claude-opus-4-7'],
    [{ top_k: 5 }, 'top_k', 'claude-opus-4-7'],
    [{ temperature: 0.5, top_p: 0.5 }, 'top_p', undefined],
    [{ temperature: 0.5, reasoning_effort: 'high' }, 'temperature', undefined],
    [{ top_p: 0.5, reasoning_effort: 'high' }, 'top_p', undefined],
    [{ top_k: 5, reasoning_effort: 'high' }, 'top_k', undefined],
    [{ stop: ['a', '\n'] }, 'stop', undefined],
    [{ n: 2 }, 'n', undefined],
    [{ logprobs: true }, 'logprobs', undefined],
    [{ frequency_penalty: 0.5 }, 'frequency_penalty', undefined],
    [{ logit_bias: { 1: 5 } }, 'logit_bias', undefined],
    [{ unheard_of: 5 }, 'unheard_of', undefined],
  ])('is a 400 for %j that names %s (%s)', (body, param, model) => {
    expect(() => formatted(body, model)).toThrow(refusal(param))
  })

  it('drops mere hints', () => {
    const hints = { seed: 1, store: true, service_tier: 'flex', verbosity: 'low', prompt_cache_key: 'x' }
    expect(formatted(hints)).toEqual(formatted({}))
  })
})

describe('tools', () => {
  it('have a schema even if they have no parameters', () => {
    const tools = [tool('f'), { ...named('g'), cache_control: { type: 'ephemeral' } }]
    expect(formatted({ tools })).toMatchObject({
      tools: [
        { name: 'f', description: 'd', input_schema: { type: 'object', properties: { a: {} } } },
        {
          name: 'g',
          input_schema: { type: 'object', properties: {} },
          cache_control: { type: 'ephemeral' },
        },
      ],
    })
  })

  it('are strict if the model supports it', () => {
    const tools = [tool('f', { strict: true })]
    expect(formatted({ tools })['tools']).toMatchObject([
      { strict: true, input_schema: { additionalProperties: false } },
    ])
    expect(formatted({ tools }, 'claude-sonnet-4-0')['tools']).not.toMatchObject([{ strict: true }])
  })

  it.each([
    ['none', undefined, { type: 'none' }],
    ['auto', undefined, undefined],
    ['auto', false, { type: 'auto', disable_parallel_tool_use: true }],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    ['required', undefined, { type: 'any' }],
    ['required', false, { type: 'any', disable_parallel_tool_use: true }],
    [named('f'), false, { type: 'tool', name: 'f', disable_parallel_tool_use: true }],
  ])('are written with the choice %j, parallel %j', (choice, parallel, expected) => {
    const body = formatted({
      tools: [tool('f')],
      tool_choice: choice ?? null,
      parallel_tool_calls: parallel ?? null,
    })
    expect(body['tool_choice']).toEqual(expected)
  })

  it('may be missing for the choice of none or any', () => {
    expect(formatted({ tool_choice: 'none', parallel_tool_calls: false })).toEqual(formatted({}))
  })

  it.each([
    [{ tool_choice: 'required' }, 'tool_choice', undefined],
    [{ tools: [tool('f')], tool_choice: named('g') }, 'tool_choice', undefined],
    [{ tools: [tool('f')], tool_choice: 'required' }, 'tool_choice', 'claude-opus-5-5'],
    [{ tools: [tool(answerToolName)] }, 'tools[0].function.name', undefined],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0]', undefined],
  ])('are a 400 for %j', (body, param, model) => {
    expect(() => formatted(body, model)).toThrow(refusal(param))
  })
})

describe('an answer in JSON', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] }
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema, description: 'An a' } }
  const answering = { name: answerToolName, input_schema: { type: 'object' } }

  it("follows its schema through the vendor's own format", () => {
    const body = formatted({ response_format: format, tools: [tool('f')] })
    expect(body['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { a: { type: 'integer', description: 'Must hold: minimum: 1' } },
          required: ['a'],
          additionalProperties: false,
          description: 'An a',
        },
      },
    })
    expect(body['tool_choice']).toBeUndefined()
  })

  it('is a tool call if the model has no such format', () => {
    const body = formatted({ response_format: format }, 'claude-sonnet-4-20250514')
    expect(body).toMatchObject({
      tools: [{ ...answering, input_schema: schema }],
      tool_choice: { type: 'tool', name: answerToolName },
    })
    expect(body['output_config']).toBeUndefined()
  })

  it('of any shape is a tool call, beside other tools', () => {
    const response_format = { type: 'json_object' }
    expect(formatted({ response_format, tools: [tool('f')] })).toMatchObject({
      tools: [{ name: 'f' }, answering],
      tool_choice: { type: 'any' },
    })
    expect(formatted({ response_format, tools: [tool('f')], tool_choice: 'none' })).toMatchObject({
      tools: [{ name: 'f' }, answering],
      tool_choice: { type: 'tool', name: answerToolName },
    })
    expect(formatted({ response_format, tools: [tool('f')], tool_choice: 'required' })['tools']).toHaveLength(
      1,
    )
  })

  it('is requested in words if the model cannot be made to call', () => {
    const response_format = { type: 'json_object' }
    const body = formatted({ response_format, tools: [tool('f')], tool_choice: 'none' }, 'claude-opus-5-5')
    expect(body).toMatchObject({ tools: [answering], tool_choice: { type: 'auto' } })
  })

  it('must be an object', () => {
    const json_schema = { name: 'list', schema: { type: 'array' } }
    expect(() =>
      formatted({ response_format: { type: 'json_schema', json_schema } }, 'claude-sonnet-4-0'),
    ).toThrow(refusal('response_format.json_schema.schema'))
  })
})

describe('the user', () => {
  it('is sent unchanged if it cannot identify a person, otherwise as a hash', () => {
    expect(formatted({ user: 'acct_0123-abcd' })['metadata']).toEqual({ user_id: 'acct_0123-abcd' })
    for (const user of ['jo@example.com', '+41 44 123 45 67', '0441234567']) {
      expect(formatted({ user })['metadata']).toEqual({
        user_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      })
    }
    expect(formatted({ safety_identifier: 'acct_0123-abcd' })['metadata']).toEqual({
      user_id: 'acct_0123-abcd',
    })
  })
})
