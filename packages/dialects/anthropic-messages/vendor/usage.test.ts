import { describe, expect, it } from 'vitest'
import { mergeUsage, parseUsage } from './usage.ts'

const bucketsOf = (raw: Record<string, unknown>): object => {
  const { raw: kept, ...buckets } = parseUsage(raw)!
  expect(kept).toBe(raw)
  return buckets
}

describe("Anthropic's usage", () => {
  it('counts cached tokens in addition to its input, and thinking as part of its output', () => {
    expect(
      bucketsOf({
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 40 },
        server_tool_use: { web_search_requests: 1 },
      }),
    ).toEqual({
      inputTokens: 10,
      cacheReadTokens: 100,
      cacheWriteTokens: 10,
      cacheWrite1hTokens: 20,
      outputTokens: 10,
      reasoningTokens: 40,
      webSearches: 1,
    })
  })

  it('includes what is billed besides tokens, and marks what has no bucket', () => {
    const services = { service_tier: 'priority', inference_geo: 'us', speed: 'fast' }
    const tools = { web_search_requests: 3, web_fetch_requests: 2, code_execution_requests: 1 }
    expect(bucketsOf({ input_tokens: 1, output_tokens: 2, server_tool_use: tools, ...services })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      webSearches: 3,
      serviceTier: 'priority',
      unpriced: ['code_execution', 'speed', 'inference_geo'],
    })
    const none = { web_search_requests: 0, code_execution_requests: 0 }
    const usual = { server_tool_use: none, inference_geo: 'global', speed: 'standard' }
    expect(bucketsOf({ input_tokens: 1, ...usual })).toEqual({ inputTokens: 1, webSearches: 0 })
    const absurd = { web_search_requests: 1_000_000 }
    expect(bucketsOf({ input_tokens: 1, server_tool_use: absurd })).toEqual({
      inputTokens: 1,
      unpriced: ['web_search'],
    })
  })

  const iteration = (type: string, more: object = {}): object => ({
    type,
    input_tokens: 100,
    output_tokens: 10,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    ...more,
  })

  it('adds the cost of shortening the conversation, which the totals leave out', () => {
    const written = { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 5 }
    const cached = { cache_creation_input_tokens: 55, cache_creation: written }
    const iterations = [iteration('compaction', { input_tokens: 1_000, ...cached }), iteration('message')]
    expect(bucketsOf({ input_tokens: 100, output_tokens: 10, iterations })).toEqual({
      inputTokens: 1_100,
      cacheReadTokens: 0,
      cacheWriteTokens: 50,
      cacheWrite1hTokens: 5,
      outputTokens: 20,
      longestPromptTokens: 1_055,
    })
    const alone = { input_tokens: 0, output_tokens: 0, iterations: [iteration('compaction')] }
    expect(bucketsOf(alone)).toMatchObject({ inputTokens: 100, outputTokens: 10 })
  })

  it('accepts totals that are the sum of several readings, none of which is as long', () => {
    const iterations = [iteration('message'), iteration('message', { input_tokens: 300 })]
    const buckets = bucketsOf({ input_tokens: 400, output_tokens: 20, iterations })
    expect(buckets).toEqual({ inputTokens: 400, outputTokens: 20, longestPromptTokens: 300 })
    const one = bucketsOf({ input_tokens: 100, output_tokens: 10, iterations: iterations.slice(0, 1) })
    expect(one).toEqual({ inputTokens: 100, outputTokens: 10 })
  })

  it.each(['advisor_message', 'fallback_message', 'later_message'])(
    'marks %s, which is another model',
    (type) => {
      const iterations = [iteration('message'), iteration(type, { model: 'dearer' })]
      expect(bucketsOf({ input_tokens: 100, output_tokens: 10, iterations })).toMatchObject({
        inputTokens: 100,
        outputTokens: 10,
        unpriced: ['iterations'],
      })
    },
  )

  it.each([[-1], ['x'], [1e300]])('believes no iteration of %j tokens', (wrong) => {
    const iterations = [iteration('message'), iteration('compaction', { input_tokens: wrong })]
    expect(parseUsage({ input_tokens: 100, output_tokens: 10, iterations })).toMatchObject({
      disbelieved: 'implausible',
    })
  })

  it('keeps the counts from the start of a stream if its end has none, or zero', () => {
    const start = { input_tokens: 10, cache_read_input_tokens: 5 }
    const end = { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 7 }
    expect(mergeUsage(start, end)).toEqual({ ...start, output_tokens: 7 })
    expect(mergeUsage(start, { input_tokens: 40, output_tokens: 0 })).toMatchObject({
      input_tokens: 40,
      output_tokens: 0,
    })
  })

  it('leaves out what the vendor does not report', () => {
    expect(bucketsOf({ input_tokens: 1, cache_read_input_tokens: null, output_tokens: 2 })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
    })
    expect(parseUsage({})).toBeUndefined()
    expect(parseUsage({ service_tier: 'standard' })).toBeUndefined()
  })

  it('is implausible if a number is not a count', () => {
    for (const wrong of [
      { input_tokens: -1 },
      { output_tokens: 'five' },
      { cache_read_input_tokens: 1e308 },
    ]) {
      const raw = { input_tokens: 1, output_tokens: 1, ...wrong }
      expect(parseUsage(raw)).toEqual({ raw, disbelieved: 'implausible' })
    }
  })

  it.each([
    [{ total: 30 }, { cacheWriteTokens: 30 }],
    [
      { total: 30, five: 10, hour: 0 },
      { cacheWriteTokens: 30, cacheWrite1hTokens: 0 },
    ],
    [
      { total: 30, five: 0, hour: 10 },
      { cacheWriteTokens: 0, cacheWrite1hTokens: 30 },
    ],
    [
      { total: 30, five: 5, hour: 10 },
      { cacheWriteTokens: 20, cacheWrite1hTokens: 10 },
    ],
    [
      { total: 0, five: 0, hour: 0 },
      { cacheWriteTokens: 0, cacheWrite1hTokens: 0 },
    ],
    [
      { five: 5, hour: 10 },
      { cacheWriteTokens: 5, cacheWrite1hTokens: 10 },
    ],
  ])('splits cache writes: %j', ({ total, five, hour }: Written, expected) => {
    const cache_creation = { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour }
    expect(bucketsOf({ cache_creation_input_tokens: total, cache_creation })).toEqual(expected)
  })
})

interface Written {
  total?: number
  five?: number
  hour?: number
}
