import type { GatewayError, ModelRequest } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { parseRequest as parseMessages } from '../anthropic-messages/caller/request.ts'
import { targetOf } from '../testing/target.ts'
import type { GenerateFormatName, MediaKind } from '../vendor.ts'
import { fieldsOfMedia } from './left-out-parts.ts'
import { generateFieldRules } from './fields/generate-field-rules.ts'
import { withoutUnsupported } from './leniency.ts'
import { parseRequest } from '../openai-chat/caller/request.ts'
import { generateFormats } from '../registry.ts'

const messages = [{ role: 'user', content: 'hi' }]
const tool = (name: string, parameters: object = {}): object => ({
  type: 'function',
  function: { name, parameters },
})

function sendLeniently(
  name: GenerateFormatName,
  { request }: { request: ModelRequest },
  model = 'claude-sonnet-4-5',
  unread: readonly MediaKind[] = [],
): ReturnType<typeof generateFieldRules.formatLeniently> {
  const format = generateFormats[name]
  const kept = withoutUnsupported(
    generateFieldRules,
    { request, dropped: [] },
    { modelId: 'a/m', fields: format.operations.generate.fields, unread: fieldsOfMedia(unread) },
  )
  return generateFieldRules.formatLeniently(kept, format.operations.generate, targetOf(name, model))
}

const chat = (body: object): ReturnType<typeof parseRequest> =>
  parseRequest({ model: 'm', messages, max_tokens: 50, ...body })

