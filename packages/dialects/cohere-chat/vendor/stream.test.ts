import type { StreamPart } from '@turnpike/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import { misplacedParts } from '../../testing/well-formed.ts'
import { CohereDecoder } from './stream.ts'

const types = [
  'message-start',
  'content-start',
  'content-delta',
  'content-end',
  'tool-plan-delta',
  'tool-call-start',
  'tool-call-delta',
  'tool-call-end',
  'citation-start',
  'citation-end',
  'message-end',
  'what-comes-later',
]

/** Mostly valid values, otherwise anything, including an object that cannot be converted to a string. */
const odd = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'null', 'text', 'thinking', 'COMPLETE', 'ERROR') },
  fc.constantFrom(0, 1, 2, -1, null, true, { toString: 1, valueOf: 1 }, { __proto__: null }),
  fc.jsonValue({ maxDepth: 2 }),
)
const content = fc.record({ type: odd, text: odd, thinking: odd }, { requiredKeys: [] })
const call = fc.record(
  { id: odd, type: odd, function: fc.oneof(fc.record({ name: odd, arguments: odd }), odd) },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    content: fc.oneof(content, fc.array(content), odd),
    tool_calls: fc.oneof(call, fc.array(call), odd),
    tool_plan: odd,
    citations: odd,
  },
  { requiredKeys: [] },
)
const usage = fc.record({ billed_units: odd, tokens: odd, cached_tokens: odd }, { requiredKeys: [] })
const delta = fc.record(
  { message: fc.oneof(message, odd), finish_reason: odd, usage: fc.oneof(usage, odd), error: odd },
  { requiredKeys: [] },
)
const event = fc.record(
  {
    type: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...types) }, odd),
    id: odd,
    index: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1) }, odd),
    delta: fc.oneof({ weight: 4, arbitrary: delta }, odd),
  },
  { requiredKeys: ['type'] },
)
const start = { type: 'message-start', id: 'a' }

holdsForAll(
  'decodes any events without throwing, and returns their parts in order',
  [fc.array(fc.oneof({ weight: 9, arbitrary: event }, odd), { maxLength: 20 })],
  (events) => {
    const decoder = new CohereDecoder()
    const parts: StreamPart[] = [start, ...events].flatMap((one) => decoder.push(one, ''))
    parts.push(...decoder.end())
    expectWhole(parts)
  },
  3_000,
)

const whole = fc.record(
  { id: odd, message: fc.oneof(message, odd), finish_reason: odd, usage: fc.oneof(usage, odd), more: odd },
  { requiredKeys: [] },
)
holdsForAll(
  'decodes any whole answer without throwing',
  [fc.oneof({ weight: 9, arbitrary: whole }, odd)],
  (body) => {
    expectWhole(new CohereDecoder().pushWhole(body))
  },
  3_000,
)

/** Checks that the answer ends once, well or with an error, and that its blocks begin and end. */
function expectWhole(parts: readonly StreamPart[]): void {
  const errors = parts.filter(({ type }) => type === 'error').length
  const finishes = parts.filter(({ type }) => type === 'finish').length
  expect(errors).toBeLessThanOrEqual(1)
  expect(errors + finishes).toBeGreaterThanOrEqual(1)
  if (errors === 0) expect(misplacedParts(parts)).toEqual([])
}
