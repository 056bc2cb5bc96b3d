import { fold, type ModelResponse } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { readAsUnderstood } from '../../testing/learnt-events.ts'
import { decodeEvents, type VendorEvent } from '../../testing/vendor-contract.ts'
import { anthropicMessages } from '../vendor.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'

const event = (type: string, fields: object = {}): VendorEvent => ({ event: type, data: { type, ...fields } })
const start = (message: object = {}): VendorEvent =>
  event('message_start', { message: { id: 'msg_1', model: 'claude-x', content: [], ...message } })
const stopped = (stop_reason: string, usage?: object): VendorEvent[] => [
  event('message_delta', { delta: { stop_reason }, usage }),
  event('message_stop'),
]
const block = (index: number, content_block: object, ...deltas: object[]): VendorEvent[] => [
  event('content_block_start', { index, content_block }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
]
const use = (name: string, input: object = {}): object => ({ type: 'tool_use', id: 'toolu_1', name, input })

function answer(events: VendorEvent[]): ModelResponse {
  const { response, error } = fold(decodeEvents(anthropicMessages, events))
  expect(error).toBeUndefined()
  return response
}

describe('the finish reason', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['a_new_one', 'unknown'],
    ['constructor', 'unknown'],
  ])('of %s is %s', (rawReason, reason) => {
    expect(answer([start(), ...stopped(rawReason)]).choices[0]!.finish).toEqual({ reason, rawReason })
  })
})

describe('calls', () => {
  it('without arguments have "{}"', () => {
    const events = [
      ...block(0, use('f')),
      ...block(1, use('g'), { type: 'input_json_delta', partial_json: '' }),
      ...block(2, use('h', { a: 1 })),
      ...block(3, { ...use('i'), input: '' }),
      ...block(4, { ...use('j'), input: '{"b":2}' }),
    ]
    const { blocks } = answer([start(), ...events, ...stopped('tool_use')]).choices[0]!
    expect(blocks.map(({ text }) => text)).toEqual(['{}', '{}', '{"a":1}', '{}', '{"b":2}'])
  })

  it('may be in the head', () => {
    const { blocks } = answer([start({ content: [use('f')] }), ...stopped('tool_use')]).choices[0]!
    expect(blocks).toMatchObject([{ kind: 'tool-call', toolCall: { id: 'toolu_1', name: 'f' }, text: '{}' }])
  })
})

describe('an answer in JSON', () => {
  const answering = block(0, use(answerToolName), { type: 'input_json_delta', partial_json: '{"a":1}' })

  it('is text, and the finish is a plain stop', () => {
    const [choice] = answer([start(), ...answering, ...stopped('tool_use')]).choices
    expect(choice).toMatchObject({ blocks: [{ kind: 'text', text: '{"a":1}' }], finish: { reason: 'stop' } })
  })

  it("beside a call of the caller's tool finishes with tool calls", () => {
    const [choice] = answer([start(), ...answering, ...block(1, use('f')), ...stopped('tool_use')]).choices
    expect(choice!.blocks.map(({ kind }) => kind)).toEqual(['text', 'tool-call'])
    expect(choice!.finish!.reason).toBe('tool-calls')
  })
})

describe('usage', () => {
  const begun = { usage: { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 1 } }

  it('is the last one reported', () => {
    const later = { input_tokens: 9, cache_read_input_tokens: null, output_tokens: 20 }
    const { usage } = answer([start(begun), ...stopped('end_turn', later)])
    expect(usage).toEqual({
      inputTokens: 9,
      cacheReadTokens: 3,
      outputTokens: 20,
      raw: { ...later, cache_read_input_tokens: 3 },
    })
  })

  it('has the input of an answer that breaks off, and no output', () => {
    const { response, error } = fold(decodeEvents(anthropicMessages, [start(begun)]))
    expect(error?.type).toBe('upstream_error')
    expect(response.usage).toMatchObject({ inputTokens: 7, cacheReadTokens: 3 })
    expect(response.usage!.outputTokens).toBeUndefined()
  })
})

