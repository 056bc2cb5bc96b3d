import { endpoints, GatewayError, operationByEndpoint } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusal } from './testing/refusal.ts'
import { parseRequest as parseMessagesRequest } from './anthropic-messages/caller/request.ts'
import { parseRequest as parseGenerateRequest } from './google-generate/caller/request.ts'
import { generateFieldRules, refuseUnsupported } from './requests/fields/generate-field-rules.ts'
import { withoutUnsupported } from './requests/leniency.ts'
import { isOmittable } from './requests/omissions.ts'
import { parseRequest } from './openai-chat/caller/request.ts'
import { parseRequest as parseResponsesRequest } from './openai-responses/caller/request.ts'
import { parseRequest as parseCompletionsRequest } from './openai-completions/caller/request.ts'
import { callerFormats, generateFormats } from './registry.ts'
import { requestFields, type RequestField } from './requests/fields/field-table.ts'
import { selectExtensions, visitRequest } from './requests/fields/requested-fields.ts'
import { targetOf } from './testing/target.ts'

const user = { role: 'user', content: 'hi' }
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const called = [user, { role: 'assistant', content: null, tool_calls: [call] }]
const result = { role: 'tool', tool_call_id: 'call_1', content: 'x' }
const mark = { cache_control: { type: 'ephemeral' } }
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const text = { type: 'text', text: 'x' }

const withMessages = (...messages: object[]): object => ({ messages })
const parts = (...content: object[]): object => withMessages({ role: 'user', content })
const replied = (message: object): object =>
  withMessages(user, { role: 'assistant', content: 'x', ...message }, user)

/** A body of `/v1/messages`, for fields that only this format has. */
const ofMessages = (body: object): object => ({ max_tokens: 77, ...body })
const blocks = (...content: object[]): object => ofMessages({ messages: [{ role: 'user', content }] })
/** A body of `/v1/responses`, for fields that only this format has. */
const ofResponses = (body: object): object => ({ input: 'hi', ...body })
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }
const ownTool = { name: 'f', input_schema: { type: 'object', properties: {} } }

/** A body of `generateContent`, for fields that only this format has. */
const ofGenerate = (body: object): object => ({ contents: [{ parts: [{ text: 'hi' }] }], ...body })

/** A body of `/v1/completions`, for fields that only this format has. */
const ofCompletions = (body: object): object => ({ prompt: 'hi', ...body })

