import { fold } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it, test } from 'vitest'
import { openBridge } from '../../answers/translating-bridge.ts'
import type { BridgeListener, StreamBridge } from '../../bridge.ts'
import { utf8 } from '../../sse/parser.ts'
import { bridged, endOf, type Bridged } from '../../testing/bridged.ts'
import { decodeBytes } from '../../testing/vendor-contract.ts'
import { openaiResponsesCaller } from '../caller.ts'
import { openaiResponses } from '../vendor.ts'

const recordings = allRecordings()
const streams = recordings.cases.filter(
  ({ api, stream, status }) => api === 'responses' && stream && status === 200,
)
const named = (cases: readonly RecordedCase[]): [string, RecordedCase][] => cases.map((one) => [one.id, one])

const head = { id: 'resp_ours', model: 'vendor/möbel', created: 1_700_000_000, includeUsage: true }
const cost = { usd: '0.000123' }

/** What a caller gets, in real text, with its last events. */
function passed(pieces: readonly Buffer[], more: object = {}): Bridged {
  const open = (listener: BridgeListener): StreamBridge =>
    openBridge(openaiResponsesCaller, openaiResponses, { ...head, ...more }, listener)
  const seen = bridged(open, pieces)
  return { ...seen, text: utf8(seen.text + endOf(seen, cost)) }
}

function eventsOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .filter((one) => one.startsWith('event: ') || one.startsWith('data: {'))
}

/** An event's bytes without what may differ: the response's model, id and usage. */
function unchanged(event: string): string {
  if (!/"response":\s*\{/u.test(event)) return event
  return event
    .replace(/("response":\s*\{.*?"id":\s*)"[^"]*"/u, '$1""')
    .replace(/"model":\s*"[^"]*"/u, '"model":""')
    .replace(/(,\s*"store":\s*\w+|"metadata":\s*\{\}|"usage":\s*\{(?:[^{}]|\{[^{}]*\})*\})/gu, '')
    .replace(/,"billing":\{[^}]*\}/u, '')
}

describe('a recorded stream passes as the vendor sent it', () => {
  it.each(named(streams))('%s', (_id, { id }) => {
    const bytes = recordings.response(id)
    const whole = passed([bytes])
    const passedEvents = eventsOf(whole.text)
    const sentEvents = eventsOf(bytes.toString('utf8'))
    if (whole.error !== undefined) throw whole.error
    // Some recordings contain a second answer after the end of the first one.
    expect(passedEvents.map(unchanged)).toEqual(sentEvents.slice(0, passedEvents.length).map(unchanged))
    expect(passedEvents.at(-1)).toMatch(/"response\.(?:completed|incomplete)"/u)
    if (whole.usage !== undefined)
      expect(passedEvents.at(-1)).toMatch(/"cost_usd":"0\.000123","cost":0\.000123/u)
    expect(whole.text).toContain('"model":"vendor/möbel"')
    expect(fold(whole.parts)).toEqual(fold(decodeBytes(openaiResponses, [bytes])))
    for (let cut = 1; cut < bytes.length; cut += Math.max(1, Math.floor(bytes.length / 60)))
      expect(passed([bytes.subarray(0, cut), bytes.subarray(cut)]).text).toBe(whole.text)
  })

  it.each(named(streams))('and ends with a failure where it breaks off: %s', (_id, { id }) => {
    const bytes = recordings.response(id)
    for (const share of [0.3, 0.6, 0.9]) {
      const { text, error } = passed([bytes.subarray(0, Math.floor(bytes.length * share))])
      if (error === undefined) continue
      const events = eventsOf(text).map((one) => JSON.parse(one.slice(one.indexOf('{'))) as Event)
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { id: 'resp_ours', status: 'failed', error: { code: 'server_error' } },
      })
      const numbers = events.map(({ sequence_number: number }) => number)
      expect(numbers.at(-1)).toBeGreaterThan(numbers.at(-2) ?? -1)
    }
  })
})

interface Event {
  type: string
  sequence_number: number
}

const created = { type: 'response.created', sequence_number: 0, response: { id: 'resp_v', model: 'gpt' } }
const added = {
  type: 'response.output_item.added',
  sequence_number: 1,
  output_index: 0,
  item: { id: 'msg_1', type: 'message', role: 'assistant', content: [] },
}
const delta = (text: string, at: number): object => ({
  type: 'response.output_text.delta',
  content_index: 0,
  delta: text,
  item_id: 'msg_1',
  logprobs: [],
  obfuscation: 'xY',
  output_index: 0,
  sequence_number: at,
})
const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10, cost_in_usd_ticks: 5 }
const completed = {
  type: 'response.completed',
  sequence_number: 9,
  response: {
    id: 'resp_v',
    model: 'gpt',
    status: 'completed',
    billing: { payer: 'developer' },
    tools: [{ type: 'function', name: 'x', parameters: { properties: { price: {} } } }],
    max_output_tokens: 4_096,
    metadata: {},
    output: [],
    usage,
  },
}

