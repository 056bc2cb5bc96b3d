import { fold, type StreamPart } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { formatCompletion } from '../openai-chat/caller/answer.ts'
import { SseParser, utf8 } from '../sse/parser.ts'
import { decodeBytes, decodeEvents, type VendorEvent } from '../testing/vendor-contract.ts'
import { misplacedParts } from '../testing/well-formed.ts'
import { formatted } from './testing/formatted.ts'
import { anthropicMessages } from './vendor.ts'

const recordings = allRecordings()
const all = recordings.cases.filter(({ vendor, api }) => vendor === 'anthropic' && api === 'messages')
/** One message begins within another: not a vendor's stream, but one that was spliced on its way. */
const spliced = 'vercel-ai-spliced-message-start-chunks'
const whole = all.filter(({ status, stream }) => status === 200 && !stream)
const streamed = all.filter(({ id, status, stream }) => status === 200 && stream && id !== spliced)
const refused = all.filter(({ status }) => status !== 200)
const named = (cases: RecordedCase[]): [string][] => cases.map(({ id }) => [id])

/** What a caller must get from an answer, read from the recording without any of the decoder's code. */
interface Reading {
  text: string
  thinking: string
  calls: { id: string; name: string; input: unknown }[]
  reason: string | undefined
  counts: (number | undefined)[]
}

interface Content {
  type: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  input?: unknown
  json?: string
}

interface Counts {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number
  cache_creation_input_tokens?: number
}

interface Message {
  content: Content[]
  stop_reason?: string
  usage?: Counts
}

interface Event {
  type: string
  index: number
  message: Message
  content_block: Content
  delta: { text?: string; thinking?: string; partial_json?: string; stop_reason?: string }
  usage?: Counts
}

function readMessage({ content, stop_reason: reason, usage }: Message): Reading {
  const joined = (field: 'text' | 'thinking'): string => content.map((block) => block[field] ?? '').join('')
  const calls = content.filter(({ type }) => type === 'tool_use')
  return {
    text: joined('text'),
    thinking: joined('thinking'),
    calls: calls.map(({ id, name, input }) => ({ id: id!, name: name!, input })),
    reason,
    counts: [
      usage?.input_tokens,
      usage?.output_tokens,
      usage?.cache_read_input_tokens,
      usage?.cache_creation_input_tokens,
    ],
  }
}

function readStream(events: readonly Event[]): Reading {
  const message: Message = { content: [] }
  for (const { type, index, message: begun, content_block: block, delta, usage } of events) {
    if (type === 'message_start') message.usage = { ...begun.usage }
    if (type === 'content_block_start') message.content[index] = { ...block }
    if (type === 'content_block_delta') {
      const target = message.content[index]!
      if (delta.text !== undefined) target.text = (target.text ?? '') + delta.text
      if (delta.thinking !== undefined) target.thinking = (target.thinking ?? '') + delta.thinking
      if (delta.partial_json !== undefined) target.json = (target.json ?? '') + delta.partial_json
    }
    if (type === 'message_delta') {
      message.stop_reason = delta.stop_reason ?? message.stop_reason!
      for (const [name, count] of Object.entries(usage ?? {})) {
        if (typeof count === 'number') message.usage = { ...message.usage, [name]: count }
      }
    }
  }
  for (const block of message.content) {
    if (block?.json !== undefined && block.json !== '') block.input = JSON.parse(block.json)
  }
  return readMessage({ ...message, content: message.content.filter((block) => block !== undefined) })
}

function decodedReading(parts: readonly StreamPart[]): Reading {
  const { response, error } = fold(parts)
  expect(error).toBeUndefined()
  expect(misplacedParts(parts)).toEqual([])
  expect(response.choices).toHaveLength(1)
  const { blocks, finish } = response.choices[0]!
  const joined = (kind: string): string =>
    blocks.map((block) => (block.kind === kind ? block.text : '')).join('')
  const { usage } = response
  const sum = (...counts: (number | undefined)[]): number | undefined =>
    counts.every((count) => count === undefined)
      ? undefined
      : counts.reduce<number>((a, b) => a + (b ?? 0), 0)
  return {
    text: joined('text'),
    thinking: joined('reasoning'),
    calls: blocks.flatMap(({ toolCall, text }) =>
      toolCall === undefined
        ? []
        : [{ id: toolCall.id, name: toolCall.name, input: JSON.parse(text) as unknown }],
    ),
    reason: finish?.rawReason,
    counts: [
      usage?.inputTokens,
      sum(usage?.outputTokens, usage?.reasoningTokens),
      usage?.cacheReadTokens,
      sum(usage?.cacheWriteTokens, usage?.cacheWrite1hTokens),
    ],
  }
}

