import { ResponsesRequestSchema } from '@turnpike/dialects'
import type {
  DocumentedOperation,
  DocumentedResponse,
  JsonSchema,
  PathItem,
  Reference,
  ResponseHeaders,
} from '../document-types.ts'
import { object } from './answer-schema.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { keptResponseOperations } from './kept-responses.ts'

const json = 'application/json'
const requestId: Reference = { $ref: '#/components/headers/RequestId' }
const security = [{ apiKey: [] }]

const exampleRequest = { model: 'openai/gpt-5-mini', input: 'Hello', instructions: 'Be brief.' }

const exampleResponse = {
  id: 'resp_req_01m7',
  object: 'response',
  created_at: 1741050000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'openai/gpt-5-mini',
  output: [
    {
      type: 'message',
      id: 'msg_req_01m7_0',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello!', annotations: [], logprobs: [] }],
    },
  ],
  store: false,
  usage: {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 14,
    cost_usd: '0.000007',
    cost: 0.000007,
  },
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const count: JsonSchema = { type: 'integer', minimum: 0 }

const outputSchema: JsonSchema = {
  type: 'array',
  items: object({ type: { type: 'string' } }, { additionalProperties: true }),
}
const usageSchema: JsonSchema = orNull(
  object(
    { input_tokens: count, output_tokens: count, total_tokens: count },
    {
      additionalProperties: true,
      description: 'With `cost_usd`, exact, and `cost`, the same as a number.',
    },
  ),
)

const responseSchema: JsonSchema = object(
  {
    id: { type: 'string' },
    object: { type: 'string', const: 'response' },
    created_at: { type: 'integer' },
    status: { type: 'string', enum: ['in_progress', 'completed', 'incomplete', 'failed'] },
    error: orNull(object({ code: { type: 'string' }, message: { type: 'string' } })),
    incomplete_details: orNull(object({ reason: { type: 'string' } })),
    model: { type: 'string', description: 'The `<provider>/<model_id>` that served.' },
    output: outputSchema,
    store: { type: 'boolean', description: 'Whether the response is stored.' },
    usage: usageSchema,
  },
  { title: 'Response', additionalProperties: true },
)

const errorSchema: JsonSchema = object({
  error: object({
    message: { type: 'string' },
    type: { type: 'string' },
    code: orNull({ type: 'string', description: 'OpenAI’s error code, such as `context_length_exceeded`.' }),
    param: orNull({
      type: 'string',
      description: 'Path of the field, such as `input[2].content[0].image_url`.',
    }),
    request_id: { type: 'string' },
  }),
})

interface DescribedError {
  name: string
  type: string
  code: string | null
  description: string
}

function describeError(name: string, type: string, code: string | null, description: string): DescribedError {
  return { name: `Responses${name}`, type, code, description }
}

const errors: Record<string, DescribedError> = {
  400: describeError(
    'BadRequest',
    'invalid_request_error',
    null,
    'Invalid request. `param` names the field.',
  ),
  401: describeError(
    'Unauthorized',
    'authentication_error',
    'invalid_api_key',
    'The key is missing, invalid, revoked or expired.',
  ),
  402: describeError(
    'InsufficientQuota',
    'insufficient_quota',
    'insufficient_quota',
    'The credit does not cover the request.',
  ),
  403: describeError(
    'Forbidden',
    'permission_error',
    null,
    'The account is not active, or the key may not call this.',
  ),
  404: describeError('NotFound', 'not_found_error', null, 'The model or response was not found.'),
  408: describeError('Timeout', 'invalid_request_error', null, 'The body did not arrive in time.'),
  413: describeError('TooLarge', 'request_too_large', null, 'The body is larger than the path accepts.'),
  415: describeError('UnsupportedMediaType', 'invalid_request_error', null, 'The body is not JSON.'),
  429: describeError(
    'RateLimited',
    'rate_limit_error',
    'rate_limit_exceeded',
    'Rate limited. Wait for `Retry-After` seconds.',
  ),
  '4XX': describeError(
    'UpstreamRefusal',
    'invalid_request_error',
    null,
    'The upstream refused the request itself.',
  ),
  500: describeError(
    'ServerError',
    'api_error',
    'server_error',
    'An error on our side. Report it with the `request_id`.',
  ),
  502: describeError(
    'UpstreamError',
    'upstream_error',
    'server_error',
    'The upstream failed, or rejected our credential.',
  ),
  503: describeError(
    'Unavailable',
    'service_unavailable',
    'server_error',
    'No upstream is available. Wait for `Retry-After` seconds.',
  ),
  504: describeError(
    'UpstreamTimeout',
    'upstream_timeout',
    'server_error',
    'The upstream did not answer in time.',
  ),
}

/** The components for the errors of these operations. */
export function responsesErrorResponses(): Record<string, DocumentedResponse> {
  return Object.fromEntries(
    Object.values(errors).map(({ name, type, code, description }) => {
      const example = { error: { message: description, type, code, param: null, request_id: 'req_01m7' } }
      const headers = { 'x-request-id': requestId }
      return [name, { description, headers, content: { [json]: { schema: { ...errorSchema }, example } } }]
    }),
  )
}

const streamEvent = object({
  event: { type: 'string', description: 'As in `response.output_text.delta`.' },
  data: {
    type: 'string',
    description: 'JSON whose `type` is that of the event, with its `sequence_number`.',
  },
})
const exampleEvent = {
  event: 'response.output_text.delta',
  data: JSON.stringify({
    type: 'response.output_text.delta',
    item_id: 'msg_req_01m7_0',
    output_index: 0,
    content_index: 0,
    delta: 'Hello',
    logprobs: [],
    sequence_number: 4,
  }),
}

/** OpenAI's Responses, as callers may use them. */
export function responsesOperations(
  named: NamedSchemas,
  servedBy: ResponseHeaders,
): Record<string, PathItem> {
  const answer = { schema: responseSchema, example: exampleResponse }
  return {
    '/v1/responses': { post: createResponse(named, servedBy) },
    '/v1/responses/input_tokens': { post: countInput(named) },
    '/v1/responses/compact': { post: compactConversation(named, servedBy) },
    ...keptResponseOperations({ named, answer, errors: errorReferences() }),
  }
}

function createResponse(named: NamedSchemas, servedBy: ResponseHeaders): DocumentedOperation {
  return {
    operationId: 'createResponse',
    summary: 'Call a model with OpenAI’s Responses API',
    description:
      'Works with every vendor through translation. `models`, `metadata.tags` and `metadata.retry_of` ' +
      'work as in chat completions. An unsupported field is a 400 that names it, but `web_search`, which ' +
      'Codex always sends, is dropped. If the operator has turned on storage, `previous_response_id` ' +
      'continues from a response, unless it had `store: false`. Otherwise send the whole conversation as ' +
      '`input`, with unchanged `reasoning` items. A stream has OpenAI’s events. An interrupted one ends ' +
      'with `response.failed`.',
    tags: ['Responses'],
    security,
    requestBody: requestBody(named, 'ResponsesRequest'),
    responses: {
      200: {
        description: 'The answer, or its stream.',
        headers: servedBy,
        content: {
          [json]: { schema: publishedSchema(responseSchema, named), example: exampleResponse },
          'text/event-stream': { schema: streamEvent, example: exampleEvent },
        },
      },
      ...errorReferences(),
    },
  }
}

const compactionSchema: JsonSchema = object(
  {
    id: { type: 'string' },
    object: { type: 'string', const: 'response.compaction' },
    created_at: { type: 'integer' },
    output: outputSchema,
    usage: usageSchema,
  },
  { title: 'Compaction', additionalProperties: true },
)

function compactConversation(named: NamedSchemas, servedBy: ResponseHeaders): DocumentedOperation {
  const { id, created_at: createdAt, usage } = exampleResponse
  const output = [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA…' }]
  const example = { id, object: 'response.compaction', created_at: createdAt, output, usage }
  return {
    operationId: 'compactConversation',
    summary: 'Compact a conversation',
    description:
      'Passed to the vendor of the model if it supports this, as OpenAI and Azure do. The result is ' +
      'encrypted by the vendor and goes into the `input` of the next request to the same vendor. Other ' +
      'models return 400. It is charged by tokens and not streamed.',
    tags: ['Responses'],
    security,
    requestBody: requestBody(named, 'ResponsesRequest'),
    responses: {
      200: {
        description: 'The compacted conversation.',
        headers: servedBy,
        content: { [json]: { schema: publishedSchema(compactionSchema, named), example } },
      },
      ...errorReferences(),
    },
  }
}

function countInput(named: NamedSchemas): DocumentedOperation {
  const counted = object({ object: { type: 'string', const: 'response.input_tokens' }, input_tokens: count })
  const example = { object: 'response.input_tokens', input_tokens: 12 }
  return {
    operationId: 'countInputTokens',
    summary: 'Count the tokens of an input',
    description: 'Free. The gateway’s own count, which may differ from the vendor’s by a few percent.',
    tags: ['Responses'],
    security,
    requestBody: requestBody(named, 'ResponsesRequest'),
    responses: {
      200: {
        description: 'The count.',
        headers: { 'x-request-id': requestId },
        content: {
          [json]: { schema: publishedSchema({ ...counted, title: 'InputTokenCount' }, named), example },
        },
      },
      ...errorReferences(),
    },
  }
}

function requestBody(named: NamedSchemas, title: string): NonNullable<DocumentedOperation['requestBody']> {
  return {
    required: true,
    content: {
      [json]: {
        schema: publishedSchema({ ...ResponsesRequestSchema, title }, named),
        examples: { plain: { summary: 'A question', value: exampleRequest } },
      },
    },
  }
}

function errorReferences(): Record<string, Reference> {
  const references = Object.entries(errors).map(([status, { name }]) => [status, name] as const)
  return Object.fromEntries(
    references.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}
