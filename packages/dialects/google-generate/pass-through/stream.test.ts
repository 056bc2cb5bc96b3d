import type { StreamPart, Usage } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import type { BridgeHead, BridgeListener } from '../../bridge.ts'
import { ArrayFraming } from '../caller/framing.ts'
import { GenerateDecoder } from '../vendor/stream.ts'
import { GenerateStreamBridge } from './stream.ts'

const head = { id: 'gen_1', model: 'gemini/flash', created: 0, includeUsage: true } as BridgeHead
const heading = '"modelVersion":"gemini/flash","responseId":"r1"}'

class Heard implements BridgeListener {
  parts: StreamPart[] = []
  said: string[] = []

  onEvent(parts: readonly StreamPart[], text: string): void {
    this.parts.push(...parts)
    if (text !== '') this.said.push(Buffer.from(text, 'latin1').toString('utf8'))
  }
}

/** An event as Google writes it. */
const event = (part: string, { more = '', usage = '', behind = '' } = {}): string =>
  `data: {"candidates": [{"content": {"parts": [${part}],"role": "model"},${more}"index": 0}],` +
  `"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": 4${usage}}${behind},` +
  '"modelVersion": "gemini-3","responseId": "r1"}\r\n\r\n'

const answerEvent = (part: string, more = ''): string => {
  const candidate = `{"content": {"parts": [${part}],"role": "model"},${more}"index": 0}`
  return `data: {"candidates": [${candidate}],${heading}\r\n\r\n`
}

function heardOf(events: readonly string[], cutAt?: number): Heard {
  const listener = new Heard()
  const bridge = new GenerateStreamBridge(head, listener)
  const bytes = Buffer.from(events.join(''))
  if (cutAt === undefined) for (const one of events) bridge.push(Buffer.from(one))
  else for (let at = 0; at < bytes.length; at += cutAt) bridge.push(bytes.subarray(at, at + cutAt))
  return listener
}

/** The parts from the decoder alone, which parses each event. */
function understood(events: readonly string[]): StreamPart[] {
  const decoder = new GenerateDecoder()
  return events.flatMap((one) => decoder.push(JSON.parse(one.slice('data: '.length))))
}

const plain = (parts: readonly StreamPart[]): unknown[] =>
  parts.map((part) => (part.type === 'usage' ? { type: 'usage', usage: part.usage } : part))

describe('answers that differ in their text', () => {
  const parts = ['Hello', ' world', ' – „Zürich“ 🙂', ' a \\"quoted\\" line\\n', ' \\u00e9\\\\', ' end']
  const events = parts.map((text, at) =>
    event(`{"text": "${text}"}`, { usage: `,"thoughtsTokenCount": ${at}` }),
  )

  it.each([undefined, 1, 7, 64])('pass in their own bytes, cut at every %s bytes', (cutAt) => {
    const listener = heardOf(events, cutAt)
    expect(listener.said.join('')).toBe(parts.map((text) => answerEvent(`{"text": "${text}"}`)).join(''))
    expect(plain(listener.parts)).toEqual(plain(understood(events)))
  })

  it('are parsed where they change', () => {
    const changing = [
      ...events.slice(0, 2),
      event('{"text": "thinks","thought": true}'),
      event('{"text": "on","thought": true}'),
      event('{"text": "signed","thoughtSignature": "c2ln"}'),
      event('{"text": "two"},{"text": "parts"}'),
      event('{"text": "a"}', {
        usage: ',"promptTokensDetails": [{"modality": "TEXT"},{"modality": "IMAGE"}]',
      }),
      event('{"text": "b"}', { behind: ',"promptFeedback": {"x": 1}' }),
      event('{"text": "c"}', { usage: ',"toolUsePromptTokenCount": 3' }),
    ]
    expect(plain(heardOf(changing).parts)).toEqual(plain(understood(changing)))
  })

  it('name only our model, wherever Google names its own', () => {
    const first = (text: string): string =>
      `data: {"modelVersion": "gemini-3",${event(`{"text": "${text}"}`).slice('data: {'.length)}`
    const listener = heardOf([first('a'), first('b'), first('c')])
    expect(listener.said).toEqual(['a', 'b', 'c'].map((text) => answerEvent(`{"text": "${text}"}`)))
  })

  it('lose no member beside the usage', () => {
    const hidden = [...events.slice(0, 2), event('{"text": "x"}', { behind: ',"promptFeedback": {"x": 1}' })]
    expect(heardOf(hidden).said.at(-1)).toContain('"promptFeedback": {"x": 1}')
  })
})

it("keeps the numbers of calls, and members beside them, in Google's bytes", () => {
  const call = '{"functionCall": {"name": "f","args": {"id": 12345678901234567890,"x": 1.0}}}'
  const [output] = heardOf([event(call, { more: '"finishReason": "STOP","avgLogprobs": -0.10,' })]).said
  expect(output).toBe(answerEvent(call, '"avgLogprobs": -0.10,'))
})

it('frames a list as Google does', () => {
  const listener = new Heard()
  const bridge = new GenerateStreamBridge(head, listener, new ArrayFraming())
  const part = '{"text": "Hi"}'
  for (const one of [event(part), event(part), event('{"text": ""}', { more: '"finishReason": "STOP",' })])
    bridge.push(Buffer.from(one))
  bridge.end()
  const usage: Usage = { inputTokens: 9, outputTokens: 4, raw: { promptTokenCount: 9 } }
  const closing = bridge.closing(usage, { usd: '0.1' })
  const one = answerEvent(part).slice('data: '.length, -4)
  const ended =
    '{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],' +
    `"usageMetadata":{"promptTokenCount":9,"cost_usd":"0.1","cost":0.1},${heading}`
  expect(listener.said.join('') + closing).toBe(`[${one}\n,\r\n${one}\n,\r\n${ended}\n]`)
})
