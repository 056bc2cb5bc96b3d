import { describe, expect, it } from 'vitest'
import { awsException, decodeAwsError } from './aws-errors.ts'

const decoded = (status: number, body: object, errorType?: string): object => {
  const {
    type,
    status: httpStatus,
    reason,
    retryAfterSeconds,
  } = decodeAwsError({
    status,
    retryAfter: undefined,
    errorType,
    body: JSON.stringify(body),
  })
  return { type, told: httpStatus, reason, retryAfterSeconds }
}

describe('an error from AWS', () => {
  it.each([
    ['ExpiredTokenException', 403, { reason: 'key-refused' }],
    ['UnrecognizedClientException', 403, { reason: 'key-refused' }],
    ['InvalidSignatureException', 403, { reason: 'key-refused' }],
    ['SignatureDoesNotMatch', 403, { reason: 'key-refused' }],
    ['IncompleteSignature', 400, { reason: 'key-refused' }],
    ['AccessDeniedException', 403, { reason: 'not-permitted' }],
    ['ThrottlingException', 400, { type: 'rate_limit_error', reason: 'rate-limited' }],
    ['TooManyRequestsException', 429, { type: 'rate_limit_error' }],
    ['ServiceQuotaExceededException', 400, { reason: 'out-of-quota' }],
    ['ModelNotReadyException', 429, { type: 'service_unavailable' }],
    ['ModelTimeoutException', 408, { type: 'upstream_timeout' }],
    ['ModelErrorException', 424, { type: 'upstream_error' }],
    ['InternalServerException', 500, { type: 'upstream_error' }],
    ['InternalServerError', 500, { type: 'upstream_error' }],
    ['ValidationException', 400, { type: 'invalid_request_error', told: 400 }],
    ['ResourceNotFoundException', 404, { type: 'not_found_error' }],
    ['com.amazon.coral.validate#ValidationException:http://x/', 400, { told: 400 }],
    ['SomethingNewException', 418, { type: 'invalid_request_error', told: 418 }],
  ])('is recognized by the name in its header: %s', (name, status, expected) => {
    expect(decoded(status, { message: 'It is said.' }, name)).toMatchObject(expected)
  })

  it('is recognized by the name in its body, or else by its status', () => {
    expect(decoded(400, { __type: 'ThrottlingException', message: 'Rate exceeded' })).toMatchObject({
      reason: 'rate-limited',
    })
    expect(decoded(403, { Message: 'Forbidden' })).toMatchObject({ reason: 'not-permitted' })
    expect(decoded(424, {})).toMatchObject({ type: 'upstream_error' })
  })

  it.each([
    [404, 'ResourceNotFoundException', 'Model use case details have not been submitted for this account.'],
    [
      404,
      'ResourceNotFoundException',
      'Access denied. This Model is marked by provider as Legacy and you have not',
    ],
    [404, 'ResourceNotFoundException', 'This model version has reached the end of its life.'],
    [
      404,
      'ResourceNotFoundException',
      'Could not resolve the foundation model from the provided identifier.',
    ],
    [400, 'ValidationException', 'Operation not allowed'],
    [400, 'ValidationException', 'Access to Anthropic models is not allowed from unsupported countries.'],
    [400, 'ValidationException', 'Your account is not authorized to invoke this API operation.'],
    [
      400,
      'ValidationException',
      'The guardrail identifier or version provided in the request does not exist.',
    ],
  ])("is the operator's fault if its account has no permission: %s %s %s", (status, name, message) => {
    expect(decoded(status, { message }, name)).toMatchObject({ reason: 'not-permitted' })
  })

  it.each([
    'Malformed input request: #/messages/0/role: The provided model identifier is invalid is no enum value.',
    'messages.0.content: unexpected "inference profile"',
    'temperature: operation not allowed',
  ])("is the caller's fault, whatever it quotes from the request: %s", (message) => {
    expect(decoded(400, { message }, 'ValidationException')).toMatchObject({ told: 400, reason: undefined })
  })

  it("is the operator's fault for a wrong configuration, the caller's for a request that is too long", () => {
    for (const message of [
      "Invocation of model ID x with on-demand throughput isn't supported.",
      'The provided model identifier is invalid.',
    ])
      expect(decoded(400, { message }, 'ValidationException')).toMatchObject({ reason: 'not-permitted' })
    for (const message of [
      'Input is too long for requested model.',
      'The model returned the following errors: prompt is too long: 212345 tokens > 200000 maximum',
      'The model returned the following errors: Number of input tokens exceeds maximum length.',
    ])
      expect(decoded(400, { message }, 'ValidationException')).toMatchObject({ reason: 'context-too-long' })
  })

  it('has a wait as long as a daily quota lasts', () => {
    const message = 'Too many tokens per day, please wait before trying again.'
    expect(decoded(429, { message }, 'ThrottlingException')).toMatchObject({ retryAfterSeconds: 3_600 })
  })

  it('has the message under either of its two names', () => {
    const body = JSON.stringify({ Message: 'Said in upper case.' })
    expect(decodeAwsError({ status: 400, retryAfter: undefined, body }).message).toBe('Said in upper case.')
  })

  it.each([
    ['throttlingException', 'rate_limit_error'],
    ['serviceUnavailableException', 'service_unavailable'],
    ['modelStreamErrorException', 'upstream_error'],
    ['internalServerException', 'upstream_error'],
    ['validationException', 'invalid_request_error'],
    ['modelTimeoutException', 'upstream_timeout'],
    ['', 'upstream_error'],
  ])('is the same within a stream: %s', (name, type) => {
    expect(awsException(name, { message: 'x' }).type).toBe(type)
    expect(awsException(name, undefined).type).toBe(type)
  })
})
