import { expect, it } from 'vitest'
import { parseUsage } from './usage.ts'

const tokens = { input_tokens: 379, output_tokens: 164, reasoning_tokens: 54 }
const billed = { input_tokens: 83, output_tokens: 109 }

it.each([
  // Billed tokens, including reasoning.
  [
    { billed_units: billed, tokens, cached_tokens: 144 },
    { inputTokens: 83, outputTokens: 55, reasoningTokens: 54 },
  ],
  [{ billed_units: billed }, { inputTokens: 83, outputTokens: 109 }],
  [{ billed_units: { input_tokens: 83 } }, { inputTokens: 83 }],
  // Reasoning cannot exceed the output.
  [
    { billed_units: { input_tokens: 1, output_tokens: 9 }, tokens },
    { inputTokens: 1, outputTokens: 0, reasoningTokens: 9 },
  ],
  // A server that bills nothing counts tokens all the same.
  [
    { billed_units: { input_tokens: 0, output_tokens: 0 }, tokens, cached_tokens: 144 },
    { inputTokens: 235, cacheReadTokens: 144, outputTokens: 110, reasoningTokens: 54 },
  ],
  [
    { tokens, cached_tokens: 1_000 },
    { inputTokens: 0, cacheReadTokens: 379, outputTokens: 110, reasoningTokens: 54 },
  ],
  [
    { billed_units: { ...billed, search_units: 2 } },
    { inputTokens: 83, outputTokens: 109, unpriced: ['search_units'] },
  ],
])('reads %j', (raw, usage) => expect(parseUsage(raw)).toEqual({ ...usage, raw }))

it.each([
  { billed_units: { input_tokens: -1, output_tokens: 3 } },
  { billed_units: { input_tokens: 1.5, output_tokens: 3 } },
  { billed_units: { input_tokens: 1, output_tokens: '1e308' } },
])('is not believed: %j', (raw) => expect(parseUsage(raw)).toEqual({ raw, disbelieved: 'implausible' }))

it.each([
  undefined,
  null,
  'x',
  [],
  {},
  { billed_units: {} },
  { billed_units: null, tokens: 3 },
  { tokens: {} },
])('is undefined: %j', (raw) => expect(parseUsage(raw)).toBeUndefined())
