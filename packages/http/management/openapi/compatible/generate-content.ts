import { GenerateRequestSchema } from '@turnpike/dialects'
import type {
  DocumentedOperation,
  DocumentedResponse,
  JsonSchema,
  Parameter,
  PathItem,
  Reference,
  ResponseHeaders,
} from '../document-types.ts'
import {
  exampleGoogleModel,
  googleModelListSchema,
  googleModelSchema,
  googlePageParameters,
} from './google-model.ts'
import { object } from './answer-schema.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'

const json = 'application/json'
const requestId: Reference = { $ref: '#/components/headers/RequestId' }
/** Google's clients send the key in a header of their own; the gateway also accepts the others. */
const security = [{ apiKey: [] }, { googleKey: [] }]

const exampleRequest = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const exampleAnswer = {
  candidates: [{ content: { parts: [{ text: 'Hello!' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  modelVersion: 'openai/gpt-5-mini',
  responseId: 'gen_req_01m7',
  usageMetadata: {
    promptTokenCount: 12,
    candidatesTokenCount: 2,
    totalTokenCount: 14,
    cost_usd: '0.000007',
    cost: 0.000007,
  },
}

const anyObject: JsonSchema = { type: 'object', additionalProperties: true }

const answerSchema: JsonSchema = object(
  {
    candidates: { type: 'array', items: anyObject },
    modelVersion: { type: 'string', description: 'The `<provider>/<model_id>` that served.' },
    responseId: { type: 'string' },
    usageMetadata: object(
      { promptTokenCount: { type: 'integer' }, totalTokenCount: { type: 'integer' } },
      {
        additionalProperties: true,
        description:
          'With `cost_usd`, exact, and `cost`, the same as a number. In a stream: in the last chunk.',
      },
    ),
  },
  { title: 'GenerateContentResponse', additionalProperties: true, required: ['modelVersion', 'responseId'] },
)

const errorSchema: JsonSchema = object({
  error: object({
    code: { type: 'integer' },
    message: { type: 'string' },
    status: { type: 'string' },
    details: { type: 'array', items: anyObject },
  }),
})

const errors: Record<string, [name: string, word: string, description: string]> = {
  400: ['BadRequest', 'INVALID_ARGUMENT', 'Invalid request. A `BadRequest` in `details` names the field.'],
  401: ['Unauthorized', 'UNAUTHENTICATED', 'The key is missing, invalid, revoked or expired.'],
  402: ['PaymentRequired', 'FAILED_PRECONDITION', 'The credit does not cover the request.'],
  403: ['Forbidden', 'PERMISSION_DENIED', 'The account is not active, or the key may not call this.'],
  404: ['NotFound', 'NOT_FOUND', 'Model not found.'],
  429: ['RateLimited', 'RESOURCE_EXHAUSTED', 'Rate limited. Wait for `Retry-After` seconds.'],
  '4XX': ['Refusal', 'INVALID_ARGUMENT', 'The upstream or the gateway refused the request.'],
  '5XX': ['Failure', 'UNAVAILABLE', 'The upstream or the gateway failed.'],
}

const nameOf = (name: string): string => `GenerateContent${name}`

/** The components for the errors of these operations. */
export function generateErrorResponses(): Record<string, DocumentedResponse> {
  const responses = Object.entries(errors).map(([code, [name, status, message]]) => {
    const shown = code === '4XX' ? 400 : code === '5XX' ? 503 : Number(code)
    const example = { error: { code: shown, message, status, details: [] } }
    const content = { [json]: { schema: errorSchema, example } }
    return [nameOf(name), { description: message, headers: { 'x-request-id': requestId }, content }] as const
  })
  return Object.fromEntries(responses)
}

const model: Parameter = {
  name: 'model',
  in: 'path',
  required: true,
  description: 'As in `GET /v1/models`. A slash may be sent as it is or escaped.',
  schema: { type: 'string' },
}

/** Google's generateContent, as callers may use it. */
export function generateOperations(named: NamedSchemas, servedBy: ResponseHeaders): Record<string, PathItem> {
  const answer = publishedSchema(answerSchema, named)
  const event = object({ data: { type: 'string', description: 'JSON of one `GenerateContentResponse`.' } })
  return {
    '/v1beta/models/{model}:generateContent': {
      post: operation(named, 'generateContent', 'Call a model with Google’s API', {
        description: 'The answer.',
        headers: servedBy,
        content: { [json]: { schema: answer, example: exampleAnswer } },
      }),
    },
    '/v1beta/models/{model}:streamGenerateContent': {
      post: operation(named, 'streamGenerateContent', 'Call a model with Google’s API, streamed', {
        description:
          'The stream: events with `alt=sse`, otherwise one array. An interrupted stream ends with `error`.',
        headers: servedBy,
        content: {
          'text/event-stream': { schema: event, example: { data: JSON.stringify(exampleAnswer) } },
          [json]: { schema: { type: 'array', items: answer }, example: [exampleAnswer] },
        },
      }),
    },
    '/v1beta/models/{model}:countTokens': {
      post: operation(named, 'countContentTokens', 'Count the tokens of contents', {
        description: 'The gateway’s own count. Free, and not recorded as a request.',
        headers: { 'x-request-id': requestId },
        content: {
          [json]: { schema: object({ totalTokens: { type: 'integer' } }), example: { totalTokens: 9 } },
        },
      }),
    },
    '/v1beta/models': { get: listModels(named) },
    '/v1beta/models/{model}': { get: getModel(named) },
  }
}

function listModels(named: NamedSchemas): DocumentedOperation {
  const example = { models: [exampleGoogleModel], nextPageToken: 'openai/gpt-5-nano' }
  return {
    operationId: 'listGoogleModels',
    summary: 'List models in Google’s shape',
    description:
      'Every text generation model that your key may call, in pages. `/v1/models` returns the same to ' +
      'clients that send `x-goog-api-key`.',
    tags: ['Gemini'],
    security,
    parameters: googlePageParameters,
    responses: {
      200: {
        description: 'A page of the models.',
        headers: { 'x-request-id': requestId },
        content: { [json]: { schema: publishedSchema(googleModelListSchema, named), example } },
      },
      ...errorReferences(),
    },
  }
}

function getModel(named: NamedSchemas): DocumentedOperation {
  return {
    operationId: 'getGoogleModel',
    summary: 'One model in Google’s shape',
    description: 'A model that is not in the key’s `allowed_models` is 403, as when you call it.',
    tags: ['Gemini'],
    security,
    parameters: [model],
    responses: {
      200: {
        description: 'The model.',
        headers: { 'x-request-id': requestId },
        content: {
          [json]: { schema: publishedSchema(googleModelSchema, named), example: exampleGoogleModel },
        },
      },
      ...errorReferences(),
    },
  }
}

function errorReferences(): Record<string, Reference> {
  const references = Object.entries(errors).map(([status, [name]]): [string, Reference] => [
    status,
    { $ref: `#/components/responses/${nameOf(name)}` },
  ])
  return Object.fromEntries(references)
}

function operation(
  named: NamedSchemas,
  operationId: string,
  summary: string,
  answer: DocumentedResponse,
): DocumentedOperation {
  const schema = publishedSchema({ ...GenerateRequestSchema, title: 'GenerateContentRequest' }, named)
  return {
    operationId,
    summary,
    description:
      'A vendor with this format gets the bytes unchanged, except for what must change. For others the ' +
      'request is translated. Tools that Google runs only work with its own models. They are priced by ' +
      'what the answer reports, or refused by name.',
    tags: ['Gemini'],
    security,
    parameters: [model],
    requestBody: {
      required: true,
      content: { [json]: { schema, examples: { plain: { summary: 'A question', value: exampleRequest } } } },
    },
    responses: { 200: answer, ...errorReferences() },
  }
}