function stream(...events: object[]): Buffer {
  return Buffer.from(
    events.map((event) => `event: ${(event as Event).type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  )
}

test('counts texts as they are, whatever escapes and names they contain', () => {
  const texts = ['Grüezi', '"delta":"no"', '\\', '\\"', '🌍\n', 'x", "y', ' ']
  const deltas = texts.map((text, index) => delta(text, index + 2))
  const { parts, text } = passed([stream(created, added, ...deltas, completed)])
  expect(parts.flatMap((part) => (part.type === 'block-delta' ? [part.text] : []))).toEqual(texts)
  for (const one of deltas) expect(text).toContain(`data: ${JSON.stringify(one)}\n\n`)
})

test('does not mistake a repeated member, or an event of another text, for the current one', () => {
  const second = { ...delta('two', 4), output_index: 1, item_id: 'msg_2' }
  const twice = JSON.stringify(delta('one', 3)).replace('}', ',"delta":"last"}')
  const bytes = Buffer.concat([
    stream(created, added, delta('a', 2)),
    Buffer.from(`event: response.output_text.delta\ndata: ${twice}\n\n`),
    stream(second, completed),
  ])
  const { parts } = passed([bytes])
  const texts = parts.flatMap((part) => (part.type === 'block-delta' ? [[part.block, part.text]] : []))
  expect(texts).toEqual([
    [0, 'a'],
    [0, 'last'],
    [1, 'two'],
  ])
})

test('numbers a failure correctly, whether or not the vendor numbers its events', () => {
  const numberOf = (...events: object[]): number | undefined => {
    const failed = eventsOf(passed([stream(...events)]).text).at(-1)!
    return (JSON.parse(failed.slice(failed.indexOf('{'))) as Event).sequence_number
  }
  const unnumbered = [created, added, ...['a', 'b', 'c'].map((text) => delta(text, 0))].map((event) => {
    const { sequence_number: _none, ...others } = event as Event
    return others
  })
  expect(numberOf(created, added, delta('a', 2), delta('b', 3), delta('c', 40))).toBe(41)
  expect(numberOf(...unnumbered)).toBe(5)
})

test("restores the caller's own settings in the last event, and hides the vendor's money amounts", () => {
  const asked = { repeated: { metadata: { tags: ['a'] }, max_output_tokens: null }, tools: new Map() }
  const { text } = passed([stream(created, added, delta('Hi', 2), completed)], { asked })
  const last = JSON.parse(eventsOf(text).at(-1)!.split('data: ')[1]!) as { response: object }
  const { billing: _left, ...rest } = completed.response
  expect(last.response).toEqual({
    ...rest,
    id: 'resp_ours',
    model: 'vendor/möbel',
    metadata: { tags: ['a'] },
    max_output_tokens: null,
    store: false,
    usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10, cost_usd: '0.000123', cost: 0.000123 },
  })
})

test('passes nothing after the end, and no second beginning', () => {
  const { text } = passed([stream(created, created, added, delta('Hi', 2), completed, delta('!', 10))])
  expect(eventsOf(text).map((one) => one.split('\n')[0])).toEqual([
    'event: response.created',
    'event: response.output_item.added',
    'event: response.output_text.delta',
    'event: response.completed',
  ])
})

test('passes an event with several lines on one line', () => {
  const lines = (event: object): string =>
    `data: ${JSON.stringify(event, null, 1).replaceAll('\n', '\ndata: ')}\n\n`
  const sent = [created, added, delta('a', 2), delta('b', 3), delta('c', 4), completed].map(lines)
  const { text } = passed([Buffer.from(sent.join(''))])
  const events = eventsOf(text).map((event) => JSON.parse(event.slice(event.indexOf('{'))) as Event)
  expect(events.filter(({ type }) => type === 'response.output_text.delta')).toHaveLength(3)
  for (const event of eventsOf(text)) expect(event.trim()).not.toMatch(/\n(?!data: )/)
})

test('passes a repeated response once, with our model', () => {
  const json = JSON.stringify(created).replace('"response":', '"response":{"model":"gpt"},"response":')
  const { text } = passed([Buffer.from(`data: ${json}\n\n`), stream(added, delta('Hi', 2), completed)])
  expect(text).not.toContain('"gpt"')
})

test.each([
  [
    'a failed response',
    { type: 'response.failed', response: { status: 'failed', error: { code: 'x', message: 'No.' } } },
  ],
  ['an error', { type: 'error', code: 'server_error', message: 'No.', param: null }],
])('passes %s in our own form, with the next number', (_what, event) => {
  const { text } = passed([stream(created, added, delta('Hi', 2), { sequence_number: 3, ...event })])
  const last = JSON.parse(eventsOf(text).at(-1)!.split('data: ')[1]!) as Event
  expect(last).toMatchObject({
    type: 'response.failed',
    sequence_number: 3,
    response: {
      id: 'resp_ours',
      status: 'failed',
      error: { message: expect.stringContaining('No.') as string },
    },
  })
})