describe('a lenient request', () => {
  it('is sent without what the vendor cannot honour, and lists each omission once', () => {
    const fields = { n: 2, logit_bias: { 1: 2 }, seed: 1, unheard_of: 1, min_p: 0.1, temperature: 0.5 }
    const { body, dropped } = sendLeniently('anthropic-messages', chat(fields))
    expect(dropped.toSorted()).toEqual(['logit_bias', 'min_p', 'n', 'unheard_of'])
    expect(body).toEqual(sendLeniently('anthropic-messages', chat({ temperature: 0.5 })).body)
  })

  it('omits what one model of the vendor does not accept and another does', () => {
    const { body, dropped } = sendLeniently(
      'anthropic-messages',
      chat({ temperature: 0.5, top_p: 0.5, top_k: 3, tools: [tool('f')], tool_choice: 'required' }),
      'claude-opus-5-5',
    )
    expect(dropped.toSorted()).toEqual(['temperature', 'tool_choice', 'top_k', 'top_p'])
    expect(Object.keys(body)).not.toContain('tool_choice')
  })

  it.each<[GenerateFormatName, string[], string[]]>([
    ['anthropic-messages', ['a', ' ', '\n'], ['a']],
    ['google-generate', ['1', '2', '3', '4', '5', '6'], ['1', '2', '3', '4', '5']],
  ])('keeps the stop sequences that %s accepts', (name, stop, kept) => {
    const { body, dropped } = sendLeniently(name, chat({ stop }), 'gemini-2.5-flash')
    expect(dropped).toEqual(['stop'])
    expect(JSON.stringify(body)).toContain(JSON.stringify(kept))
  })

  it("omits Google's own fields that Google does not know, and keeps the others", () => {
    const google = { cached_content: 'cachedContents/1', nothing: 1, thinking_config: { depth: 3 } }
    const { body, dropped } = sendLeniently('google-generate', chat({ extra_body: { google, further: 2 } }))
    expect(dropped.toSorted()).toEqual([
      'extra_body.further',
      'extra_body.google.nothing',
      'extra_body.google.thinking_config.depth',
    ])
    expect(body).toMatchObject({ cachedContent: 'cachedContents/1' })
  })

  it('replaces each part that the model cannot read by a sentence that says so', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const pdf = {
      type: 'document',
      title: 'a "b".pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    }
    const found = { type: 'search_result', source: 'https://a.test', title: 'x', content: [] }
    const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }
    const sent = parseMessages({
      model: 'm',
      max_tokens: 50,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
        { role: 'assistant', content: [call] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [pdf] }, found],
        },
      ],
    })
    const { body, dropped } = sendLeniently('deepseek-chat', sent, 'deepseek-chat', ['image'])
    expect(dropped).toEqual([
      'messages[0].content[1].image_url',
      'messages[2].content[0].file',
      'messages[3].content[0]',
    ])
    expect(body['messages']).toEqual([
      { role: 'user', content: 'See\n[An image was left out here: you cannot be given it.]' },
      expect.objectContaining({ role: 'assistant' }),
      {
        role: 'tool',
        tool_call_id: 'toolu_1',
        content: '[The document "a \\"b\\".pdf" was left out here: you cannot be given it.]',
      },
      {
        role: 'user',
        content: '[A part of the type "search_result" was left out here: you cannot be given it.]',
      },
    ])
  })

  it('is refused if more than 2,000 parts would be left out', () => {
    const callWith = (count: number): ReturnType<typeof parseMessages> =>
      parseMessages({
        model: 'm',
        max_tokens: 50,
        messages: [{ role: 'user', content: Array.from({ length: count }, () => ({ type: 'a_new_one' })) }],
      })
    expect(sendLeniently('deepseek-chat', callWith(2_000)).dropped).toHaveLength(2_000)
    expect(() => sendLeniently('deepseek-chat', callWith(2_001))).toThrow(
      expect.objectContaining({ status: 400, param: 'messages[0].content[2000]' }) as Error,
    )
  })

  it('drops a tool choice whose tool was left out', () => {
    const own = { name: 'f', input_schema: { type: 'object' } }
    const search = { type: 'web_search_20250305', name: 'web_search' }
    const body = { model: 'm', messages, max_tokens: 50, tools: [search, own] }
    const named = { ...body, tool_choice: { type: 'tool', name: 'web_search' } }
    const without = sendLeniently('deepseek-chat', parseMessages(named))
    expect(without.dropped).toEqual(['tools[0]', 'tool_choice'])
    expect(without.body['tools']).toHaveLength(1)
    expect(without.body['tool_choice']).toBeUndefined()
    const other = sendLeniently(
      'deepseek-chat',
      parseMessages({ ...body, tool_choice: { type: 'tool', name: 'f' } }),
    )
    expect(other.dropped).toEqual(['tools[0]'])
    expect(other.body['tool_choice']).toMatchObject({ function: { name: 'f' } })
  })

  it.each<[string, object]>([
    ['functions', { functions: [{ name: 'f' }] }],
    ['tools[0]', { tools: [{ type: 'custom', custom: { name: 'c' } }] }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['inference_geo', { inference_geo: 'us' }],
    ['container', { container: 'x' }],
  ])('is still refused for %s', (param, body) => {
    expect(refusal('anthropic-messages', { ...body, n: 2 })).toMatchObject({ status: 400, param })
  })

  it("names a tool by its place in the caller's list", () => {
    const tools = [{ type: 'web_search' }, tool('f'), { type: 'web_search' }, tool('turnpike_json_answer')]
    expect(refusal('anthropic-messages', { tools })).toMatchObject({
      param: 'tools[3].function.name',
      message: expect.stringMatching(/^tools\[3\]\.function\.name: /u) as string,
    })
  })

  it('leaves the original unchanged, for the candidates after this one', () => {
    const call = chat({ n: 2, unheard_of: { a: 1 }, tools: [{ type: 'web_search' }] })
    const before = structuredClone(call.request)
    sendLeniently('anthropic-messages', call)
    expect(call.request).toEqual(before)
  })
})

function refusal(name: GenerateFormatName, body: object): GatewayError {
  try {
    sendLeniently(name, chat(body))
  } catch (error) {
    return error as GatewayError
  }
  throw new Error('it was not refused')
}
