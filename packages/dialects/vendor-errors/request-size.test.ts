import { describe, expect, it } from 'vitest'
import { decodeError } from '../google-generate/vendor/errors.ts'
import { decodeVendorError } from './decode-error.ts'
import type { RequestSize } from './request-size.ts'

const size: RequestSize = { inputTokens: 50_000, outputTokens: 4_000 }

const openai = (message: string): object => ({
  error: { message, type: 'tokens', param: null, code: 'rate_limit_exceeded' },
})
const anthropic = (message: string): object => ({
  type: 'error',
  error: { type: 'rate_limit_error', message },
})
const google = (message: string, quotaValue = '1000000'): object => ({
  error: {
    code: 429,
    message,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [
          {
            quotaMetric: 'x/generate_content_paid_tier_input_token_count',
            quotaId: 'InputTokens',
            quotaValue,
          },
        ],
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' },
    ],
  },
})
const tooLarge = (limit: string, requested: string): string =>
  `Request too large for gpt-4o in organization org-abc123 on tokens per min (TPM): ` +
  `Limit ${limit}, Requested ${requested}. The input or output tokens must be reduced.`

/** Messages as vendors have sent them, or might. */
const own: [string, number, object | string][] = [
  ['OpenAI', 429, openai(tooLarge('30000', '41234'))],
  [
    'OpenAI, of a version',
    429,
    openai(tooLarge('30000', '30001').replace('gpt-4o', 'gpt-4.1-2025-04-14 (for limit gpt-4.1)')),
  ],
  [
    'OpenAI, by numbers alone',
    429,
    openai('Rate limit reached for gpt-4o: Limit 30,000, Used 0, Requested 41,234.'),
  ],
  ['Groq', 413, openai(tooLarge('6000', '7000'))],
  ['Azure', 429, openai('The request needs 41k tokens; the limit of this deployment is 30k.')],
  ['Mistral', 429, { message: 'Requested tokens 41234 exceed limit: 30000', type: 'rate_limited' }],
  ['another', 429, { detail: '7000 tokens requested, the limit is 6000 per minute' }],
  ['by the count', 429, google('The input token count (1200000) exceeds the limit (1000000).')],
  ['by the tokens', 429, openai('Input tokens 45000 exceeds the limit of 30000 per request.')],
  ['by what it is', 429, openai('Max tokens per request: 30000. Yours: 41234.')],
  ['by what it would use', 429, openai('Maximum is 30000 TPM, but this request would use 41234')],
  ['in a bracket', 429, openai('Too many tokens in request: 41234 (max 30000)')],
  ['in millions', 429, openai('Requested 1.2M tokens, limit 1M')],
  ['compared', 429, openai('request tokens 41,234 > limit 30,000')],
  ['a prompt', 429, openai('Your prompt is too long for this tier.')],
  ['in words', 429, { error: { message: 'A single request may not exceed the quota.' } }],
  ['in a kind', 429, { error: { message: 'No.', code: 'request_too_large' } }],
  [
    'Anthropic, by our estimate',
    429,
    anthropic(
      "This request would exceed your organization's rate limit of 40,000 input tokens per " +
        'minute (org: 6b700525-ce41, model: x).',
    ),
  ],
  [
    'Anthropic, older',
    429,
    anthropic(
      'This request would exceed the rate limit for your organization ' +
        '(d3f27ff7-9afe-4ee2-9645-76ecfc73c2b7) of 40,000 input tokens per minute.',
    ),
  ],
  ['Google, by our estimate', 429, google('Quota exceeded.', '40000')],
  [
    'Google, in the message',
    429,
    {
      error: {
        message:
          'Quota exceeded for metric: x/generate_content_paid_tier_input_token_count, limit: ' +
          '40000, model: gemini-2.5-pro',
        code: 429,
      },
    },
  ],
  [
    'a body too large',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
  ],
  ['a proxy', 413, '<html>413 Request Entity Too Large</html>'],
]

