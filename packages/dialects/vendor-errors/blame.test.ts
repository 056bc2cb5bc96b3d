import type { GatewayError } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { decodeVendorError } from './decode-error.ts'

function failed(status: number, body: unknown): GatewayError {
  return decodeVendorError({ status, retryAfter: undefined, body: JSON.stringify(body) })
}

const anthropic = (message: string): object => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
})

/** As quoted in the issues and pages that `blame.ts` names. */
describe('an account that is empty or suspended', () => {
  it.each<[string, number, object]>([
    [
      'OpenAI',
      429,
      { error: { message: 'Not active.', type: 'billing_not_active', code: 'billing_not_active' } },
    ],
    ['Anthropic', 400, anthropic('Your credit balance is too low to access the Anthropic API.')],
    [
      'Anthropic',
      400,
      anthropic('You have reached your specified API usage limits. You will regain access on …'),
    ],
    ['Z.ai', 429, { error: { code: '1113', message: 'Insufficient balance or no resource package.' } }],
    [
      'Moonshot',
      429,
      { error: { message: 'Your account is suspended', type: 'exceeded_current_quota_error' } },
    ],
    [
      'xAI',
      429,
      { code: 'x', error: 'Your team t-1 has either used all available credits or reached its limit.' },
    ],
    ['xAI', 403, { code: 'x', error: "Your newly created team doesn't have any credits or licenses yet." }],
    ['Perplexity', 401, { error: { message: 'x', type: 'insufficient_quota', code: 401 } }],
    [
      'Fireworks',
      412,
      { error: { message: 'Account a-1 is suspended, possibly due to …', code: 'PRECONDITION_FAILED' } },
    ],
    ['Alibaba', 400, { error: { code: 'Arrearage', type: 'Arrearage', message: 'Access denied.' } }],
    [
      'Google',
      429,
      {
        error: { code: 429, message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED' },
      },
    ],
  ])("is not the caller's fault, at %s under %i", (_vendor, status, body) => {
    expect(failed(status, body)).toMatchObject({
      type: 'service_unavailable',
      status: 503,
      reason: 'out-of-quota',
      message: 'The upstream has no quota left for the gateway.',
    })
  })

  it('is not a limit that ends by itself', () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.'
    const body = { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } }
    expect(failed(429, body)).toMatchObject({ status: 429, reason: 'rate-limited' })
    const perMinute = { code: 'insufficient_quota', message: 'Allocated quota exceeded, please increase it.' }
    expect(failed(429, { error: perMinute })).toMatchObject({ status: 429, reason: 'rate-limited' })
  })
})

describe('a rejected key', () => {
  it.each<[number, object]>([
    [400, { error: 'Incorrect API key provided: xa***' }],
    [400, { error: { message: 'API key expired. Please renew the API key.' } }],
    [400, anthropic('This organization has been disabled.')],
  ])('under %i: %j', (status, body) => {
    expect(failed(status, body)).toMatchObject({ type: 'upstream_error', reason: 'key-refused' })
  })
})

it.each(['incorrect api key', 'your credit balance is too low', 'this organization has been disabled'])(
  'does not let a caller disable a key through a value that the vendor quotes: %s',
  (value) => {
    const message = `Invalid value: '${value}'. Supported values are: 'low' and 'high'.`
    const error = failed(400, { error: { message, param: 'reasoning_effort' } })
    expect(error).toMatchObject({ type: 'invalid_request_error', status: 400, message, reason: undefined })
  },
)

it("content that xAI rejects is the caller's fault, and our team and key are not shown", () => {
  const message =
    'Content violates usage guidelines. Team: t-1, API key ID: k-1, Model: grok-4, Failed check: BIO'
  const error = failed(403, { code: 'The caller does not have permission', error: message })
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    status: 403,
    reason: undefined,
    message: 'Content violates usage guidelines. Model: grok-4, Failed check: BIO',
  })
  expect(
    failed(403, { code: 'permission-denied', error: 'Access to the chat endpoint is denied' }).reason,
  ).toBe('not-permitted')
})

describe('a proof that belongs to another key', () => {
  it.each<[string, object]>([
    [
      'OpenAI',
      {
        error: {
          message:
            'The encrypted content for item rs_1 could not be verified. Reason: it could not be parsed.',
          type: 'invalid_request_error',
          code: 'invalid_encrypted_content',
        },
      },
    ],
    ['Azure', { error: { message: 'The encrypted content gAAA...DQ== could not be verified.', code: 'x' } }],
    ['Anthropic', anthropic('messages.1.content.0: Invalid `signature` in `thinking` block')],
    ['Anthropic', anthropic('messages.13.content.2: Invalid `data` in `redacted_thinking` block')],
    ['Google', { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } }],
    ['Google', { error: { code: 400, message: 'Invalid thought signature.', status: 'INVALID_ARGUMENT' } }],
    [
      'Vertex AI',
      {
        error: { message: 'Unable to submit request because Thought signature is not valid.. Learn more: x' },
      },
    ],
  ])('of %s', (_, body) => {
    expect(failed(400, body)).toMatchObject({ status: 400, reason: 'proof-refused' })
  })

  it.each([
    'messages.1.content.0: Invalid `text` in `thinking` block',
    'Unknown tool: corrupted thought signature',
    'The encrypted content is too long.',
  ])('is not recognized in: %s', (message) => {
    expect(failed(400, anthropic(message)).reason).toBeUndefined()
  })
})
