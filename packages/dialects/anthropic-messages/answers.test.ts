import { fold, type ModelResponse, type StreamPart, type Usage } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { openBridge } from '../answers/translating-bridge.ts'
import { readWholeAnswer } from '../answers/whole-answer.ts'
import { parseJson } from '../json/parse-json.ts'
import { generateFormats } from '../registry.ts'
import type { GenerateFormatName, GenerateFormat } from '../vendor.ts'
import { anthropicMessagesCaller } from './caller.ts'
import { formatStopReason } from './finish-reason.ts'
import { decodeResponse } from './vendor/answer.ts'
import { MessagesDecoder } from './vendor/stream.ts'

const recordings = allRecordings()

const format = anthropicMessagesCaller
const head = { id: 'msg_ours', model: 'vendor/möbel', created: 1_700_000_000, includeUsage: true }
const cost = { usd: '0.000123' }

const vendorFormatOf: Record<string, GenerateFormatName> = {
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  generateContent: 'google-generate',
  streamGenerateContent: 'google-generate',
}
const chatFormats: Record<string, GenerateFormatName> = { mistral: 'mistral-chat', deepseek: 'deepseek-chat' }

function vendorOf({ vendor, api }: RecordedCase): GenerateFormat | undefined {
  const name = api === 'chat' ? (chatFormats[vendor] ?? 'openai-chat') : vendorFormatOf[api]
  return name === undefined ? undefined : generateFormats[name]
}

const answers = recordings.cases.filter((one) => one.status === 200 && vendorOf(one) !== undefined)
const named = (cases: readonly RecordedCase[]): [string, RecordedCase][] => cases.map((one) => [one.id, one])

/** What a Messages caller can be told of an answer: the words, the calls and the reason, of one choice. */
function told({ choices }: ModelResponse): unknown {
  const [choice] = choices
  const blocks = choice?.blocks ?? []
  const text = (kind: string): string =>
    blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join('')
  const { reason, rawReason } = choice?.finish ?? { reason: 'stop', rawReason: '' }
  return {
    text: blocks.flatMap(({ kind, text }) => (kind === 'text' || kind === 'refusal' ? [text] : [])).join(''),
    reasoning: text('reasoning'),
    calls: blocks.flatMap(({ toolCall, text }) =>
      toolCall === undefined
        ? []
        : [
            {
              id: toolCall.id,
              name: toolCall.name,
              input: parseJson(text || '{}') ?? { INVALID_JSON: text },
            },
          ],
    ),
    reason: formatStopReason(reason, rawReason),
  }
}

interface Streamed {
  text: string
  parts: StreamPart[]
  usage: Usage | undefined
  error: boolean
}

function streamed(vendorFormat: GenerateFormat, bytes: Buffer, cut = 0): Streamed {
  const seen: Streamed = { text: '', parts: [], usage: undefined, error: false }
  const bridge = openBridge(format, vendorFormat, head, {
    onEvent(parts, text) {
      seen.text += text
      seen.parts.push(...parts)
      for (const part of parts) {
        if (part.type === 'usage') seen.usage = part.usage
        if (part.type === 'error') seen.error = true
      }
    },
  })
  bridge.push(bytes.subarray(0, cut))
  bridge.push(bytes.subarray(cut))
  bridge.end()
  seen.text += seen.error ? '' : bridge.closing(seen.usage, cost)
  return seen
}

interface Event {
  type: string
  index?: number
  [member: string]: unknown
}

function eventsOf(latin1: string): Event[] {
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  return text
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => {
      const [name, data] = one.split('\n')
      const event = JSON.parse(data!.slice('data: '.length)) as Event
      expect(name).toBe(`event: ${event.type}`)
      return event
    })
}

/** The grammar of a stream: a start, blocks one after the other by number, the delta that ends it, a stop. */
function expectOrder(events: readonly Event[]): void {
  expect(events[0]?.type).toBe('message_start')
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop'])
  let next = 0
  let open: number | undefined
  for (const { type, index } of events.slice(1, -2)) {
    if (type === 'ping') continue
    if (type === 'content_block_start') {
      expect([open, index]).toEqual([undefined, next])
      open = next++
    } else {
      expect(['content_block_delta', 'content_block_stop']).toContain(type)
      expect(index).toBe(open)
      if (type === 'content_block_stop') open = undefined
    }
  }
  expect(open).toBeUndefined()
}

function decodedAgain(events: readonly Event[]): ModelResponse {
  const decoder = new MessagesDecoder()
  const parts = events.flatMap((event) => decoder.push(event, event.type))
  const { response, error } = fold([...parts, ...decoder.end()])
  expect(error).toBeUndefined()
  return response
}

describe('a recorded stream, told as Messages', () => {
  it.each(named(answers.filter(({ stream }) => stream)))('%s', (_, recorded) => {
    const vendorFormat = vendorOf(recorded)!
    const bytes = recordings.response(recorded.id)
    const whole = streamed(vendorFormat, bytes)
    if (whole.error) return expect(eventsOf(whole.text).map(({ type }) => type)).not.toContain('message_stop')
    const events = eventsOf(whole.text)
    expectOrder(events)
    expect(told(decodedAgain(events))).toEqual(told(fold(whole.parts).response))
    expect(events[0]).toMatchObject({ message: { model: 'vendor/möbel' } })
    const last = events.at(-2)!['usage'] as Record<string, unknown>
    if (whole.usage !== undefined) expect(last).toMatchObject({ cost_usd: '0.000123', cost: 0.000123 })
    for (let cut = 1; cut < bytes.length; cut += Math.max(1, Math.floor(bytes.length / 200)))
      expect(streamed(vendorFormat, bytes, cut).text).toBe(whole.text)
  })
})

describe('a recorded whole answer, told as Messages', () => {
  it.each(named(answers.filter(({ stream }) => !stream)))('%s', (_, recorded) => {
    const vendorFormat = vendorOf(recorded)!
    const text = recordings.response(recorded.id).toString('utf8')
    const { response, error } = fold(vendorFormat.operations.generate.decodeResponse(parseJson(text)))
    if (error !== undefined)
      return expect(() => readWholeAnswer(format, vendorFormat, text, head)).toThrow(error.message)
    const answer = readWholeAnswer(format, vendorFormat, text, head)
    const message = JSON.parse(answer.body(answer.usage, cost)) as Record<string, unknown>
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model: 'vendor/möbel' })
    expect(told(fold(decodeResponse(message)).response)).toEqual(told(response))
  })
})
