import { fold, type ReasoningBlock } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import { parseRequest } from '../openai-chat/caller/request.ts'
import { targetOf } from '../testing/target.ts'
import {
  decodeEvents,
  vendorContract,
  type VendorEvent,
  type VendorSample,
} from '../testing/vendor-contract.ts'
import { mistralChat } from './vendor.ts'
import { mistralToolCallId } from './vendor/tool-call-id.ts'

const envelope = { id: '0af1', created: 1_784_566_717, model: 'magistral-medium-2509' }
const usage = { prompt_tokens: 31, completion_tokens: 66, total_tokens: 97, prompt_audio_seconds: 4 }
const cachedUsage = { ...usage, prompt_tokens_details: { cached_tokens: 16 } }

function chunk(delta: object, finishReason: string | null = null, more: object = {}): VendorEvent {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return { event: '', data: { ...envelope, object: 'chat.completion.chunk', choices, p: 'abc', ...more } }
}

function whole(message: object, finishReason: string): unknown {
  const choices = [
    { index: 0, message: { role: 'assistant', tool_calls: null, ...message }, finish_reason: finishReason },
  ]
  return { ...envelope, object: 'chat.completion', choices, usage: cachedUsage }
}

const done: VendorEvent = { event: '', data: '[DONE]' }
const thinking = (text: string, more: object = {}): object => ({
  content: [{ type: 'thinking', thinking: [{ type: 'text', text }], ...more }],
})

const samples: VendorSample[] = [
  {
    name: 'text whose last piece comes with the finish',
    events: [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Grüezi ' }),
      chunk({ content: '🌍' }, 'stop', { usage: cachedUsage }),
      done,
    ],
    whole: whole({ content: 'Grüezi 🌍' }, 'stop'),
  },
  {
    name: 'thinking in chunks, then text',
    events: [
      chunk({ role: 'assistant', content: '' }),
      chunk(thinking('Twelve ')),
      chunk(thinking('twelves.')),
      chunk({
        content: [
          { type: 'thinking', thinking: [], closed: true },
          { type: 'text', text: '14' },
        ],
      }),
      chunk({ content: '4' }, 'stop', { usage: cachedUsage }),
      done,
    ],
    whole: whole(
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Twelve twelves.' }], closed: true },
          { type: 'text', text: '144' },
        ],
      },
      'stop',
    ),
  },
  {
    name: 'signed thinking',
    events: [
      chunk(thinking('Hm')),
      chunk(thinking('.', { signature: 'c2ln', closed: true })),
      chunk({ content: 'Yes' }, 'model_length', { usage: cachedUsage }),
      done,
    ],
    whole: whole(
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }], signature: 'c2ln' },
          { type: 'text', text: 'Yes' },
        ],
      },
      'model_length',
    ),
  },
  {
    name: 'calls in one chunk each, without index, one of them without arguments',
    events: [
      chunk({ role: 'assistant', content: '' }),
      chunk({ tool_calls: [{ id: 'vAKGXGFZD', function: { name: 'dice', arguments: '{"sides":6}' } }] }),
      chunk({ tool_calls: [{ id: 'n9P3tR143', function: { name: 'now', arguments: '' } }] }, 'tool_calls', {
        usage: cachedUsage,
      }),
      done,
    ],
    whole: whole(
      {
        content: '',
        tool_calls: [
          { id: 'vAKGXGFZD', function: { name: 'dice', arguments: { sides: 6 } } },
          { id: 'n9P3tR143', function: { name: 'now', arguments: '{}' } },
        ],
      },
      'tool_calls',
    ),
  },
  {
    name: 'references, which we have no word for',
    events: [
      chunk({
        content: [
          { type: 'text', text: 'See ' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      chunk({ content: [{ type: 'text', text: 'it' }] }, 'stop', { usage: cachedUsage }),
      done,
    ],
    whole: whole(
      {
        content: [
          { type: 'text', text: 'See ' },
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: 'it' },
        ],
      },
      'stop',
    ),
  },
]

vendorContract({
  format: mistralChat,
  samples,
  errorEvent: {
    event: '',
    data: { object: 'error', message: 'Service tier capacity exceeded', type: 'x', code: '3505' },
  },
  splitsToolCalls: false,
})

function formatted(body: object, model = 'mistral-small-latest'): Record<string, unknown> {
  const { request } = parseRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body })
  return mistralChat.operations.generate.formatRequest(request, targetOf('mistral-chat', model, 1000))
}