/** Limits for all our requests together, or for other things. */
const everybodys: [string, number, object | string][] = [
  [
    'OpenAI',
    429,
    openai(
      'Rate limit reached for gpt-4o in organization org-abc on tokens per min (TPM): ' +
        'Limit 30000, Used 28039, Requested 3906. Please try again in 3.89s.',
    ),
  ],
  [
    'OpenAI, requests',
    429,
    openai(
      'Rate limit reached for gpt-3.5-turbo-16k in organization org-abc on requests per ' +
        'min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
    ),
  ],
  ['a limit of none', 429, openai('Rate limit reached for o3: Limit 0, Used 0, Requested 1.')],
  [
    'Anthropic',
    429,
    anthropic(
      "This request would exceed your organization's rate limit of 400,000 input tokens " +
        'per minute (org: x, model: y).',
    ),
  ],
  [
    'Anthropic, output',
    429,
    anthropic("This request would exceed your organization's rate limit of 8,000 output tokens per minute."),
  ],
  ['Google', 429, google('Quota exceeded.')],
  ['Google, none', 429, google('Quota exceeded for metric: x/free_tier_input_token_count, limit: 0', '0')],
  ['in requests', 429, openai('Limit of 60 requests per minute. Requested 61')],
  ['compared', 429, openai('Too many requests: 120 > 100 per minute')],
  ['at once', 429, openai('Concurrent requests 12 > 10')],
  ['in times', 429, openai('You requested 20 times in 1 minute, the limit is 10 requests per minute.')],
  ['by a time', 429, openai('Max RPM: 3, requested at 1795000000')],
  ['by a wait', 429, openai('Limit 60,000 TPM: 59,000 used, 2,000 requested. Requested again in 70000 ms')],
  ['together', 429, openai('Used 61000 > 60000 TPM')],
  ['of messages', 429, openai('Rate limit: max 5 concurrent requests. Request has 12 messages.')],
  ['in plain', 429, { error: { message: 'Slow down.' } }],
  ['without a word', 429, ''],
]

function decoded(status: number, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return decodeError({ status, retryAfter: '7', body: text, size })
}

describe('a limit that one request exceeds by itself', () => {
  it.each(own)('is recognized: %s', (_vendor, status, body) => {
    const error = decoded(status, body)
    expect(error).toMatchObject({
      status,
      reason: 'request-too-large',
      headers: { 'x-should-retry': 'false' },
    })
    expect(error.type).toBe(status === 413 ? 'request_too_large' : 'rate_limit_error')
    // A 429 always has a time to retry, though waiting does not help here.
    expect(error.retryAfterSeconds).toBe(status === 429 ? 60 : undefined)
    expect(error.message).not.toMatch(/org-|6b70|d3f2/)
    expect(error.detail).toContain(String(status))
  })

  it.each(everybodys)('is not a limit for all requests together: %s', (_vendor, status, body) => {
    expect(decoded(status, body)).toMatchObject({ status: 429, reason: 'rate-limited' })
  })

  it.each<[string, boolean]>([
    ['Slow down.', false],
    ['Rate limit reached for requests', false],
    ['Requests rate limit exceeded', false],
    ['Rate limit reached for x on tokens per min (TPM): Limit 30000, Used 28039, Requested 3906.', false],
    ['Requests have exceeded token rate limit of your current pricing tier.', true],
    ['Your prompt does not fit our meters.', true],
    ['Please reduce your message and try again.', true],
  ])('may be the cause of "%s": %s', (message, mayBeOwn) => {
    expect(decoded(429, openai(message))).toMatchObject({ reason: 'rate-limited', mayBeOwn })
  })

  it.each<[string, object]>([
    ['OpenAI, of as much', openai('Rate limit reached on TPM: Limit 30000, Used 30000, Requested 30000.')],
    [
      'Moonshot',
      openai('Your account org-1 request reached TPM rate limit, current: 2032410, limit: 2000000'),
    ],
    [
      'Anthropic',
      anthropic(
        "This request would exceed your organization's rate limit of 400,000 input tokens per minute.",
      ),
    ],
    ['Google', google('Quota exceeded.')],
    ['Google, none', google('Quota exceeded.', '0')],
  ])('is ruled out if the request is far below the limit: %s', (_vendor, body) => {
    expect(decoded(429, body)).toMatchObject({ reason: 'rate-limited', mayBeOwn: false })
  })

  it('is what our credit still covers, under 402', () => {
    const decodedWith = (afford: number) =>
      decodeVendorError({
        status: 402,
        retryAfter: undefined,
        body: JSON.stringify({
          error: {
            message:
              `This request requires more credits, or fewer max_tokens. You requested up to 65536 ` +
              `tokens, but can only afford ${afford}.`,
            code: 402,
          },
        }),
      })
    const message = 'The upstream has no quota left for the gateway.'
    expect(decodedWith(3_395)).toMatchObject({ status: 503, reason: 'request-too-large', message })
    expect(decodedWith(0)).toMatchObject({ status: 503, reason: 'out-of-quota', message })
    const prompt = JSON.stringify({
      error: { message: 'Prompt tokens limit exceeded: 230799 > 91442. To increase, …' },
    })
    expect(decodeVendorError({ status: 402, retryAfter: undefined, body: prompt }).reason).toBe(
      'request-too-large',
    )
  })

  it('is not a prompt that is longer than the context', () => {
    const error = decoded(400, { error: { message: 'prompt is too long: 207791 tokens > 200000 maximum' } })
    expect(error).toMatchObject({ status: 400, reason: 'context-too-long' })
  })
})
