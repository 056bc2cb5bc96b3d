import { MessagesRequestSchema } from '@turnpike/dialects'
import type {
  DocumentedOperation,
  DocumentedResponse,
  Header,
  JsonSchema,
  Parameter,
  Reference,
} from '../document-types.ts'
import { errorResponse } from '../errors.ts'
import { object } from './answer-schema.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { anthropicRateLimitHeaders } from '../rate-limit-headers.ts'
import { anthropicVersion, tagsParameter, unsupportedParameter } from './parameters.ts'

const json = 'application/json'
const requestId: Reference = { $ref: '#/components/headers/RequestId' }
const ownRequestId: Header = {
  description: 'The same as `x-request-id`: Anthropic’s clients read it.',
  required: true,
  schema: { type: 'string' },
}

const anthropicBeta: Parameter = {
  name: 'anthropic-beta',
  in: 'header',
  description: 'Features that the client asks for. A vendor of this format is sent them as they came.',
  schema: { type: 'string' },
}

/** A client of Anthropic's sends its key in a header of its own; the gateway takes both. */
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
  400: described('BadRequest', 'invalid_request_error', 'The request is at fault: `param` names the field.'),
  401: described('Unauthorized', 'authentication_error', 'No key, or a wrong, revoked or expired one.'),
  402: described('PaymentRequired', 'billing_error', 'The credit does not cover the request.'),
  403: described('Forbidden', 'permission_error', 'The account is not active, or the key may not call this.'),
  404: described('NotFound', 'not_found_error', 'There is no such model.'),
  408: described('Timeout', 'invalid_request_error', 'The body did not arrive in time.'),
  413: described('TooLarge', 'request_too_large', 'The body is larger than the endpoint takes.'),
  415: described('UnsupportedMediaType', 'invalid_request_error', 'The body is not JSON.'),
  429: described('RateLimited', 'rate_limit_error', 'A limit was reached: wait for `Retry-After` seconds.'),
  '4XX': described('UpstreamRefusal', 'invalid_request_error', 'The upstream refused the request itself.'),
  500: described('ServerError', 'api_error', 'Our fault. Tell us the `request_id`.'),
  502: described('UpstreamError', 'api_error', 'The upstream failed, or refused our credential.'),
  504: described('UpstreamTimeout', 'timeout_error', 'The upstream did not answer in time.'),
  529: described(
    'Overloaded',
    'overloaded_error',
    'Nobody can serve it now: wait for `Retry-After` seconds.',
  ),
}

function described(name: string, type: string, description: string): DescribedError {
  return { name: `Messages${name}`, type, description }
}

/** The components that the errors of these operations are. */
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
  event: { type: 'string', description: 'As in `content_block_delta`; `ping` says nothing.' },
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

/** Anthropic's Messages API, as callers may speak it. */
export function messagesOperations(
  named: NamedSchemas,
  servedBy: Record<string, Header | Reference>,
): Record<string, { post: DocumentedOperation }> {
  return {
    '/v1/messages': { post: createMessage(named, servedBy) },
    '/v1/messages/count_tokens': { post: countTokens(named) },
  }
}

function createMessage(
  named: NamedSchemas,
  servedBy: Record<string, Header | Reference>,
): DocumentedOperation {
  return {
    operationId: 'createMessage',
    summary: 'Call a model by Anthropic’s API',
    description:
      'All of Anthropic’s body is accepted, and `models`, `metadata.tags` and `metadata.retry_of` as for ' +
      'chat completions. To Anthropic the bytes pass through; for other vendors the request and the ' +
      'answer are translated, and a field that cannot be honoured is 400 and named. A stream has ' +
      'Anthropic’s events; one that breaks off ends with an `error` event.',
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
      'Free. The vendor’s count where it has such an endpoint, else the gateway’s own, which may differ by ' +
      'some per cent. It has a limit of its own, beside that of requests; no row is kept of it.',
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
  // These two are told before it is known which API was meant: in the other envelope.
  const ofEveryPath = { 421: errorResponse(421), 503: errorResponse(503) }
  return Object.fromEntries([
    ...references.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }] as const),
    ...Object.entries(ofEveryPath),
  ])
}
