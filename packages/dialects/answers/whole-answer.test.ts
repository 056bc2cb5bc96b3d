import { GatewayError, type StreamPart } from '@turnpike/protocol'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, it } from 'vitest'
import { openaiChatCaller } from '../openai-chat/caller.ts'
import { openaiChat } from '../openai-chat/vendor.ts'
import type { GenerateFormat } from '../vendor.ts'
import { errorOfBody, readWholeAnswer } from './whole-answer.ts'

const schemas = openaiSchemas()

const head = { id: 'ours', model: 'vendor/m', created: 1_700_000_000, includeUsage: false }
const counted = { inputTokens: 3, outputTokens: 4 }
const cost = { usd: '0.25' }

/** A vendor whose answer is `{parts}`, of our own parts, so that only the way to the caller is tested. */
const vendorFormat = {
  name: 'anthropic-messages',
  operations: { generate: { decodeResponse: (body: unknown) => (body as { parts: StreamPart[] }).parts } },
} as unknown as GenerateFormat

const block = (at: number, start: object, text: string, value?: unknown, end: object = {}): StreamPart[] =>
  [
    { type: 'block-start', choice: 0, block: at, ...start },
    { type: 'block-delta', choice: 0, block: at, text, ...(value === undefined ? {} : { value }) },
    { type: 'block-end', choice: 0, block: at, ...end },
  ] as StreamPart[]

const format = 'anthropic-claude-v1'
const citation = (url: string): object => ({
  type: 'url_citation',
  url_citation: { url, title: 't', start_index: 0, end_index: 1 },
})
const parts: StreamPart[] = [
  {
    type: 'response-start',
    id: 'msg_1',
    model: 'x',
    created: undefined,
    extensions: { service_tier: 'standard' },
  },
  ...block(0, { kind: 'reasoning', reasoning: { format } }, 'Hm', undefined, { signature: 'c2ln' }),
  ...block(1, { kind: 'reasoning', reasoning: { format, id: 'r' } }, '', undefined, {
    encrypted: 'b3BhcXVl',
  }),
  ...block(2, { kind: 'text' }, 'Grüezi'),
  ...block(3, { kind: 'raw', name: 'annotations' }, '', [citation('https://a.test')]),
  ...block(4, { kind: 'raw', name: 'annotations' }, '', [citation('https://b.test')]),
  ...block(5, { kind: 'raw', name: 'search' }, '', { query: 'a' }),
  ...block(6, { kind: 'raw', name: 'search' }, '', { query: 'b' }),
  ...block(7, { kind: 'tool-call', toolCall: { id: 'c', name: 'f', variant: 'function' } }, '{}'),
  { type: 'usage', usage: counted },
  { type: 'finish', choice: 0, reason: 'tool-calls', rawReason: 'tool_use' },
]

interface Completion {
  choices: { message: Record<string, unknown> }[]
}

function translate(parts: readonly StreamPart[], more: object = {}): Completion {
  const answer = readWholeAnswer(openaiChatCaller, vendorFormat, JSON.stringify({ parts: parts }), {
    ...head,
    ...more,
  })
  return JSON.parse(answer.body(answer.usage, cost)) as Completion
}

describe('a whole answer that is translated', () => {
  it('holds everything from the parts, and the cost', () => {
    expect(translate(parts)).toEqual({
      id: 'msg_1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'vendor/m',
      choices: [
        {
          index: 0,
          logprobs: null,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'Grüezi',
            refusal: null,
            reasoning_content: 'Hm',
            reasoning_details: [
              { type: 'reasoning.text', text: 'Hm', signature: 'c2ln', format, index: 0 },
              { type: 'reasoning.encrypted', data: 'b3BhcXVl', format, id: 'r', index: 1 },
            ],
            annotations: [citation('https://a.test'), citation('https://b.test')],
            search: [{ query: 'a' }, { query: 'b' }],
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
        },
      ],
      usage: expect.objectContaining({
        prompt_tokens: 3,
        completion_tokens: 4,
        cost_usd: '0.25',
        cost: 0.25,
      }),
    })
  })

  it.runIf(schemas !== undefined)("keeps OpenAI's schema, also without usage and without content", () => {
    const finish = parts.at(-1)!
    for (const order of [
      parts,
      [parts[0]!, finish],
      [parts[0]!, ...block(0, { kind: 'refusal' }, 'No'), finish],
    ])
      expect(schemas!.faultsOfCompletion(translate(order))).toEqual([])
  })

  it('hides reasoning from a caller that does not want it', () => {
    const { message } = translate(parts, { reasoningHidden: true }).choices[0]!
    expect(JSON.stringify(message)).not.toContain('reasoning')
  })

  it('throws the error that it holds, and an error for what cannot be decoded', () => {
    const error = new GatewayError('rate_limit_error', 'Too many.')
    const decodeResponse = (): StreamPart[] => [{ type: 'error', error }]
    const failing = {
      ...vendorFormat,
      operations: { generate: { decodeResponse } },
    } as unknown as GenerateFormat
    expect(() => readWholeAnswer(openaiChatCaller, failing, '{}', head)).toThrow(error)
    const broken = { status: 502, type: 'upstream_error' }
    expect(() => readWholeAnswer(openaiChatCaller, vendorFormat, '{}', head)).toThrow(
      expect.objectContaining(broken) as Error,
    )
    expect(() => readWholeAnswer(openaiChatCaller, vendorFormat, '<html>', head)).toThrow(
      expect.objectContaining(broken) as Error,
    )
  })
})

it('keeps reasoning under its own name in an answer that is already in our format', () => {
  const message = { role: 'assistant', content: 'Ja', reasoning: 'Hm' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  const answer = readWholeAnswer(openaiChatCaller, openaiChat, JSON.stringify({ id: 'c', choices }), head)
  const body = JSON.parse(answer.body(counted, cost)) as Completion
  expect(body.choices[0]!.message).toEqual({ ...message, refusal: null, reasoning_content: 'Hm' })
})

it.each([
  ['{"error":{"message":"Slow down","code":429}}', 'Slow down'],
  ['[{"error":{"message":"Not now"}}]', 'Not now'],
  ['{"id":"c","choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}]}', undefined],
  ['{"choices":[]}', 'The upstream ended its answer before it was complete.'],
  ['{"error":', undefined],
  ['[]', undefined],
])('finds the error in %s', (text, message) => expect(errorOfBody(openaiChat, text)?.message).toBe(message))
