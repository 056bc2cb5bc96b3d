import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { parseRequest } from '../../openai-chat/caller/request.ts'
import { refuseUnsupported } from '../../requests/fields/generate-field-rules.ts'
import { targetOf } from '../../testing/target.ts'
import { googleGenerate } from '../vendor.ts'

type Body = Record<string, unknown>

const user = { role: 'user', content: 'Hi' }
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

function format(body: Body, model = 'gemini-3-flash-preview'): Body {
  const { request } = parseRequest({ model: 'google/x', messages: [user], ...body })
  return googleGenerate.operations.generate.formatRequest(request, targetOf('google-generate', model, 8_192))
}

/** The `generationConfig` for a request's body. */
function configured(body: Body, model?: string): unknown {
  return format(body, model)['generationConfig']
}

const tool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells it',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const declaration = {
  name: 'weather',
  description: 'Tells it',
  parametersJsonSchema: tool.function.parameters,
}

describe('a request to Google', () => {
  it('has nothing that the caller did not ask for', () => {
    expect(format({ stream: true, user: 'u', metadata: { tags: ['a'] }, store: true })).toEqual({ contents })
  })

  it("has the generation settings in Google's form", () => {
    const body = {
      max_completion_tokens: 5,
      temperature: 1.5,
      top_p: 0.5,
      top_k: 7,
      frequency_penalty: -1,
      presence_penalty: 1,
      stop: ['a', 'b', 'c', 'd', 'e'],
      n: 2,
      seed: 3,
      logprobs: true,
      top_logprobs: 4,
      modalities: ['text', 'image'],
    }
    expect(configured(body)).toEqual({
      maxOutputTokens: 5,
      temperature: 1.5,
      topP: 0.5,
      topK: 7,
      frequencyPenalty: -1,
      presencePenalty: 1,
      stopSequences: ['a', 'b', 'c', 'd', 'e'],
      candidateCount: 2,
      seed: 3,
      responseLogprobs: true,
      logprobs: 4,
      responseModalities: ['TEXT', 'IMAGE'],
    })
    expect(configured({ logprobs: true })).toEqual({ responseLogprobs: true })
  })

  it.each([
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['n', { n: 9 }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['safety_setting', { safety_setting: [] }],
    ['extra_body.openai', { extra_body: { openai: {} } }],
    ['extra_body.google.topK', { extra_body: { google: { topK: 3 } } }],
    ['google.thinking_config.depth', { google: { thinking_config: { depth: 3 } } }],
    ['google', { google: 'x' }],
    ['safety_settings', { safety_settings: {} }],
    ['cached_content', { cached_content: 3 }],
    ['reasoning_effort', { reasoning_effort: 'extreme' }],
    ['thinking', { thinking: 'a lot' }],
  ])('is refused by the name of the field: %s', (param, body) =>
    expect(() => format(body)).toThrow(refusal(param)),
  )

  it("reduces a seed that Google's numbers cannot hold", () => {
    expect(configured({ seed: 2 ** 40 })).toEqual({ seed: 512 })
  })

  it('has its fields refused or passed on as the table says', () => {
    const enforce = (body: Body): void => {
      const { request } = parseRequest({ model: 'google/x', messages: [user], ...body })
      refuseUnsupported(request, googleGenerate.operations.generate.fields, 'google/x')
    }
    expect(() =>
      enforce({ safety_settings: [], extra_body: { google: {} }, user: 'u', store: true }),
    ).not.toThrow()
    for (const body of [{ logit_bias: { 1: 2 } }, { min_p: 0.1 }, { web_search_options: {} }])
      expect(() => enforce(body)).toThrow(refusal(Object.keys(body)[0]!))
  })

  it("may have the fields that Google's own endpoint accepts from OpenAI's clients", () => {
    const safety_settings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }]
    const thinking_config = { thinking_budget: 10, include_thoughts: true }
    const google = { cached_content: 'cachedContents/1', thinking_config }
    expect(format({ safety_settings, extra_body: { google }, reasoning_effort: 'high' })).toEqual({
      contents,
      safetySettings: safety_settings,
      cachedContent: 'cachedContents/1',
      generationConfig: { thinkingConfig: { thinkingBudget: 10, includeThoughts: true } },
    })
  })

  it('asks for JSON, and for a schema', () => {
    expect(configured({ response_format: { type: 'json_object' } })).toEqual({
      responseMimeType: 'application/json',
    })
    const json_schema = {
      name: 'n',
      description: 'd',
      strict: true,
      schema: { type: 'object', properties: {} },
    }
    expect(configured({ response_format: { type: 'json_schema', json_schema } })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { description: 'd', type: 'object', properties: {} },
    })
    expect(configured({ response_format: { type: 'text' } })).toBeUndefined()
  })
})