describe('errors', () => {
  it.each([
    ['overloaded_error', 503, 'service_unavailable'],
    ['rate_limit_error', 429, 'rate_limit_error'],
    ['api_error', 502, 'upstream_error'],
    ['timeout_error', 504, 'upstream_timeout'],
    ['invalid_request_error', 400, 'invalid_request_error'],
    ['authentication_error', 502, 'upstream_error'],
    ['billing_error', 503, 'service_unavailable'],
    ['one_of_tomorrow', 502, 'upstream_error'],
  ])('of the type %s within an answer have the status %d', (type, status, ours) => {
    const body = { type: 'error', error: { type, message: 'what it says' } }
    const { error } = fold(decodeEvents(anthropicMessages, [start(), { event: 'error', data: body }]))
    expect([error?.status, error?.type]).toEqual([status, ours])
    expect(fold(anthropicMessages.operations.generate.decodeResponse(body)).error?.status).toBe(status)
  })

  it.each([
    [529, 'Overloaded', 503, 'service_unavailable'],
    [413, 'Request exceeds the maximum size', 413, 'request_too_large'],
    [401, 'invalid x-api-key', 502, 'upstream_error'],
    [403, 'not allowed', 502, 'upstream_error'],
    [429, 'slower', 429, 'rate_limit_error'],
    [400, 'prompt is too long', 400, 'invalid_request_error'],
    [400, 'Your credit balance is too low to access the Anthropic API.', 503, 'service_unavailable'],
  ])('of status %d (%s) become %d', (status, message, ours, type) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'x', message } })
    const error = anthropicMessages.decodeError({ status, retryAfter: '7', body })
    expect([error.status, error.type]).toEqual([ours, type])
    if (ours === 429 || ours === 503) expect(error.retryAfterSeconds).toBe(7)
    if (ours === 400) expect(error.message).toBe(message)
  })

  it.each([[null], ['text'], [[]], [{}], [{ type: 'message' }]])(
    'include %j, which is not a message',
    (body) => {
      expect(fold(anthropicMessages.operations.generate.decodeResponse(body)).error?.status).toBe(502)
    },
  )

  it.each([
    ['a message without its end', [start(), event('message_stop')]],
    ['another message within one', [start(), start({ id: 'msg_2' })]],
    ['an event that is no object', [start(), { event: '', data: 5 }]],
  ])('include %s', (_what, events) => {
    const parts = decodeEvents(anthropicMessages, events)
    expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1)
  })
})

describe('harmless irregularities', () => {
  it('are skipped', () => {
    const events = [
      start(),
      start(),
      event('ping'),
      event('of_tomorrow', { index: 0 }),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'hi' }),
      ...stopped('end_turn'),
      ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'late' }),
      event('content_block_delta', { index: 9, delta: { type: 'text_delta', text: 'late' } }),
      { event: '', data: '[DONE]' },
      event('ping'),
    ]
    expect(answer(events).choices[0]!.blocks).toEqual([{ kind: 'text', text: 'hi' }])
  })

  it('include a piece of a block that never began, which counts', () => {
    const piece = (delta: object): VendorEvent => event('content_block_delta', { index: 9, delta })
    const thought = piece({ type: 'thinking_delta', thinking: 'hm' })
    const pieces = [piece({ type: 'text_delta', text: 'a' }), piece({ type: 'text_delta', text: 'b' })]
    const { blocks } = answer([start(), ...pieces, ...stopped('end_turn')]).choices[0]!
    expect(blocks).toEqual([{ kind: 'text', text: 'ab' }])
    const [reasoning] = answer([start(), thought, ...stopped('end_turn')]).choices[0]!.blocks
    expect(reasoning).toMatchObject({ kind: 'reasoning', text: 'hm' })
  })

  it('include pieces of an unknown type, which are kept', () => {
    const piece = { type: 'mood_delta', mood: 'fine' }
    const { blocks } = answer([
      start(),
      ...block(0, { type: 'text', text: '' }, piece),
      ...stopped('end_turn'),
    ]).choices[0]!
    expect(blocks).toMatchObject([{ kind: 'text' }, { kind: 'raw', name: 'mood_delta', values: [piece] }])
  })
})

it.each([
  [' ', '\n', ''],
  [' ', ' ', '{"a":1}'],
])('knows whether a call had arguments, parsed or not: %j, %j, %j', (...pieces) => {
  const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  const events = [start(), ...block(0, use('f', { b: 2 }), ...deltas), ...stopped('tool_use')]
  const sent = events.map((one) => ({ event: one.event, data: JSON.stringify(one.data) }))
  readAsUnderstood(() => anthropicMessages.operations.generate.decoder(), sent)
})
