import { describe, expect, it } from 'vitest'
import { totalInputTokens, totalOutputTokens } from '@turnpike/protocol'
import { formatUsage } from './caller/usage.ts'
import { parseUsage } from './vendor/usage.ts'

describe("OpenAI's usage", () => {
  it('is split into buckets that share no token', () => {
    const raw = {
      prompt_tokens: 1000,
      completion_tokens: 300,
      total_tokens: 1300,
      prompt_tokens_details: { cached_tokens: 600, audio_tokens: 50 },
      completion_tokens_details: { reasoning_tokens: 200, audio_tokens: 20, accepted_prediction_tokens: 5 },
    }
    const usage = parseUsage(raw)!
    expect(usage).toEqual({
      inputTokens: 350,
      cacheReadTokens: 600,
      inputAudioTokens: 50,
      outputTokens: 80,
      reasoningTokens: 200,
      outputAudioTokens: 20,
      raw,
    })
    expect([totalInputTokens(usage), totalOutputTokens(usage)]).toEqual([1000, 300])
  })

  it('counts reasoning in addition to the completion if the total says so', () => {
    const usage = parseUsage({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 45,
      completion_tokens_details: { reasoning_tokens: 30 },
    })!
    expect([usage.reasoningTokens, usage.outputTokens]).toEqual([30, 5])
  })

  it.each<[string, object]>([
    ['in the details', { prompt_tokens_details: { cached_tokens: 6 } }],
    // https://docs.mistral.ai/api/, `UsageInfo`: either of them, beside nulls.
    [
      "in Mistral's second details",
      { prompt_tokens_details: null, prompt_token_details: { cached_tokens: 6 } },
    ],
    [
      'at the top, beside details that say nothing',
      { prompt_tokens_details: { cached_tokens: null }, cached_tokens: 6 },
    ],
    ["in DeepSeek's field", { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }],
  ])('includes cache reads: %s', (_place, counts) => {
    const usage = parseUsage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...counts })!
    expect([usage.cacheReadTokens, usage.inputTokens]).toEqual([6, 4])
  })

  // https://www.alibabacloud.com/help/en/model-studio/context-cache: priced separately, and part of the
  // prompt.
  it.each<[string, object]>([
    ['OpenRouter', { cache_write_tokens: 7 }],
    ['Alibaba', { cache_creation_input_tokens: 7, cache_creation: { ephemeral_5m_input_tokens: 7 } }],
    ['LiteLLM', { cache_creation_tokens: 7 }],
  ])('includes cache writes: %s', (_vendor, details) => {
    const usage = parseUsage({
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 1, ...details },
    })!
    expect(usage).toMatchObject({ inputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 7 })
  })

  it("counts reasoning of Perplexity's research in addition to its completion, as it is priced", () => {
    const usage = parseUsage({
      prompt_tokens: 33,
      completion_tokens: 7163,
      total_tokens: 7196,
      citation_tokens: 47_293,
      num_search_queries: 18,
      reasoning_tokens: 73_997,
    })!
    expect(usage).toMatchObject({ inputTokens: 33, outputTokens: 7163, reasoningTokens: 73_997 })
    const within = { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12, reasoning_tokens: 4 }
    expect(parseUsage(within)).toMatchObject({ outputTokens: 5, reasoningTokens: 4 })
  })

  it('accepts counts that are strings, and a completion that only the total shows', () => {
    const counts = { inputTokens: 10, outputTokens: 5 }
    expect(parseUsage({ prompt_tokens: '10', completion_tokens: '5' })).toMatchObject(counts)
    expect(parseUsage({ prompt_tokens: 10, total_tokens: 15 })).toMatchObject(counts)
    expect(parseUsage({ prompt_tokens: 10, total_tokens: 10 })).toMatchObject({ outputTokens: 0 })
  })

  it('never exceeds the totals, whatever the details say', () => {
    const usage = parseUsage({
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 99 },
    })!
    expect([usage.cacheReadTokens, usage.inputTokens]).toEqual([10, 0])
  })

  it.each([
    null,
    undefined,
    {},
    'x',
    { prompt_tokens: 3 },
    { prompt_tokens: 3, completion_tokens: null, total_tokens: 2 },
  ])('is unknown, not zero, if the totals are missing: %j', (raw) => {
    expect(parseUsage(raw)).toBeUndefined()
  })

  it.each([
    { prompt_tokens: 'few', completion_tokens: 1 },
    { prompt_tokens: '', completion_tokens: 1 },
    { prompt_tokens: -1, completion_tokens: 2 },
    { prompt_tokens: 1, completion_tokens: 1e308 },
    { prompt_tokens: 1, completion_tokens: 0.5 },
    { prompt_tokens: 1, completion_tokens: true },
  ])('is implausible if a total is not a count: %j', (raw) => {
    expect(parseUsage(raw)).toEqual({ raw, disbelieved: 'implausible' })
  })

  it("keeps the vendor's further members, and adds the contract's fields", () => {
    const raw = {
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 7,
      completion_tokens_details: { rejected_prediction_tokens: 1 },
    }
    expect(formatUsage(parseUsage(raw)!)).toEqual({
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 7,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      completion_tokens_details: { rejected_prediction_tokens: 1, reasoning_tokens: 0 },
    })
  })
})