/** The events of a recording. One file may contain several answers, one after the other. */
function answersOf(id: string): VendorEvent[][] {
  const answers: VendorEvent[][] = []
  const parser = new SseParser({
    onEvent(data, event) {
      const body = JSON.parse(utf8(data)) as Event
      if (body.type === 'message_start') answers.push([])
      answers.at(-1)!.push({ event, data: body })
    },
  })
  parser.push(recordings.response(id).toString('latin1'))
  parser.end()
  return answers
}

/** Blocks of these types, as far as Anthropic accepts them back. The content may be a single text. */
function blocksOf(content: unknown, types: string[]): Content[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Content[])
  const read = ['type', 'text', 'thinking', 'signature', 'data', 'id', 'name', 'input']
  return blocks
    .filter(({ type }) => types.includes(type))
    .map(
      (block) => Object.fromEntries(Object.entries(block).filter(([field]) => read.includes(field))) as never,
    )
}

const bodyOf = (id: string): Message => JSON.parse(recordings.response(id).toString()) as Message

describe("Anthropic's recorded answers", () => {
  test.runIf(recordings.areReal)('are all there', () => {
    expect([whole.length >= 30, streamed.length >= 45, refused.length >= 3]).toEqual([true, true, true])
  })

  test.each(named(whole))('are read whole: %s', (id) => {
    const body = bodyOf(id)
    expect(decodedReading(anthropicMessages.operations.generate.decodeResponse(body))).toEqual(
      readMessage(body),
    )
  })

  test.each(named(streamed))('are read streamed: %s', (id) => {
    for (const events of answersOf(id)) {
      const expected = readStream(events.map(({ data }) => data as Event))
      expect(decodedReading(decodeEvents(anthropicMessages, events))).toEqual(expected)
    }
  })

  test.each(named(streamed))('are an error if cut: %s', (id) => {
    for (const events of answersOf(id)) {
      for (const part of [0.2, 0.5, 0.9]) {
        const cut = decodeEvents(anthropicMessages, events.slice(0, Math.floor(events.length * part)))
        expect(cut.filter(({ type }) => type === 'error')).toHaveLength(1)
      }
    }
  })

  test.each(named(whole))('are accepted when a caller sends them back: %s', (id) => {
    const body = bodyOf(id)
    const { response } = fold(anthropicMessages.operations.generate.decodeResponse(body))
    const head = { id: 'chatcmpl-1', model: 'anthropic/x', created: 1 }
    const { choices } = formatCompletion(response, head) as { choices: { message: object }[] }
    const answered = (body.content ?? []).filter(({ type }) => type === 'tool_use')
    const results = answered.map((call) => ({ role: 'tool', tool_call_id: call.id, content: 'done' }))
    const question = { role: 'user', content: 'x' }
    const [, turn] = formatted({ messages: [question, choices[0]!.message, ...results, question] }).messages
    const kept = ['thinking', 'redacted_thinking', 'tool_use']
    expect(blocksOf(turn!.content, kept)).toEqual(blocksOf(body.content, kept))
    expect(readMessage({ content: blocksOf(turn!.content, ['text']) }).text).toBe(readMessage(body).text)
  })

  test.each(named(refused))('are refused: %s', (id) => {
    const { status } = recordings.get(id)
    const error = anthropicMessages.decodeError({
      status,
      retryAfter: undefined,
      body: recordings.response(id).toString(),
    })
    expect(error.status).toBe(status === 401 ? 502 : status)
  })

  test.runIf(recordings.areReal)('are an error if two answers were mixed', () => {
    const { error } = fold(decodeBytes(anthropicMessages, [recordings.response(spliced)]))
    expect(error?.type).toBe('upstream_error')
  })
})
