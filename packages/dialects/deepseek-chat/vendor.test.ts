import { fold } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import { parseRequest } from '../openai-chat/caller/request.ts'
import { targetOf } from '../testing/target.ts'
import {
  decodeBytes,
  decodeEvents,
  vendorContract,
  type VendorEvent,
  type VendorSample,
} from '../testing/vendor-contract.ts'
import { deepseekChat } from './vendor.ts'

const envelope = { id: 'd1', created: 1_779_989_387, model: 'deepseek-v4-pro', system_fingerprint: 'fp_1' }
const usage = {
  prompt_tokens: 563,
  completion_tokens: 116,
  total_tokens: 679,
  prompt_tokens_details: { cached_tokens: 512 },
  completion_tokens_details: { reasoning_tokens: 60 },
  prompt_cache_hit_tokens: 512,
  prompt_cache_miss_tokens: 51,
}

function chunk(delta: object, finishReason: string | null = null, counted: unknown = null): VendorEvent {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
  return { event: '', data: { ...envelope, object: 'chat.completion.chunk', choices, usage: counted } }
}

function whole(message: object, finishReason: string): unknown {
  const choices = [
    { index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason: finishReason },
  ]
  return { ...envelope, object: 'chat.completion', choices, usage }
}

const done: VendorEvent = { event: '', data: '[DONE]' }
const piece = (text: string): VendorEvent =>
  chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })

const samples: VendorSample[] = [
  {
    name: 'reasoning, then text',
    events: [
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ content: null, reasoning_content: 'We ' }),
      chunk({ content: null, reasoning_content: 'think 🤔' }),
      chunk({ content: '391', reasoning_content: null }),
      chunk({ content: '', reasoning_content: null }, 'stop', usage),
      done,
    ],
    whole: whole({ content: '391', reasoning_content: 'We think 🤔' }, 'stop'),
  },
  {
    name: 'reasoning, text and a call, cut within its JSON',
    events: [
      chunk({ role: 'assistant', content: null, reasoning_content: 'Look it up' }),
      chunk({ content: 'One moment', reasoning_content: null }),
      chunk({
        tool_calls: [{ index: 0, id: 'call_00_A', type: 'function', function: { name: 'f', arguments: '' } }],
      }),
      piece('{"ci'),
      piece('ty":"Zü'),
      piece('rich"}'),
      chunk({ content: '', reasoning_content: null }, 'tool_calls', usage),
      done,
    ],
    whole: whole(
      {
        content: 'One moment',
        reasoning_content: 'Look it up',
        tool_calls: [
          {
            index: 0,
            id: 'call_00_A',
            type: 'function',
            function: { name: 'f', arguments: '{"city":"Zürich"}' },
          },
        ],
      },
      'tool_calls',
    ),
  },
]

vendorContract({
  format: deepseekChat,
  samples,
  errorEvent: { event: '', data: { error: { message: 'Server is busy', type: 'server_error', code: null } } },
  splitsToolCalls: true,
})

function formatted(body: object, model = 'deepseek-v4-flash'): Record<string, unknown> {
  const { request } = parseRequest({ model: 'm', messages: [user], ...body })
  return deepseekChat.operations.generate.formatRequest(request, targetOf('deepseek-chat', model, 1000))
}

const user = { role: 'user', content: 'hi' }
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const result = { role: 'tool', tool_call_id: 'call_1', content: 'x' }

