import { readFileSync } from 'node:fs'
import { allRecordings } from '@turnpike/simulators'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'
import type { GatewayError } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { errorInAnswer } from '../openai-chat/vendor/errors.ts'
import { decodeVendorError } from './decode-error.ts'

function failed(status: number, body: unknown, retryAfter?: string): GatewayError {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return decodeVendorError({ status, retryAfter, body: text })
}

const mistake = (loc: unknown[], msg: string): object => ({ type: 'extra_forbidden', loc, msg, input: 1 })

describe("a vendor's error", () => {
  it.each<[string, unknown, string, string | null]>([
    ['an object', { error: { message: 'too long', param: 'messages', code: null } }, 'too long', 'messages'],
    [
      'an object beside a code',
      { code: 'Some requested entity was not found', error: 'No model x' },
      'No model x',
      null,
    ],
    ['a string', { error: 'no such model' }, 'no such model', null],
    ['an array', [{ error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } }], 'bad', null],
    ['several strings', { error: ['first', 'second'], error_type: 'validation' }, 'first; second', null],
    [
      'a message',
      { object: 'error', message: 'bad order', type: 'x', param: null, code: '3230' },
      'bad order',
      null,
    ],
    ['a detail', { detail: 'Not Found' }, 'Not Found', null],
    [
      'places',
      { detail: [mistake(['body', 'seed'], 'Extra inputs'), mistake(['body', 'user'], 'Extra inputs')] },
      'seed: Extra inputs; user: Extra inputs',
      'seed',
    ],
    [
      'places within a message',
      {
        object: 'error',
        message: { detail: [mistake(['body', 'messages', 0, 'user', 'name'], 'No')] },
        code: null,
      },
      'messages[0].name: No',
      'messages[0].name',
    ],
    [
      'places within a text',
      { message: JSON.stringify({ detail: [mistake(['body', 'top_p'], 'must be 1')] }), type: 'proxy' },
      'top_p: must be 1',
      'top_p',
    ],
    [
      "another vendor's, relayed",
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"object":"error","message":"Unexpected role"}', provider_name: 'Mistral' },
        },
      },
      'Unexpected role',
      null,
    ],
    ['a sentence', 'Failed to deserialize the JSON body', 'Failed to deserialize the JSON body', null],
    ['a page', '<html><h1>400</h1></html>', 'The upstream returned status 400.', null],
    ['a list of nothing', { errors: [{ code: 1 }] }, 'The upstream returned status 400.', null],
    ['nothing', '', 'The upstream returned status 400.', null],
  ])('passes its message on, as %s', (_shape, body, message, param) => {
    expect(failed(400, body)).toMatchObject({ type: 'invalid_request_error', status: 400, message, param })
  })

  it.each<[number, unknown, string, number]>([
    [401, { detail: 'Invalid API Key' }, 'upstream_error', 502],
    [403, 'forbidden', 'upstream_error', 502],
    [
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***' },
      'upstream_error',
      502,
    ],
    [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'upstream_error', 502],
    [400, { error: { message: 'x', code: 'invalid_api_key' } }, 'upstream_error', 502],
    [402, { error: { message: 'Insufficient Balance' } }, 'service_unavailable', 503],
    [404, { error: { message: 'no model' } }, 'not_found_error', 404],
    [408, '', 'upstream_timeout', 504],
    [409, '', 'conflict_error', 409],
    [413, '', 'request_too_large', 413],
    [422, { detail: 'x' }, 'invalid_request_error', 422],
    [
      429,
      { error: { message: 'slow down', type: 'tokens', code: 'rate_limit_exceeded' } },
      'rate_limit_error',
      429,
    ],
    [
      429,
      { error: { message: 'billing', type: 'insufficient_quota', code: 'insufficient_quota' } },
      'service_unavailable',
      503,
    ],
    [500, { error: { message: 'secret' } }, 'upstream_error', 502],
    [498, { error: { message: 'x', type: 'capacity_exceeded' } }, 'service_unavailable', 503],
    [503, '', 'service_unavailable', 503],
    [504, '', 'upstream_timeout', 504],
    [529, '', 'service_unavailable', 503],
  ])('of status %i, %j, becomes %s', (status, body, type, expectedStatus) => {
    const error = failed(status, body)
    expect(error).toMatchObject({ type, status: expectedStatus })
    expect(error.message).not.toMatch(/secret|billing|xa\*\*\*/)
    expect(error.detail).toContain(`upstream status ${status}`)
  })

  it.each([
    ['7', 7],
    ['0.2', 1],
    [new Date(Date.now() + 30_000).toUTCString(), 30],
  ])('says when to retry: %s', (header, seconds) => {
    const { retryAfterSeconds } = failed(429, '', header)
    expect(Math.abs((retryAfterSeconds ?? 0) - seconds)).toBeLessThanOrEqual(1)
  })

  it.each(['soon', undefined])('has no time to retry if the vendor gives none: %s', (header) => {
    expect(failed(429, '', header).retryAfterSeconds).toBeUndefined()
  })

  it.each<[number, unknown, string | undefined]>([
    [401, '', 'key-refused'],
    [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'key-refused'],
    [403, '', 'not-permitted'],
    [403, { error: { message: 'Your input was flagged', code: 403 } }, undefined],
    [402, '', 'out-of-quota'],
    [429, { error: { message: 'x', code: 'insufficient_quota' } }, 'out-of-quota'],
    [429, '', 'rate-limited'],
    [529, '', 'overloaded'],
    [503, '', undefined],
    [500, '', undefined],
    [400, { error: { message: 'x' } }, undefined],
  ])('of status %i, %j, has the reason: %s', (status, body, reason) => {
    expect(failed(status, body).reason).toBe(reason)
  })
})

