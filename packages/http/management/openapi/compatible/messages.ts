import { MessagesRequestSchema } from '@turnpike/dialects'
import type {
  DocumentedOperation,
  DocumentedResponse,
  Header,
  JsonSchema,
  Parameter,
  Reference,
  ResponseHeaders,
} from '../document-types.ts'
import { errorResponse } from '../errors.ts'
import { object } from './answer-schema.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { anthropicRateLimitHeaders } from '../rate-limit-headers.ts'
import { anthropicVersion, tagsParameter, unsupportedParameter } from './parameters.ts'

const json = 'application/json'
const requestId: Reference = { $ref: '#/components/headers/RequestId' }
const ownRequestId: Header = {
  description: 'The same as `x-request-id`, for Anthropic’s clients.',
  required: true,
  schema: { type: 'string' },
}

const anthropicBeta: Parameter = {
  name: 'anthropic-beta',
  in: 'header',
  description: 'Beta features that the client requests. Passed unchanged to vendors with this format.',
  schema: { type: 'string' },
}

/** Anthropic's clients send the key in a header of their own; the gateway accepts both. */
const security = [{ apiKey: [] }, { anthropicKey: [] }]

const exampleMessage = {
  id: 'msg_req_01m7',
  type: 'message',
  role: 'assistant',
  model: 'anthropic/claude-sonnet-4-6',
  content: [{ type: 'text', text: 'Hello! How can I help?' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 9,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 7,
    cost_usd: '0.000132',
    cost: 0.000132,
  },
}

const exampleRequest = {
  model: 'anthropic/claude-sonnet-4-6',
  max_tokens: 1_024,
  messages: [{ role: 'user', content: 'Hello' }],
}

const messageSchema: JsonSchema = object(
  {
    id: { type: 'string' },
    type: { type: 'string', const: 'message' },
    role: { type: 'string', const: 'assistant' },
    model: { type: 'string', description: 'The `<provider>/<model_id>` that served.' },
    content: { type: 'array', items: object({ type: { type: 'string' } }, { additionalProperties: true }) },
    stop_reason: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    stop_sequence: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    usage: object(
      { input_tokens: { type: 'integer' }, output_tokens: { type: 'integer' } },
      {
        additionalProperties: true,
        description: 'With `cost_usd`, exact, and `cost`, the same as a number.',
      },
    ),
  },
  { title: 'Message', additionalProperties: true },
)

const errorSchema: JsonSchema = object({
  type: { type: 'string', const: 'error' },
  error: object({ type: { type: 'string' }, message: { type: 'string' } }, { additionalProperties: true }),
  request_id: { type: 'string' },
})

interface DescribedError {
  name: string
  type: string
  description: string
}

/** Anthropic's envelope: https://platform.claude.com/docs/en/api/errors. */
const errors: Record<string, DescribedError> = {
  400: describeError('BadRequest', 'invalid_request_error', 'Invalid request. `param` names the field.'),
  401: describeError(
    'Unauthorized',
    'authentication_error',
    'The key is missing, invalid, revoked or expired.',
  ),
  402: describeError('PaymentRequired', 'billing_error', 'The credit does not cover the request.'),
  403: describeError(
    'Forbidden',
    'permission_error',
    'The account is not active, or the key may not call this.',
  ),
  404: describeError('NotFound', 'not_found_error', 'Model not found.'),
  408: describeError('Timeout', 'invalid_request_error', 'The body did not arrive in time.'),
  413: describeError('TooLarge', 'request_too_large', 'The body is larger than the path accepts.'),
  415: describeError('UnsupportedMediaType', 'invalid_request_error', 'The body is not JSON.'),
  429: describeError('RateLimited', 'rate_limit_error', 'Rate limited. Wait for `Retry-After` seconds.'),
  '4XX': describeError(
    'UpstreamRefusal',
    'invalid_request_error',
    'The upstream refused the request itself.',
  ),
  500: describeError('ServerError', 'api_error', 'An error on our side. Report it with the `request_id`.'),
  502: describeError('UpstreamError', 'api_error', 'The upstream failed, or rejected our credential.'),
  504: describeError('UpstreamTimeout', 'timeout_error', 'The upstream did not answer in time.'),
  529: describeError(
    'Overloaded',
    'overloaded_error',
    'No upstream is available. Wait for `Retry-After` seconds.',
  ),
}

function describeError(name: string, type: string, description: string): DescribedError {
  return { name: `Messages${name}`, type, description }
}

/** The components for the errors of these operations. */
export function messagesErrorResponses(): Record<string, DocumentedResponse> {
  return Object.fromEntries(
    Object.values(errors).map(({ name, type, description }) => {
      const example = { type: 'error', error: { type, message: description }, request_id: 'req_01m7' }
      const headers = { 'x-request-id': requestId, 'request-id': ownRequestId }
      return [name, { description, headers, content: { [json]: { schema: { ...errorSchema }, example } } }]
    }),
  )
}

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
const streamEvent = object({
  event: { type: 'string', description: 'Such as `content_block_delta`; ignore `ping`.' },
  data: { type: 'string', description: 'JSON whose `type` is that of the event.' },
})
const exampleEvent = {
  event: 'content_block_delta',
  data: JSON.stringify({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: 'Hello' },
  }),
}