/** A request that uses the field, and the same request without it if that is more than a minimal one. */
const samples: Record<RequestField, [body: object, without?: object]> = {
  model: [{}],
  'messages.system': [withMessages({ role: 'system', content: 'x' }, user)],
  'messages.developer': [withMessages({ role: 'developer', content: 'x' }, user)],
  'messages.name': [withMessages({ ...user, name: 'Ann' })],
  'messages.text': [{}],
  'messages.text.citations': [blocks({ ...text, citations: [{}] }), blocks(text)],
  'messages.refusal': [replied({ content: null, refusal: 'no' })],
  'messages.image_url': [parts(text, image)],
  'messages.image_url.detail': [
    parts({ ...image, image_url: { ...image.image_url, detail: 'low' } }),
    parts(image),
  ],
  'messages.input_audio': [parts({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })],
  'messages.file': [parts({ type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } })],
  'messages.file.text': [parts({ type: 'file', file: { file_data: 'data:text/plain;base64,AAAA' } })],
  'messages.file.file_id': [parts({ type: 'file', file: { file_id: 'files/abc-123' } })],
  'messages.file.citations': [blocks({ ...pdf, citations: { enabled: true } })],
  'messages.file.context': [blocks({ ...pdf, context: 'x' })],
  'messages.tool_calls': [{ tools: [tool], messages: [...called, result] }],
  'messages.tool_calls.custom': [
    withMessages(
      user,
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'f', input: 'x' } }] },
      user,
    ),
  ],
  'messages.function_call': [replied({ function_call: { name: 'f', arguments: '{}' } })],
  'messages.tool': [{ tools: [tool], messages: [...called, result] }],
  'messages.tool.image_url': [
    { tools: [tool], messages: [...called, { ...result, content: [text, image] }] },
  ],
  'messages.tool.is_error': [
    { tools: [tool], messages: [...called, { ...result, is_error: true }] },
    { tools: [tool], messages: [...called, result] },
  ],
  'messages.reasoning_content': [replied({ reasoning_content: 'hm' }), replied({})],
  'messages.reasoning_details': [
    replied({
      reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 's', format: 'nobody-v1' }],
    }),
    replied({}),
  ],
  'messages.cache_control': [parts({ ...text, ...mark }), parts(text)],
  'messages.unknown_part': [parts({ type: 'video_url', video_url: { url: 'https://a.test/x.mp4' } })],
  'messages.foreign_part': [blocks({ type: 'search_result', source: 'x', title: 'x', content: [] })],
  'messages.responses_item': [ofResponses({ input: [{ type: 'compaction', encrypted_content: 'x' }] })],
  'prompt.array': [ofCompletions({ prompt: ['a', 'b'] })],
  'prompt.numbers': [ofCompletions({ prompt: [1, 2] })],
  suffix: [ofCompletions({ suffix: 'x' })],
  echo: [ofCompletions({ echo: true }), ofCompletions({})],
  best_of: [ofCompletions({ best_of: 2 }), ofCompletions({})],
  'logprobs.number': [ofCompletions({ logprobs: 1 }), ofCompletions({})],
  stream: [{ stream: true }],
  max_completion_tokens: [{ max_completion_tokens: 77 }],
  'max_completion_tokens.zero': [ofMessages({ max_tokens: 0 })],
  temperature: [{ temperature: 0.5 }],
  top_p: [{ top_p: 0.5 }],
  top_k: [{ top_k: 7 }],
  min_p: [{ min_p: 0.5 }],
  frequency_penalty: [{ frequency_penalty: 0.5 }],
  presence_penalty: [{ presence_penalty: 0.5 }],
  repetition_penalty: [{ repetition_penalty: 1.5 }],
  logit_bias: [{ logit_bias: { 1: 5 } }],
  seed: [{ seed: 7 }],
  stop: [{ stop: ['END'] }],
  n: [{ n: 2 }],
  logprobs: [{ logprobs: true }],
  tools: [{ tools: [tool] }],
  'tools.strict': [{ tools: [{ ...tool, function: { ...tool.function, strict: true } }] }, { tools: [tool] }],
  'tools.cache_control': [{ tools: [{ ...tool, ...mark }] }, { tools: [tool] }],
  'tools.custom': [{ tools: [{ type: 'custom', custom: { name: 'c' } }] }],
  'tools.unknown': [{ tools: [{ type: 'web_search' }] }],
  'tools.foreign': [ofMessages({ tools: [{ type: 'bash_20250124', name: 'bash' }] })],
  'tools.google': [ofGenerate({ tools: [{ googleSearch: {} }] })],
  'tools.responses': [ofResponses({ tools: [{ type: 'file_search', vector_store_ids: [] }] })],
  'tools.web_search': [ofResponses({ tools: [{ type: 'web_search' }] }), ofResponses({})],
  'tools.settings': [
    ofMessages({ tools: [{ ...ownTool, defer_loading: true }] }),
    ofMessages({ tools: [ownTool] }),
  ],
  functions: [{ functions: [{ name: 'f' }] }],
  function_call: [{ function_call: { name: 'f' } }],
  'tool_choice.none': [{ tools: [tool], tool_choice: 'none' }],
  'tool_choice.auto': [{ tools: [tool], tool_choice: 'auto' }],
  'tool_choice.required': [{ tools: [tool], tool_choice: 'required' }],
  'tool_choice.named': [{ tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } } }],
  'tool_choice.other': [{ tools: [tool], tool_choice: { type: 'allowed_tools' } }],
  'tool_choice.responses': [ofResponses({ tool_choice: { type: 'file_search' } })],
  'reasoning.context': [ofResponses({ reasoning: { context: 'all_turns' } })],
  include: [ofResponses({ include: ['new_call.results'] })],
  parallel_tool_calls: [{ tools: [tool], parallel_tool_calls: false }],
  'response_format.json_object': [{ response_format: { type: 'json_object' } }],
  'response_format.json_schema': [
    { response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' } } } },
  ],
  'response_format.json_schema.strict': [
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', schema: { type: 'object' }, strict: true },
      },
    },
    { response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' } } } },
  ],
  reasoning_effort: [{ reasoning_effort: 'high' }],
  'reasoning.max_tokens': [{ reasoning: { max_tokens: 2000 } }],
  'reasoning.exclude': [{ reasoning: { exclude: true } }],
  thinking: [{ thinking: { type: 'enabled', budget_tokens: 2000 } }],
  verbosity: [{ verbosity: 'low' }],
  modalities: [{ modalities: ['text', 'image'] }],
  audio: [{ audio: { voice: 'alloy', format: 'wav' } }],
  prediction: [{ prediction: { type: 'content', content: 'x' } }],
  web_search_options: [{ web_search_options: {} }],
  user: [{ user: 'ann' }],
  // Tags are read from the caller's metadata before any vendor format sees it.
  metadata: [{}],
  store: [{ store: true }],
  service_tier: [{ service_tier: 'flex' }],
  safety_identifier: [{ safety_identifier: 'x' }],
  prompt_cache_key: [{ prompt_cache_key: 'x' }],
  prompt_cache_retention: [{ prompt_cache_retention: '24h' }],
  usage: [{ usage: { include: true } }],
  provider: [{ provider: { sort: 'price' } }],
  transforms: [{ transforms: ['middle-out'] }],
  cache_control: [{ cache_control: { type: 'ephemeral' } }],
  context_management: [{ context_management: { edits: [{ type: 'clear_thinking_20251015' }] } }],
  output_config: [{ output_config: { task_budget: { type: 'tokens', total: 20_000 } } }],
  speed: [{ speed: 'fast' }],
  diagnostics: [{ diagnostics: { previous_message_id: null } }],
  fallbacks: [{ fallbacks: 'default' }],
  fallback_credit_token: [{ fallback_credit_token: 'x' }],
  inference_geo: [{ inference_geo: 'us' }],
  user_profile_id: [{ user_profile_id: 'x' }],
  container: [{ container: 'x' }],
  compaction: [ofMessages({ compaction: { type: 'summarize' } })],
  billing_policy: [ofMessages({ billing_policy: { type: 'billing_policy' } }), ofMessages({})],
  mcp_servers: [{ mcp_servers: [{ type: 'url', name: 'x', url: 'https://a.test' }] }],
  'messages.google_part': [
    ofGenerate({ contents: [{ parts: [{ text: 'hi' }, { executableCode: { code: '1' } }] }] }),
  ],
  generationConfig: [ofGenerate({ generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } })],
  safetySettings: [ofGenerate({ safetySettings: [{ category: 'x', threshold: 'OFF' }] })],
  cachedContent: [ofGenerate({ cachedContent: 'cachedContents/x' })],
  unknown: [{ unheard_of: 'x' }],
}