describe("DeepSeek's answers", () => {
  it('count cache hits once', () => {
    const { response } = fold(decodeEvents(deepseekChat, samples[0]!.events))
    const counts = { inputTokens: 51, cacheReadTokens: 512, outputTokens: 56, reasoningTokens: 60 }
    expect(response.usage).toEqual({ ...counts, raw: usage })
  })

  it('may begin with comments', () => {
    const text = samples[0]!.events
      .map(
        ({ data }) => `: keep-alive\n\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      )
      .join(': keep-alive\n\n')
    expect(decodeBytes(deepseekChat, [Buffer.from(text)])).toEqual(
      decodeEvents(deepseekChat, samples[0]!.events),
    )
  })

  it('are retryable errors if resources ran out', () => {
    const events = [
      chunk({ content: 'Hi' }),
      chunk({ content: '' }, 'insufficient_system_resource', usage),
      done,
    ]
    expect(fold(decodeEvents(deepseekChat, events)).error).toMatchObject({
      type: 'service_unavailable',
      retryable: true,
    })
  })
})

describe('a request to DeepSeek', () => {
  it("has DeepSeek's own fields where there are equivalents", () => {
    const body = {
      messages: [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        { role: 'user', content: 'hi', name: 'Ann' },
      ],
      max_tokens: 7,
      seed: 42,
      stream: true,
      logprobs: true,
      top_logprobs: 2,
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }],
      tool_choice: 'required',
      user: 'u',
      verbosity: 'low',
      vendor_thing: 1,
    }
    expect(formatted(body)).toEqual({
      model: 'deepseek-v4-flash',
      messages: [
        { role: 'system', content: 'a\nb' },
        { role: 'user', content: 'hi', name: 'Ann' },
      ],
      max_tokens: 7,
      stream: true,
      stream_options: { include_usage: true },
      logprobs: true,
      top_logprobs: 2,
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: 'required',
      vendor_thing: 1,
    })
  })

  it.each([
    [{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    [{ reasoning_effort: 'max' }, { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
    [{ reasoning: { max_tokens: 100 } }, { thinking: { type: 'enabled' } }],
    [
      { reasoning_effort: 'high', thinking: { type: 'disabled' } },
      { reasoning_effort: 'high', thinking: { type: 'disabled' } },
    ],
  ])('turns thinking on and off: %j', (body, expected) => {
    expect(formatted(body)).toEqual({ model: 'deepseek-v4-flash', messages: [user], ...expected })
  })

  const thought = [
    user,
    { role: 'assistant', reasoning_content: 'Hm', content: null, tool_calls: [call] },
    result,
    { role: 'assistant', content: 'Done' },
    user,
  ]
  const reasonings = (body: object, model?: string): unknown[] =>
    (formatted(body, model)['messages'] as { role: string; reasoning_content?: unknown }[])
      .filter(({ role }) => role === 'assistant')
      .map((message) => message.reasoning_content)

  it('returns all reasoning if there are tools, and an empty one where there was none', () => {
    expect(reasonings({ messages: thought })).toEqual(['Hm', ''])
    expect(formatted({ messages: thought })['messages']).toMatchObject([
      user,
      { content: null },
      result,
      {},
      user,
    ])
  })

  it('returns only existing reasoning if the model does not think', () => {
    expect(reasonings({ messages: thought, thinking: { type: 'disabled' } })).toEqual(['Hm', undefined])
    expect(reasonings({ messages: thought }, 'deepseek-chat')).toEqual(['Hm', undefined])
    expect(reasonings({ messages: thought, reasoning_effort: 'none' })).toEqual(['Hm', undefined])
  })

  it('returns no reasoning if there are no tools', () => {
    const messages = [user, { role: 'assistant', reasoning_content: 'Hm', content: 'Yes' }, user]
    expect(reasonings({ messages })).toEqual([undefined])
    expect(reasonings({ messages, tools: [{ type: 'function', function: { name: 'f' } }] })).toEqual(['Hm'])
  })

  it('leaves out reasoning of other vendors', () => {
    const details = [{ type: 'reasoning.text', text: 'Ah', signature: 's', format: 'anthropic-claude-v1' }]
    const messages = [user, { role: 'assistant', reasoning_details: details, tool_calls: [call] }, result]
    expect(reasonings({ messages })).toEqual([''])
  })

  it('has images in parts, without cache marks, which DeepSeek does not need', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.test/x.png' } }
    const text = { type: 'text', text: 'see', cache_control: { type: 'ephemeral' } }
    const messages = [{ role: 'user', content: [text, { ...image, cache_control: { type: 'ephemeral' } }] }]
    expect(formatted({ messages })['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'see' }, image] },
    ])
  })

  it('is refused, by name, for too many stop sequences', () => {
    expect(() => formatted({ stop: Array.from({ length: 17 }, String) })).toThrow(refusal('stop'))
  })
})
