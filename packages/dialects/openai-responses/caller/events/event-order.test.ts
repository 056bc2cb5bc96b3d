import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../../testing/vendor-contract.ts'
import { eventsOf, recordedEvents, type Event } from '../../testing/read-events.ts'
import { openaiResponses } from '../../vendor.ts'
import { ResponsesEncoder } from '../stream.ts'

/** Recorded streams, decoded and encoded again, have the same events in the same order. */

const recordings = allRecordings()

/** Other items are the vendor's own tools, for which there are no parts. */
const toldItems = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call'])

/** Reasoning of a Responses vendor becomes a summary, even if the vendor sent the full text. */
function isToldAlike({ type, item }: Event): boolean {
  if (type === 'response.output_item.added') return toldItems.has(item!.type)
  return type !== 'response.reasoning_text.delta'
}

const streams = recordings.cases.filter(
  ({ api, status, stream, form }) => api === 'responses' && status === 200 && stream && form === 'sse-raw',
)

function toldAgain({ id }: RecordedCase): Event[] {
  const encoder = new ResponsesEncoder({ id: 'resp_1', model: 'm', created: 1, includeUsage: true })
  const parts = decodeBytes(openaiResponses, [recordings.response(id)])
  const text = parts.map((part) => encoder.write(part)).join('')
  return eventsOf(text + encoder.closing({ inputTokens: 1, outputTokens: 1 }, { usd: '0' }))
}

/** Each event and its place; the deltas of one text count once. */
function orderOf(events: readonly Event[]): string[] {
  const order: string[] = []
  for (const { type, output_index: at, content_index: content, summary_index: summary } of events) {
    const place = [type, at, content ?? summary].join(' ')
    if (order.at(-1) !== place) order.push(place)
  }
  return order
}

function membersOf(events: readonly Event[]): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>()
  for (const event of events) members.set(event.type, new Set(Object.keys(event)))
  return members
}

describe('a stream has the same events after decoding and encoding', () => {
  it.each(streams.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    const theirs = recordedEvents(recordings.response(one.id))
    const ours = toldAgain(one)
    if (theirs.every(isToldAlike)) expect(orderOf(ours)).toEqual(orderOf(theirs))
    const ownMembers = membersOf(ours)
    for (const [type, members] of membersOf(theirs)) {
      const missing = [...members].filter(
        (name) => name !== 'obfuscation' && ownMembers.get(type)?.has(name) === false,
      )
      expect(missing, type).toEqual([])
    }
  })
})