function parse(body: object): ReturnType<typeof parseRequest>['request'] {
  if ('contents' in body) return parseGenerateRequest(body, { model: 'm', stream: false }).request
  if ('prompt' in body) return parseCompletionsRequest({ model: 'm', ...body }).request
  if ('input' in body) return parseResponsesRequest({ model: 'm', ...body }).request
  const whole = { model: 'm', messages: [user], ...body }
  return ('max_tokens' in body ? parseMessagesRequest(whole) : parseRequest(whole)).request
}

describe.each(Object.values(generateFormats))('the field table of $name', (vendorFormat) => {
  const { generate } = vendorFormat.operations
  const { fields } = generate
  const target = targetOf(vendorFormat.name, 'm')
  const format = (body: object): Record<string, unknown> => {
    return generate.formatRequest(parse(body), target)
  }

  it.each(requestFields)('%s', (field) => {
    const { treatment, note } = fields[field]
    const [body, without = {}] = samples[field]
    if (treatment === 'refused') {
      expect(note).toMatch(/^[^A-Z].*[^.]$/)
      expect(() => refuseUnsupported(parse(body), fields, 'a/m')).toThrow(GatewayError)
      const lenient = (): ReturnType<typeof generateFieldRules.formatLeniently> => {
        const kept = withoutUnsupported(
          generateFieldRules,
          { request: parse(body), dropped: [] },
          { modelId: 'a/m', fields, unread: undefined },
        )
        return generateFieldRules.formatLeniently(kept, generate, target)
      }
      const visited = new Set<RequestField>()
      visitRequest(parse(body), (one) => visited.add(one))
      if ([...visited].some((one) => fields[one].treatment === 'refused' && !isOmittable(one)))
        return expect(lenient).toThrow(GatewayError)
      const { body: sentBody, dropped } = lenient()
      expect(dropped.length).toBeGreaterThan(0)
      expect(JSON.stringify(sentBody)).not.toContain(`"${field}":`)
      return
    }
    refuseUnsupported(parse(body), fields, 'a/m')
    if (treatment === 'translated' || treatment === 'dropped') expect(note).not.toBe('')
    if (field === 'unknown' && treatment === 'translated') {
      // The format knows some fields of its own and refuses all others by name.
      expect(() => format(body)).toThrow(refusal('unheard_of'))
      return
    }
    const formatted = format(body)
    if (treatment === 'dropped') expect(formatted).toEqual(format(without))
    if (treatment === 'passed' && parse(body).extensions[field] !== undefined)
      expect(formatted[field]).toEqual(parse(body).extensions[field])
  })

  it('passes unknown fields on, or refuses them', () => {
    const request = parse({
      unheard_of: 'x',
      verbosity: 'low',
      stream_options: { include_obfuscation: true },
    })
    const passed = selectExtensions(request, fields)
    expect('unheard_of' in passed).toBe(fields.unknown.treatment === 'passed')
    expect('verbosity' in passed).toBe(fields.verbosity.treatment === 'passed')
    expect('stream_options' in passed).toBe(false)
  })
})

it('visits every field of a request', () => {
  for (const field of requestFields) {
    const visited = new Set<string>()
    visitRequest(parse(samples[field][0]), (one) => visited.add(one))
    if (field !== 'metadata') expect([...visited]).toContain(field)
  }
})

it('every format has the operation that rows list for its endpoint', () => {
  expect(callerFormats.map(({ endpoint, operation }) => [endpoint, operation])).toEqual(
    endpoints.map((endpoint) => [endpoint, operationByEndpoint[endpoint]]),
  )
})