describe('tools for Google', () => {
  it.each([
    [undefined, undefined],
    ['none', { mode: 'NONE' }],
    ['auto', { mode: 'AUTO' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'weather' } },
      { mode: 'ANY', allowedFunctionNames: ['weather'] },
    ],
  ])('may, must or must not be called: %j', (tool_choice, functionCallingConfig) => {
    const config = functionCallingConfig === undefined ? {} : { toolConfig: { functionCallingConfig } }
    expect(format({ tools: [tool], tool_choice })).toEqual({
      contents,
      tools: [{ functionDeclarations: [declaration] }],
      ...config,
    })
  })

  it('are left out if there are none', () => {
    expect(format({ tools: [], tool_choice: 'auto' })).toEqual({ contents })
  })

  it('follow their schemas if all are strict and the model supports it', () => {
    const strict = { ...tool, function: { ...tool.function, strict: true } }
    const mode = (tools: unknown[], model?: string): unknown => format({ tools }, model)['toolConfig']
    expect(mode([strict])).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } })
    expect(mode([strict, tool])).toBeUndefined()
    expect(mode([strict], 'gemini-2.0-flash')).toBeUndefined()
  })

  it.each([
    undefined,
    {},
    { type: 'object', properties: {} },
    { type: 'object', properties: {}, required: [] },
  ])('without parameters have no schema: %j', (parameters) => {
    const tools = [{ type: 'function', function: { name: 'now', parameters } }]
    expect(format({ tools })['tools']).toEqual([{ functionDeclarations: [{ name: 'now' }] }])
  })

  it('that accept any fields keep their schema', () => {
    const parameters = { type: 'object', additionalProperties: { type: 'string' } }
    const tools = [{ type: 'function', function: { name: 'set', parameters } }]
    expect(format({ tools })['tools']).toEqual([
      { functionDeclarations: [{ name: 'set', parametersJsonSchema: parameters }] },
    ])
  })

  it('are named in the error if their schema has a broken reference', () => {
    const broken = { type: 'function', function: { name: 'x', parameters: { $ref: '#/gone' } } }
    expect(() => format({ tools: [tool, broken] })).toThrow(refusal('tools[1].function.parameters'))
  })

  it('are refused beside JSON answers of older models, unless they must not be called', () => {
    const body = { tools: [tool], response_format: { type: 'json_object' } }
    expect(() => format(body, 'gemini-2.5-flash')).toThrow(refusal('response_format'))
    expect(format(body, 'gemini-3-pro')['tools']).toBeDefined()
    expect(format({ ...body, tool_choice: 'none' }, 'gemini-2.5-flash')).toEqual({
      contents,
      generationConfig: { responseMimeType: 'application/json' },
    })
  })
})

describe('the path', () => {
  it.each([
    ['gemini-2.5-flash', false, '/models/gemini-2.5-flash:generateContent'],
    ['gemini-2.5-flash', true, '/models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
    ['a/b?c', false, '/models/a%2Fb%3Fc:generateContent'],
  ])('is, for %s and streaming %s, %s', (model, stream, path) => {
    expect(googleGenerate.operations.generate.path(model, stream)).toBe(path)
  })
})

const off = { thinkingBudget: 0 }
const levels: [string, Body, unknown][] = [
  ['gemini-3-flash-preview', {}, undefined],
  ['gemini-3-flash-preview', { reasoning_effort: 'none' }, { thinkingLevel: 'MINIMAL' }],
  [
    'gemini-3.1-flash-lite',
    { reasoning_effort: 'minimal' },
    { thinkingLevel: 'MINIMAL', includeThoughts: true },
  ],
  ['gemini-3.8-flash', { reasoning_effort: 'minimal' }, { thinkingLevel: 'LOW', includeThoughts: true }],
  ['gemini-3-pro-preview', { reasoning_effort: 'none' }, { thinkingLevel: 'LOW' }],
  ['gemini-3-pro-preview', { reasoning_effort: 'medium' }, { thinkingLevel: 'HIGH', includeThoughts: true }],
  [
    'gemini-3.1-pro-preview',
    { reasoning_effort: 'medium' },
    { thinkingLevel: 'MEDIUM', includeThoughts: true },
  ],
  ['gemini-flash-latest', { reasoning_effort: 'xhigh' }, { thinkingLevel: 'HIGH', includeThoughts: true }],
  ['gemini-3-flash', { reasoning: { max_tokens: 500 } }, { thinkingBudget: 500, includeThoughts: true }],
  ['gemini-2.5-flash', { reasoning_effort: 'none' }, off],
  ['gemini-2.5-flash', { thinking: { type: 'disabled' } }, off],
  ['gemini-2.5-pro', { reasoning_effort: 'none' }, { thinkingBudget: 128 }],
  ['gemini-2.5-flash', { reasoning_effort: 'low' }, { thinkingBudget: 1_024, includeThoughts: true }],
  ['gemini-2.5-flash', { reasoning_effort: 'xhigh' }, { thinkingBudget: 24_576, includeThoughts: true }],
  ['gemini-2.5-pro', { reasoning_effort: 'max' }, { thinkingBudget: 32_768, includeThoughts: true }],
  ['gemini-2.5-pro', { reasoning_effort: 'xhigh' }, { thinkingBudget: 32_768, includeThoughts: true }],
  [
    'gemini-2.5-pro',
    { reasoning: { max_tokens: 99_999 } },
    { thinkingBudget: 32_768, includeThoughts: true },
  ],
  ['gemini-2.5-flash', { reasoning: { effort: 'medium', exclude: true } }, { thinkingBudget: 8_192 }],
  [
    'gemini-2.5-flash',
    { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    { thinkingBudget: 2_000, includeThoughts: true },
  ],
  ['gemini-2.0-flash', { reasoning_effort: 'high' }, undefined],
]

describe('thinking', () => {
  it.each(levels)('of %s, requested by %j', (model, body, thinkingConfig) => {
    const expected = thinkingConfig === undefined ? undefined : { thinkingConfig }
    expect(configured(body, model)).toEqual(expected)
  })
})