describe('an error within an answer', () => {
  it.each<[unknown, string, number]>([
    [{ error: { message: 'x', type: 'server_error', code: null } }, 'upstream_error', 502],
    [{ error: { message: 'x', code: 502, metadata: {} } }, 'upstream_error', 502],
    [{ error: { message: 'x', code: 429 } }, 'rate_limit_error', 429],
    [{ error: { message: 'x', code: '429' } }, 'rate_limit_error', 429],
    [{ error: { message: 'x', type: 'rate_limit_exceeded' } }, 'rate_limit_error', 429],
    [{ error: { message: 'x', type: 'overloaded_error' } }, 'service_unavailable', 503],
    [{ error: { message: 'x', type: 'insufficient_quota' } }, 'service_unavailable', 503],
    [
      { error: { message: 'x', type: 'invalid_request_error', status_code: 400 } },
      'invalid_request_error',
      400,
    ],
    [{ error: { message: 'No auth', code: 401 } }, 'upstream_error', 502],
    [{ error: 'x' }, 'upstream_error', 502],
    [[{ error: { message: 'x' } }], 'upstream_error', 502],
    [{ detail: 'x' }, 'upstream_error', 502],
    [{ object: 'error', message: 'x', code: 40_303 }, 'upstream_error', 502],
    [{ code: 429, msg: 'x', success: false }, 'rate_limit_error', 429],
    [
      { object: 'error', message: { detail: [mistake(['body'], 'x')] }, type: 'invalid_request_error' },
      'invalid_request_error',
      400,
    ],
    [{ message: 'x', type: 'too_many_tokens_error', code: 'token_quota_exceeded' }, 'rate_limit_error', 429],
    [{ error: { message: 'x', code: 'data_inspection_failed' } }, 'invalid_request_error', 400],
    [{ error: { message: 'x', code: '1301' } }, 'invalid_request_error', 400],
    [{ error: { message: 'x', code: '1302' } }, 'rate_limit_error', 429],
  ])('%j', (body, type, status) => {
    expect(errorInAnswer(body)).toMatchObject({ type, status })
  })

  it('is whatever an event of that type says', () => {
    expect(errorInAnswer({ reason: 'x' }, 'error')).toMatchObject({ type: 'upstream_error' })
  })

  it.each([
    { choices: [], error: null },
    { choices: [], error: '' },
    { choices: [], error: false },
    { choices: [{ message: { content: 'error' } }] },
    { id: 'x', object: 'chat.completion.chunk' },
    'error',
    null,
  ])('is not found in %j', (body) => expect(errorInAnswer(body)).toBeUndefined())
})

const quotes = besideCheckout('quotedErrors')
const recordings = allRecordings()

describe.skipIf(quotes === undefined)('errors that others quoted', () => {
  const lines = quotes === undefined ? [] : readFileSync(quotes, 'utf8').trim().split('\n')
  const quoted = lines.map((line) => JSON.parse(line) as { vendor: string; status: number; body: string })
  it.each(quoted)('$vendor $status', ({ status, body }) => {
    const quotedMessage = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(body)![1]!
    const message = JSON.parse(`"${quotedMessage}"`) as string
    if (status === 400) expect(failed(status, body)).toMatchObject({ status: 400, message })
    else if (status === 529) expect(failed(status, body)).toMatchObject({ status: 503, reason: 'overloaded' })
    else expect(errorInAnswer(JSON.parse(body))).toMatchObject({ status: 503, reason: 'overloaded' })
  })
})

describe('recorded errors', () => {
  const cases = recordings.cases.filter(({ api, status }) => api === 'chat' && status >= 400)
  const expected: Record<number, [string, number]> = {
    400: ['invalid_request_error', 400],
    401: ['upstream_error', 502],
    404: ['not_found_error', 404],
    429: ['rate_limit_error', 429],
  }
  it.each(cases)('$id', ({ id, status }) => {
    const body = recordings.response(id).toString('utf8')
    const error = failed(status, body)
    expect([error.type, error.status]).toEqual(expected[status])
    // A message about the request reaches the caller; one about our own credential does not.
    const message = (JSON.parse(body) as { error?: { message?: string } }).error?.message
    expect(error.message === message).toBe(status !== 401)
  })
})