/** Anthropic's Messages API, as callers may use it. */
export function messagesOperations(
  named: NamedSchemas,
  servedBy: ResponseHeaders,
): Record<string, { post: DocumentedOperation }> {
  return {
    '/v1/messages': { post: createMessage(named, servedBy) },
    '/v1/messages/count_tokens': { post: countTokens(named) },
  }
}

function createMessage(named: NamedSchemas, servedBy: ResponseHeaders): DocumentedOperation {
  return {
    operationId: 'createMessage',
    summary: 'Call a model with Anthropic’s API',
    description:
      'Accepts Anthropic’s full request body, plus `models`, `metadata.tags` and ' +
      '`metadata.retry_of` as for ' +
      'chat completions. For Anthropic, the bytes pass through. For other vendors, request and ' +
      'answer are translated, and an unsupported field is a 400 that names it. A stream has ' +
      'Anthropic’s events. An interrupted one ends with an `error` event.',
    tags: ['Messages'],
    security,
    parameters: [tagsParameter, unsupportedParameter, anthropicVersion, anthropicBeta],
    requestBody: {
      required: true,
      content: {
        [json]: {
          schema: publishedSchema({ ...MessagesRequestSchema, title: 'MessagesRequest' }, named),
          examples: { plain: { summary: 'A question', value: exampleRequest } },
        },
      },
    },
    responses: {
      200: {
        description: 'The message, or its stream.',
        headers: { ...servedBy, 'request-id': ownRequestId, ...anthropicRateLimitHeaders },
        content: {
          [json]: { schema: publishedSchema(messageSchema, named), example: exampleMessage },
          'text/event-stream': { schema: streamEvent, example: exampleEvent },
        },
      },
      ...errorReferences(),
    },
  }
}

function countTokens(named: NamedSchemas): DocumentedOperation {
  const { max_tokens: _bound, ...properties } = MessagesRequestSchema.properties
  const schema = {
    ...MessagesRequestSchema,
    properties,
    required: ['model', 'messages'],
    title: 'CountTokensRequest',
  }
  const { max_tokens: _most, ...value } = exampleRequest
  return {
    operationId: 'countTokens',
    summary: 'Count the tokens of a message',
    description:
      'Free. The vendor’s count if it counts, otherwise the gateway’s own, which may ' +
      'differ by a few percent. It has its own rate limit, and is not recorded as a request.',
    tags: ['Messages'],
    security,
    parameters: [anthropicVersion, anthropicBeta],
    requestBody: {
      required: true,
      content: {
        [json]: {
          schema: publishedSchema(schema, named),
          examples: { plain: { summary: 'A question', value } },
        },
      },
    },
    responses: {
      200: {
        description: 'The count.',
        headers: { 'x-request-id': requestId, 'request-id': ownRequestId },
        content: {
          [json]: {
            schema: publishedSchema(
              object({ input_tokens: { type: 'integer', minimum: 0 } }, { title: 'TokenCount' }),
              named,
            ),
            example: { input_tokens: 9 },
          },
        },
      },
      ...errorReferences(),
    },
  }
}

function errorReferences(): Record<string, Reference> {
  const references = Object.entries(errors).map(([status, { name }]) => [status, name] as const)
  // These two are sent before it is known which API was meant, in the other envelope.
  const ofEveryPath = { 421: errorResponse(421), 503: errorResponse(503) }
  return Object.fromEntries([
    ...references.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }] as const),
    ...Object.entries(ofEveryPath),
  ])
}
