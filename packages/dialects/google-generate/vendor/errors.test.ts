import { describe, expect, it } from 'vitest'
import { decodeError, errorInAnswer } from './errors.ts'

const info = (reason: string): object => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason })
const retry = (retryDelay: string): object => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
})

const answers: [number, string, object[], object][] = [
  [400, 'INVALID_ARGUMENT', [], { status: 400, type: 'invalid_request_error', message: 'Said.' }],
  [400, 'INVALID_ARGUMENT', [info('API_KEY_INVALID')], { status: 502, type: 'upstream_error' }],
  [400, 'FAILED_PRECONDITION', [], { status: 502, type: 'upstream_error' }],
  [401, 'UNAUTHENTICATED', [], { status: 502, type: 'upstream_error' }],
  [403, 'PERMISSION_DENIED', [], { status: 502, type: 'upstream_error' }],
  [404, 'NOT_FOUND', [], { status: 404, type: 'not_found_error', message: 'Said.' }],
  [429, 'RESOURCE_EXHAUSTED', [], { status: 429, type: 'rate_limit_error', message: 'Said.' }],
  [429, 'RESOURCE_EXHAUSTED', [info('x'), retry('34.4s')], { status: 429, retryAfterSeconds: 35 }],
  [429, 'RESOURCE_EXHAUSTED', [retry('0.2s')], { status: 429, retryAfterSeconds: 1 }],
  [429, 'RESOURCE_EXHAUSTED', [retry('soon')], { status: 429, type: 'rate_limit_error' }],
  [499, 'CANCELLED', [], { status: 502, type: 'upstream_error' }],
  [500, 'INTERNAL', [], { status: 502, type: 'upstream_error' }],
  [503, 'UNAVAILABLE', [retry('7s')], { status: 503, type: 'service_unavailable', retryAfterSeconds: 7 }],
  [504, 'DEADLINE_EXCEEDED', [], { status: 504, type: 'upstream_timeout' }],
]

describe("an error of Google's", () => {
  it.each(answers)('%i %s %j', (code, status, details, expected) => {
    const body = { error: { code, message: 'Said.', status, details } }
    for (const text of [JSON.stringify(body), JSON.stringify([body])]) {
      expect(decodeError({ status: code, retryAfter: undefined, body: text })).toMatchObject(expected)
    }
    expect(errorInAnswer(body)).toMatchObject(expected)
  })

  const violation = (field: string): object => ({
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field, description: 'x' }],
  })

  it.each<[string, object[], string | null]>([
    [
      '* GenerateContentRequest.tools[0].function_declarations[3].parameters.items: x',
      [],
      'tools[3].function.parameters',
    ],
    ['Invalid JSON', [violation('tools[0].functionDeclarations[12]')], 'tools[12].function'],
    ["Invalid value at 'generation_config.max_output_tokens'", [], 'max_completion_tokens'],
    ['x', [violation('generation_config.thinking_config.thinking_budget')], 'reasoning_effort'],
    ['x', [violation('generationConfig.constructor')], null],
    ['x', [violation('contents[2].parts[0].inline_data')], null],
    ['x', [{ fieldViolations: [null] }, { fieldViolations: 'x' }], null],
  ])('names the field by the neutral path: %s', (message, details, param) => {
    const body = JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT', details } })
    expect(decodeError({ status: 400, retryAfter: undefined, body })).toMatchObject({ param, message })
  })

  it("prefers Google's own delay to the header's", () => {
    const body = JSON.stringify({ error: { code: 429, details: [retry('34.4s')] } })
    expect(decodeError({ status: 429, retryAfter: '3', body }).retryAfterSeconds).toBe(35)
    expect(decodeError({ status: 429, retryAfter: '3', body: '{}' }).retryAfterSeconds).toBe(3)
  })

  it.each(['', '<html>Bad gateway</html>', 'null', '[]', '{"error":"x"}', '{"error":{"details":[null,3]}}'])(
    'is one whatever its body is: %s',
    (body) => expect(decodeError({ status: 500, retryAfter: undefined, body }).status).toBe(502),
  )

  it('is undefined for an event without one, and does not need a code', () => {
    expect(errorInAnswer({ candidates: [] })).toBeUndefined()
    expect(errorInAnswer({ error: null })).toBeUndefined()
    expect(errorInAnswer({ error: 'x' })).toMatchObject({ status: 502 })
  })
})
