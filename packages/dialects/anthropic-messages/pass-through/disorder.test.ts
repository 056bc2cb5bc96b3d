import type { StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { bridged, type Bridged } from '../../testing/bridged.ts'
import { MessagesStreamBridge } from './stream.ts'

type Json = Record<string, unknown>

const head = {
  id: 'msg_1',
  model: 'anthropic/claude',
  created: 1,
  includeUsage: true,
  reasoningHidden: false,
}

/** The caller's stream and the decoded parts of these events. */
const bridge = (events: readonly Json[]): Bridged =>
  bridged(
    (listener) => new MessagesStreamBridge(head, listener),
    events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`),
  )

const start = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude', content: [], usage: { input_tokens: 5 } },
}
const opened = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const text = (content: string, index = 0): Json => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text: content },
})
const closed = { type: 'content_block_stop', index: 0 }
const reason = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }
const stop = { type: 'message_stop' }

const textOf = (parts: readonly StreamPart[]): string =>
  parts.map((part) => (part.type === 'block-delta' ? part.text : '')).join('')

describe('a stream whose events are out of order', () => {
  it('passes nothing on after its stop reason that was not counted', () => {
    const events = [
      start,
      opened,
      text('Yes'),
      text('.'),
      closed,
      reason,
      opened,
      text('free'),
      text('free', 7),
      stop,
    ]
    const { text: out, parts } = bridge(events)
    expect(textOf(parts)).toBe('Yes.')
    expect(out).not.toContain('free')
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  })

  it('counts pieces of blocks that never began', () => {
    const { text: out, parts } = bridge([start, text('Yes', 3), text('.', 3), reason, stop])
    expect(textOf(parts)).toBe('Yes.')
    expect(out).toContain('"Yes"')
  })

  it('breaks off if it stops before it is finished', () => {
    const { text: out, parts } = bridge([start, opened, text('Yes'), stop, text('free')])
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { type: 'upstream_error' } })
    expect(out).not.toContain('free')
  })

  it('may have any number of pings', () => {
    const pings = Array.from({ length: 1_000 }, () => ({ type: 'ping' }))
    const { parts } = bridge([start, opened, ...pings, text('Yes'), closed, reason, stop])
    expect(textOf(parts)).toBe('Yes')
    expect(parts.length).toBeLessThan(10)
  })

  it.each([
    [{ output_tokens: -3 }, { disbelieved: 'implausible' }],
    [{ output_tokens: 1e300 }, { disbelieved: 'implausible' }],
    [{}, { inputTokens: 5 }],
    [
      { input_tokens: 2, output_tokens: 3 },
      { inputTokens: 2, outputTokens: 3 },
    ],
  ])('counts its final usage: %j', (usage, expected) => {
    const { parts } = bridge([start, opened, text('Yes'), closed, { ...reason, usage }, stop])
    expect(parts.findLast(({ type }) => type === 'usage')).toMatchObject({ usage: expected })
  })
})
