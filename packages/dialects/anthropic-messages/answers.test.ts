import { fold, type ModelResponse } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../json/parse-json.ts'
import {
  streamedAnswers,
  tellStream,
  tellWhole,
  wholeAnswers,
  type Telling,
} from '../testing/recorded-answers.ts'
import { anthropicMessagesCaller } from './caller.ts'
import { formatStopReason } from './finish-reason.ts'
import { decodeResponse } from './vendor/answer.ts'
import { MessagesDecoder } from './vendor/stream.ts'

const telling: Telling = {
  format: anthropicMessagesCaller,
  head: { id: 'msg_ours', model: 'vendor/möbel', created: 1_700_000_000, includeUsage: true },
  cost: { usd: '0.000123' },
}

/** What the Messages format can express of an answer: text, calls and finish reason of one choice. */
function summarize({ choices }: ModelResponse): unknown {
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

/** Checks the grammar of a stream: a start, numbered blocks one after the other, the final delta, a stop. */
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

describe('a recorded stream, translated to Messages', () => {
  it.each(streamedAnswers)('%s', (_, answer) => {
    const { text, whole, parts, usage, error } = tellStream(telling, answer)
    if (error !== undefined)
      return expect(eventsOf(text).map(({ type }) => type)).not.toContain('message_stop')
    const events = eventsOf(whole)
    expectOrder(events)
    expect(summarize(decodedAgain(events))).toEqual(summarize(fold(parts).response))
    expect(events[0]).toMatchObject({ message: { model: 'vendor/möbel' } })
    const last = events.at(-2)!['usage'] as Record<string, unknown>
    if (usage !== undefined) expect(last).toMatchObject({ cost_usd: '0.000123', cost: 0.000123 })
    const { length } = answer.bytes
    for (let cut = 1; cut < length; cut += Math.max(1, Math.floor(length / 200)))
      expect(tellStream(telling, answer, cut).whole).toBe(whole)
  })
})

describe('a recorded whole answer, translated to Messages', () => {
  it.each(wholeAnswers)('%s', (_, answer) => {
    const answers = tellWhole(telling, answer)
    if (answers === undefined) return
    expect(answers.body).toMatchObject({ type: 'message', role: 'assistant', model: 'vendor/möbel' })
    expect(summarize(fold(decodeResponse(answers.body)).response)).toEqual(summarize(answers.response))
  })
})