function messages(...list: object[]): unknown {
  return formatted({ messages: list })['messages']
}

const call = (id: string): object => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const user = { role: 'user', content: 'hi' }

describe("Mistral's answers", () => {
  it('keep their audio seconds and count cached tokens once', () => {
    const { response } = fold(decodeEvents(mistralChat, samples[0]!.events))
    expect(response.usage).toEqual({
      inputTokens: 15,
      cacheReadTokens: 16,
      outputTokens: 66,
      unpriced: ['audio_seconds'],
      raw: cachedUsage,
    })
  })

  it('are errors if they end with one', () => {
    const events = [chunk({ content: 'Hi' }), chunk({ content: '' }, 'error', { usage: cachedUsage }), done]
    const { response, error } = fold(decodeEvents(mistralChat, events))
    expect(error).toMatchObject({ type: 'upstream_error' })
    expect(response.usage?.outputTokens).toBe(66)
  })
})

describe('a request to Mistral', () => {
  it("has Mistral's own fields where there are equivalents", () => {
    const body = {
      max_completion_tokens: 7,
      seed: 42,
      tool_choice: 'required',
      tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }],
      parallel_tool_calls: false,
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
      user: 'u',
      store: true,
      service_tier: 'flex',
      safe_prompt: true,
      prediction: { type: 'content', content: 'x' },
      reasoning_effort: 'high',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', schema: { type: 'object' }, strict: true },
      },
    }
    expect(formatted(body)).toEqual({
      model: 'mistral-small-latest',
      messages: [user],
      max_tokens: 7,
      random_seed: 42,
      tool_choice: 'any',
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
      parallel_tool_calls: false,
      stream: true,
      safe_prompt: true,
      prediction: { type: 'content', content: 'x' },
      reasoning_effort: 'high',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', schema: { type: 'object' }, strict: true },
      },
    })
  })

  it.each([
    ['magistral-medium-latest', { reasoning_effort: 'low' }, { prompt_mode: 'reasoning' }],
    ['magistral-medium-latest', { reasoning_effort: 'none' }, { prompt_mode: null }],
    ['mistral-small-latest', { reasoning_effort: 'none' }, { reasoning_effort: 'none' }],
    ['mistral-small-latest', { reasoning: { max_tokens: 2000 } }, { reasoning_effort: 'high' }],
    ['mistral-small-latest', { reasoning_effort: 'minimal' }, { reasoning_effort: 'none' }],
    ['mistral-medium-3-5', { reasoning_effort: 'medium' }, { reasoning_effort: 'high' }],
    ['mistral-large-4-0', { reasoning_effort: 'medium' }, { reasoning_effort: 'medium' }],
    ['mistral-large-4-0', { reasoning_effort: 'xhigh' }, { reasoning_effort: 'high' }],
  ])('turns reasoning of %s on and off: %j', (model, body, expected) => {
    expect(formatted(body, model)).toEqual({ model, messages: [user], ...expected })
  })

  it('is refused, by name, for an unknown effort', () => {
    expect(() => formatted({ reasoning_effort: 'toString' })).toThrow(refusal('reasoning_effort'))
  })

  it('has an empty object for a call without arguments, which Mistral parses', () => {
    const call = { id: 'abcdefghi', type: 'function', function: { name: 'f', arguments: '' } }
    const messages = [user, { role: 'assistant', tool_calls: [call] }]
    expect(formatted({ messages })['messages']).toMatchObject([
      {},
      { tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
    ])
  })

  it('is refused, by name, for a temperature outside of its bounds', () => {
    expect(() => formatted({ temperature: 1.6 })).toThrow(refusal('temperature'))
  })

  it("has all system messages first, including developers'", () => {
    const conversation = [
      { role: 'system', content: 'a' },
      user,
      { role: 'assistant', content: 'b' },
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
      user,
    ]
    expect(messages(...conversation)).toEqual([
      { role: 'system', content: 'a' },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
      user,
      { role: 'assistant', content: 'b' },
      user,
    ])
  })

  it('has ids of nine characters, the same for a call and its result', () => {
    const conversation = [
      user,
      { role: 'assistant', content: null, tool_calls: [call('toolu_01ADw53o3uvrGvcc'), call('VzeppoSaq')] },
      { role: 'tool', tool_call_id: 'toolu_01ADw53o3uvrGvcc', content: 'x', name: 'not a name' },
      { role: 'tool', tool_call_id: 'VzeppoSaq', content: 'y', name: 'f', is_error: true },
    ]
    const id = mistralToolCallId('toolu_01ADw53o3uvrGvcc')
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(messages(...conversation)).toEqual([
      user,
      { role: 'assistant', content: '', tool_calls: [call(id), call('VzeppoSaq')] },
      { role: 'tool', tool_call_id: id, content: 'x' },
      { role: 'tool', tool_call_id: 'VzeppoSaq', content: 'y', name: 'f' },
    ])
  })

  it('puts a message between a tool and the user, marks a prefix and leaves empty messages out', () => {
    const conversation = [
      user,
      { role: 'assistant', content: '' },
      { role: 'assistant', tool_calls: [call('VzeppoSaq')] },
      { role: 'tool', tool_call_id: 'VzeppoSaq', content: 'x' },
      user,
      { role: 'assistant', content: 'The answer is' },
    ]
    expect(messages(...conversation)).toEqual([
      user,
      { role: 'assistant', content: '', tool_calls: [call('VzeppoSaq')] },
      { role: 'tool', tool_call_id: 'VzeppoSaq', content: 'x' },
      { role: 'assistant', content: 'OK' },
      user,
      { role: 'assistant', content: 'The answer is', prefix: true },
    ])
  })

  it("returns Mistral's reasoning unchanged, and no other vendor's", () => {
    const conversation = [
      user,
      { role: 'assistant', content: 'Yes', reasoning_content: 'Hm' },
      user,
      {
        role: 'assistant',
        content: 'No',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Ah', signature: 's', format: 'anthropic-claude-v1' },
        ],
      },
      user,
    ]
    expect(messages(...conversation)).toMatchObject([
      user,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }], closed: true },
          { type: 'text', text: 'Yes' },
        ],
      },
      user,
      { role: 'assistant', content: 'No' },
      user,
    ])
  })

  it('returns signed thinking that came without a format', () => {
    const block: ReasoningBlock = { kind: 'reasoning', text: 'Hm', signature: 'c2ln' }
    const { request } = parseRequest({ model: 'm', messages: [user] })
    request.messages.push({ role: 'assistant', content: [block, { kind: 'text', text: 'x' }] })
    const body = mistralChat.operations.generate.formatRequest(request, targetOf('mistral-chat', 'm', 1))
    expect(JSON.stringify(body)).toContain('"signature":"c2ln"')
  })

  it('has media as chunks', () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'https://a.test/x.png', detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,CCCC', filename: 'a.pdf' } },
      { type: 'file', file: { file_data: 'https://a.test/b.pdf' } },
      { type: 'file', file: { file_id: 'f1' } },
      { type: 'document_url', document_url: 'https://a.test/c.pdf' },
    ]
    expect(messages({ role: 'user', content })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'https://a.test/x.png', detail: 'low' } },
          { type: 'input_audio', input_audio: 'BBBB' },
          { type: 'document_url', document_url: 'data:application/pdf;base64,CCCC', document_name: 'a.pdf' },
          { type: 'document_url', document_url: 'https://a.test/b.pdf' },
          { type: 'file', file_id: 'f1' },
          { type: 'document_url', document_url: 'https://a.test/c.pdf' },
        ],
      },
    ])
  })
})
