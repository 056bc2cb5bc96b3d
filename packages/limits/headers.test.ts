import { expect, test } from 'vitest'
import { AccountCounts, addAll } from './account-counts.ts'
import { duration, rateLimitHeaders } from './headers.ts'
import { limitsOfTier } from './limits.ts'

test.each([
  [0, '0s'],
  [1, '1ms'],
  [120, '120ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [8_640, '8.64s'],
  [59_999, '59.999s'],
  [60_000, '1m0s'],
  [73_200, '1m13.2s'],
  [360_000, '6m0s'],
  [3_600_000, '1h0m0s'],
  [3_723_004, '1h2m3.004s'],
])('%s ms are written as %s, like OpenAI does', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

const tier = {
  name: 'free',
  lifetimeTopupPico: null,
  models: new Map(),
  requestsPerMinute: 60,
  inputTokensPerMinute: 6_000,
  outputTokensPerMinute: 600,
}

test('report what is left, and for tokens the limit that is closer to its end', () => {
  const counters = new AccountCounts('acct_1').countersOf(limitsOfTier(tier), 0)
  addAll(counters, [1, 1_000, 50])
  expect(rateLimitHeaders(counters, 0, 'openai')).toEqual({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-reset-requests': '1s',
    'x-ratelimit-limit-tokens': '6000',
    'x-ratelimit-remaining-tokens': '5000',
    'x-ratelimit-reset-tokens': '10s',
  })
  addAll(counters, [0, 0, 500])
  expect(rateLimitHeaders(counters, 1_000, 'openai')).toMatchObject({
    'x-ratelimit-remaining-requests': '60',
    'x-ratelimit-reset-requests': '0s',
    'x-ratelimit-limit-tokens': '600',
    'x-ratelimit-remaining-tokens': '60',
    'x-ratelimit-reset-tokens': '54s',
  })
})

test('report nothing without a limit', () => {
  const { requestsPerMinute: _, ...rest } = tier
  const counters = new AccountCounts('acct_1').countersOf(limitsOfTier(rest), 0)
  expect(Object.keys(rateLimitHeaders(counters, 0, 'openai'))).toHaveLength(3)
  expect(rateLimitHeaders([], 0, 'openai')).toEqual({})
})

test('report each limit in Anthropic’s format, with absolute times', () => {
  const counters = new AccountCounts('acct_1').countersOf(limitsOfTier(tier), 0)
  addAll(counters, [1, 1_000, 300])
  const headers = rateLimitHeaders(counters, 0, 'anthropic')
  expect(headers).toMatchObject({
    'anthropic-ratelimit-requests-limit': '60',
    'anthropic-ratelimit-requests-remaining': '59',
    'anthropic-ratelimit-input-tokens-limit': '6000',
    'anthropic-ratelimit-input-tokens-remaining': '5000',
    'anthropic-ratelimit-output-tokens-limit': '600',
    'anthropic-ratelimit-output-tokens-remaining': '300',
    'anthropic-ratelimit-tokens-limit': '600',
    'anthropic-ratelimit-tokens-remaining': '300',
  })
  expect(headers['anthropic-ratelimit-requests-reset']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})
