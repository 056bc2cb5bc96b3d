import { fold, type ModelRequest, type StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import type { BridgeListener } from '../bridge.ts'
import { callerContract, type Sample } from '../testing/caller-contract.ts'
import { formatCompletion } from './caller/answer.ts'
import { parseRequest } from './caller/request.ts'
import { ChatEncoder } from './caller/stream.ts'
import { ChatStreamBridge } from './pass-through/stream.ts'
import { decodeResponse } from './vendor/answer.ts'
import { formatBody } from './vendor/body.ts'
import { ChatDecoder } from './vendor/stream.ts'

const head = { id: 'chatcmpl-ours', model: 'openai/gpt-4o', created: 1_700_000_000 }
const envelope = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_001,
  model: 'gpt-4o-2024-08-06',
}
const usage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 4 },
}

function chunk(delta: object, finishReason: string | null = null, index = 0, extra: object = {}): unknown {
  return { ...envelope, choices: [{ index, delta, logprobs: null, finish_reason: finishReason, ...extra }] }
}

function sample(name: string, chunks: unknown[], choices: object[]): Sample {
  const finished = choices.map((choice, index) => ({
    index,
    logprobs: null,
    finish_reason: 'stop',
    ...choice,
  }))
  return {
    name,
    chunks: [...chunks, { ...envelope, choices: [], usage }],
    whole: { ...envelope, object: 'chat.completion', choices: finished, usage },
  }
}

/** One call's arguments, cut at every character. */
function pieces(index: number, text: string): unknown[] {
  return Array.from(text).map((one) => chunk({ tool_calls: [{ index, function: { arguments: one } }] }))
}

const weather = '{"city":"Zürich 🌦","days":[1,2]}'
const call = (id: string, name: string, text: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})
const opening = (index: number, id: string, name: string): unknown =>
  chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
const logprob = (token: string): object => ({
  token,
  logprob: -0.25,
  bytes: [...Buffer.from(token)],
  top_logprobs: [],
})

