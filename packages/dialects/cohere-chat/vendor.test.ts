import { describe, expect, it } from 'vitest'
import { fold, type StreamPart } from '@turnpike/protocol'
import {
  decodeEvents,
  vendorContract,
  type VendorEvent,
  type VendorSample,
} from '../testing/vendor-contract.ts'
import { cohereChat } from './vendor.ts'

const id = 'c9117d7f-a7e4-499f-b643-a2a1e139687b'
const usage = {
  billed_units: { input_tokens: 83, output_tokens: 109 },
  tokens: { input_tokens: 379, output_tokens: 164, reasoning_tokens: 54 },
  cached_tokens: 144,
}
const weather = '{"city": "Zürich 🌦", "days": [1, 2]}'

function event(type: string, message?: object, index?: number): VendorEvent {
  const delta = message === undefined ? {} : { delta: { message } }
  return { event: type, data: { type, ...(index !== undefined && { index }), ...delta } }
}

const start: VendorEvent = {
  event: 'message-start',
  data: {
    id,
    type: 'message-start',
    delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
  },
}

function ending(finish_reason: string, beside: object = {}): VendorEvent {
  return { event: 'message-end', data: { type: 'message-end', delta: { finish_reason, usage, ...beside } } }
}

function content(index: number, type: 'text' | 'thinking', ...pieces: string[]): VendorEvent[] {
  return [
    event('content-start', { content: { type, [type]: '' } }, index),
    ...pieces.map((piece) => event('content-delta', { content: { [type]: piece } }, index)),
    event('content-end', undefined, index),
  ]
}

function call(index: number, name: string, ...pieces: string[]): VendorEvent[] {
  const head = { id: `${name}_dg5wwc00d8v5`, type: 'function', function: { name, arguments: '' } }
  return [
    event('tool-call-start', { tool_calls: head }, index),
    ...pieces.map((piece) =>
      event('tool-call-delta', { tool_calls: { function: { arguments: piece } } }, index),
    ),
    event('tool-call-end', undefined, index),
  ]
}

const called = (name: string, text: string | null): object => ({
  id: `${name}_dg5wwc00d8v5`,
  type: 'function',
  function: { name, arguments: text },
})

function sample(name: string, middle: VendorEvent[][], message: object, finish_reason: string): VendorSample {
  return {
    name,
    events: [start, ...middle.flat(), ending(finish_reason), { event: '', data: '[DONE]' }],
    whole: { id, message: { role: 'assistant', ...message }, finish_reason, usage },
  }
}

const citation = {
  start: 0,
  end: 6,
  text: 'Grüezi',
  sources: [{ type: 'document', id: 'doc:0', document: { id: 'doc:0', text: 'Grüezi!', title: 'a.txt' } }],
  type: 'TEXT_CONTENT',
}

const samples: VendorSample[] = [
  sample(
    'text',
    [content(0, 'text', 'Grüezi ', '🌍')],
    { content: [{ type: 'text', text: 'Grüezi 🌍' }] },
    'COMPLETE',
  ),
  sample(
    'a plan, and two calls cut within their JSON',
    [
      [event('tool-plan-delta', { tool_plan: 'I will' }), event('tool-plan-delta', { tool_plan: ' look.' })],
      call(0, 'weather', ...(weather.match(/.{1,5}/gu) ?? [])),
      call(1, 'now'),
    ],
    { tool_plan: 'I will look.', tool_calls: [called('weather', weather), called('now', null)] },
    'TOOL_CALL',
  ),
  sample(
    'thoughts, and a text with citations within it and behind it',
    [
      content(0, 'thinking', 'Let me ', 'see'),
      content(1, 'text', 'Grüezi ', '🌍').slice(0, -1),
      [
        event('citation-start', { citations: citation }, 0),
        event('citation-end', undefined, 0),
        event('content-end', undefined, 1),
        event('citation-start', { citations: { ...citation, start: 7 } }, 1),
        event('citation-end', undefined, 1),
      ],
    ],
    {
      content: [
        { type: 'thinking', thinking: 'Let me see' },
        { type: 'text', text: 'Grüezi 🌍' },
      ],
      citations: [citation, { ...citation, start: 7 }],
    },
    'MAX_TOKENS',
  ),
]

vendorContract({
  format: cohereChat,
  samples,
  errorEvent: { event: '', data: { id, message: 'internal server error, this has been reported' } },
  splitsToolCalls: true,
})

const decodeResponse = (body: unknown): StreamPart[] => cohereChat.operations.generate.decodeResponse(body)

describe('an answer from Cohere', () => {
  const ofText = samples[0]!.events

  it.each([
    ['ERROR', 'something broke', 502],
    ['TIMEOUT', undefined, 504],
  ])('is an error if it ends with %s', (reason, error, status) => {
    const events = [...ofText.slice(0, -2), ending(reason, error === undefined ? {} : { error })]
    const { error: actual } = fold(decodeEvents(cohereChat, events))
    expect(actual).toMatchObject({ status })
    if (error !== undefined) expect(actual!.message).toBe(error)
    const whole = { ...(samples[0]!.whole as object), finish_reason: reason, error }
    expect(fold(decodeResponse(whole)).error).toMatchObject({ status })
  })

  it.each([
    ['null', '{}'],
    ['', '{}'],
    [' ', '{}'],
    ['{"a":null}', '{"a":null}'],
  ])('has the arguments %j as %s', (input, expected) => {
    const events = [start, ...call(0, 'now', input), ending('TOOL_CALL')]
    const [block] = fold(decodeEvents(cohereChat, events)).response.choices[0]!.blocks
    expect(JSON.parse(block!.text)).toEqual(JSON.parse(expected))
  })

  it('keeps content of an unknown type', () => {
    const image = { type: 'image', url: 'https://a.test/' }
    const parts = decodeResponse({
      id,
      message: { role: 'assistant', content: [image] },
      finish_reason: 'COMPLETE',
    })
    expect(parts).toContainEqual({ type: 'block-delta', choice: 0, block: 0, text: '', value: image })
  })

  it.each([null, 'text', 7, [], {}, { message: 'no' }, { message: {} }, { message: [] }, { error: 'no' }])(
    'is an error if it is not an answer: %j',
    (body) => {
      expect(fold(decodeResponse(body)).error).toBeDefined()
    },
  )
})