const samples: Sample[] = [
  sample(
    'text',
    [
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ content: 'Grüezi ' }),
      chunk({ content: '🌍' }),
      chunk({}, 'stop'),
    ],
    [{ message: { role: 'assistant', content: 'Grüezi 🌍', refusal: null } }],
  ),
  sample(
    'reasoning, then text',
    [
      chunk({ role: 'assistant', reasoning_content: 'Let me ' }),
      chunk({ reasoning_content: 'think' }),
      chunk({ content: 'Yes' }),
      chunk({}, 'length'),
    ],
    [
      {
        message: { role: 'assistant', content: 'Yes', reasoning_content: 'Let me think' },
        finish_reason: 'length',
      },
    ],
  ),
  sample(
    'text and two parallel tool calls, cut within their JSON',
    [
      chunk({ role: 'assistant', content: 'One moment' }),
      opening(0, 'call_a', 'weather'),
      ...pieces(0, weather),
      opening(1, 'call_b', 'now'),
      ...pieces(1, '{}'),
      chunk({}, 'tool_calls'),
    ],
    [
      {
        message: {
          role: 'assistant',
          content: 'One moment',
          tool_calls: [call('call_a', 'weather', weather), call('call_b', 'now', '{}')],
        },
        finish_reason: 'tool_calls',
      },
    ],
  ),
  sample(
    'a refusal',
    [chunk({ role: 'assistant', refusal: 'I cannot ' }), chunk({ refusal: 'do that' }), chunk({}, 'stop')],
    [{ message: { role: 'assistant', content: null, refusal: 'I cannot do that' } }],
  ),
  sample(
    'two choices that take turns',
    [
      chunk({ role: 'assistant', content: 'a' }, null, 0),
      chunk({ role: 'assistant', content: 'x' }, null, 1),
      chunk({ content: 'b' }, null, 0),
      chunk({}, 'stop', 0),
      chunk({ content: 'y' }, null, 1),
      chunk({}, 'length', 1),
    ],
    [{ message: { content: 'ab' } }, { message: { content: 'xy' }, finish_reason: 'length' }],
  ),
  sample(
    'a deprecated function call',
    [
      chunk({ role: 'assistant', content: null, function_call: { name: 'weather', arguments: '' } }),
      chunk({ function_call: { arguments: weather.slice(0, 9) } }),
      chunk({ function_call: { arguments: weather.slice(9) } }),
      chunk({}, 'function_call'),
    ],
    [
      {
        message: { content: null, function_call: { name: 'weather', arguments: weather } },
        finish_reason: 'function_call',
      },
    ],
  ),
  sample(
    'a custom tool call',
    [
      chunk({
        role: 'assistant',
        tool_calls: [{ index: 0, id: 'call_c', type: 'custom', custom: { name: 'sql', input: '' } }],
      }),
      chunk({ tool_calls: [{ index: 0, custom: { input: 'SELECT 1' } }] }),
      chunk({}, 'tool_calls'),
    ],
    [
      {
        message: {
          content: null,
          tool_calls: [{ id: 'call_c', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  ),
  sample(
    'annotations, which we have no word for',
    [
      chunk({ role: 'assistant', content: 'See' }),
      chunk({ annotations: [{ type: 'url_citation', url: 'https://a.test' }] }),
      chunk({}, 'stop'),
    ],
    [{ message: { content: 'See', annotations: [{ type: 'url_citation', url: 'https://a.test' }] } }],
  ),
]

function decode(chunks: readonly unknown[], ended: boolean): StreamPart[] {
  const decoder = new ChatDecoder()
  const parts = chunks.flatMap((one) => decoder.push(one))
  if (ended) decoder.pushText('[DONE]')
  return [...parts, ...decoder.end()]
}

function encode(parts: readonly StreamPart[]): unknown[] {
  const encoder = new ChatEncoder(head)
  const chunks = parts.map((part) => encoder.push(part)).filter((one) => one !== undefined)
  const counted = parts.find((part) => part.type === 'usage')
  return counted === undefined ? chunks : [...chunks, encoder.usage(counted.usage)]
}

callerContract({
  name: 'openai-chat',
  decode,
  encode,
  decodeWhole: decodeResponse,
  formatWhole: (response) => formatCompletion(response, head),
  bridge: (listener: BridgeListener) => new ChatStreamBridge({ ...head, includeUsage: true }, listener),
  frame: (chunks) => `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`,
  samples,
  errorChunk: { error: { message: 'The server had an error', type: 'server_error', code: null } },
})

describe('the format openai-chat', () => {
  it('keeps log probabilities with the text that they belong to', () => {
    const pair = (token: string): object => ({ logprobs: { content: [logprob(token)], refusal: null } })
    const parts = decode(
      [
        chunk({ content: 'a' }, null, 0, pair('a')),
        chunk({ content: 'b' }, null, 0, pair('b')),
        chunk({}, 'stop'),
      ],
      true,
    )
    const body = formatCompletion(fold(parts).response, head) as { choices: { logprobs: unknown }[] }
    expect(body.choices[0]!.logprobs).toEqual({ content: [logprob('a'), logprob('b')], refusal: null })
    expect(fold(decode(encode(parts), true)).response.choices).toEqual(fold(parts).response.choices)
  })

  it.each([
    ['text', { model: 'm', messages: [{ role: 'user', content: 'hi' }] }],
    [
      'every role',
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'be brief' },
          {
            role: 'developer',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
            name: 'dev',
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'see' },
              { type: 'image_url', image_url: { url: 'https://a.test/x.png', detail: 'low' } },
            ],
          },
          { role: 'assistant', content: null, tool_calls: [call('call_1', 'now', '{}')] },
          { role: 'tool', tool_call_id: 'call_1', content: '12:00' },
          { role: 'assistant', content: 'noon', reasoning_content: 'clock says' },
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
              { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
              { type: 'file', file: { file_data: 'data:application/pdf;base64,CCCC', filename: 'a.pdf' } },
            ],
          },
        ],
      },
    ],
    [
      'every setting',
      {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
        stream_options: { include_obfuscation: false, include_usage: true },
        tools: [
          {
            type: 'function',
            function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
          },
          { type: 'custom', custom: { name: 'sql' } },
        ],
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 's', schema: { type: 'object' }, strict: true },
        },
        max_completion_tokens: 7,
        n: 2,
        temperature: 0.5,
        top_p: 0.9,
        frequency_penalty: 1,
        presence_penalty: -1,
        stop: ['a', 'b'],
        seed: 3,
        logprobs: true,
        top_logprobs: 2,
        reasoning_effort: 'low',
        user: 'u',
        logit_bias: { 1: 5 },
        service_tier: 'flex',
        vendor_thing: { a: [1] },
      },
    ],
  ])('writes a request as it was read: %s', (_name, body) => {
    expect(formatBody(parseRequest(body).request)).toEqual(body)
  })

  it('reads further fields of a request into their neutral equivalents', () => {
    const plain: ModelRequest = parseRequest({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      max_tokens: 5,
      stop: 'end',
    }).request
    expect(plain).toMatchObject({ maxOutputTokens: 5, stop: ['end'], choices: 1, stream: false })
  })

  it.each([
    [{}, 'model'],
    [{ model: 'm' }, 'messages'],
    [{ model: 'm', messages: [] }, 'messages'],
    [
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'x' },
          { role: 'robot', content: 'x' },
        ],
      },
      'messages[1].role',
    ],
    [
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages[0].content[0].text',
    ],
    [{ model: 'm', messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    [{ model: 'm', messages: [{ role: 'user', content: 'x' }], n: 0 }, 'n'],
    [
      { model: 'm', messages: [{ role: 'user', content: 'x' }], tools: [{ type: 'function', function: {} }] },
      'tools[0].function.name',
    ],
    [
      { model: 'm', messages: [{ role: 'user', content: 'x' }], metadata: { tags: ['a', 1] } },
      'metadata.tags[1]',
    ],
  ])('names the wrong field: %j', (body, param) => {
    expect(() => parseRequest(body)).toThrow(refusal(param))
  })
})

it('fails on an answer with more choices than a request may ask for', () => {
  const decoder = new ChatDecoder()
  const push = (index: number): StreamPart[] =>
    decoder.push({ id: 'c', choices: [{ index, delta: { content: 'x' }, finish_reason: null }] })
  for (let index = 0; index < 128; index++) expect(push(index).at(-1)).toMatchObject({ type: 'block-delta' })
  expect(push(0).at(-1)).toMatchObject({ type: 'block-delta', text: 'x' })
  expect(push(128)).toMatchObject([{ type: 'error', error: { type: 'upstream_error' } }])
})
