import type {
  DocumentedOperation,
  JsonSchema,
  MediaType,
  PathItem,
  Reference,
  ResponseHeaders,
} from '../document-types.ts'
import { errorResponse } from '../errors.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { chatAnswerSchema, chatChunkSchema } from './chat-answer.ts'
import { chatRequestSchema } from './chat-request.ts'
import { anthropicModelListSchema, anthropicModelSchema, anthropicPageParameters } from './anthropic-model.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { generateOperations } from './generate-content.ts'
import { messagesOperations } from './messages.ts'
import { moderations } from './moderations.ts'
import { exampleModel, modelListSchema, modelSchema } from './model.ts'
import { anthropicVersion, tagsParameter, unsupportedParameter } from './parameters.ts'
import { rerank } from './rerank.ts'
import { responsesOperations } from './responses.ts'
import { wholeAnswer } from './whole-answer.ts'

const security = [{ apiKey: [] }]
const either = [{ apiKey: [] }, { anthropicKey: [] }]
const requestId: Reference = { $ref: '#/components/headers/RequestId' }
const json = 'application/json'

const servedBy: ResponseHeaders = {
  'x-request-id': requestId,
  'x-turnpike-model': {
    description: 'The `<provider>/<model_id>` that served.',
    required: true,
    schema: { type: 'string' },
  },
  'x-turnpike-provider': {
    description: 'The provider that served.',
    required: true,
    schema: { type: 'string' },
  },
  'x-turnpike-attempts': {
    description:
      'Number of calls. If other upstreams were tried or skipped before: each of them, with ' +
      'its result and time, in a parameter (RFC 9651), as in ' +
      '`2;tried="openai/gpt-5 status-429 0.120s, azure/gpt-5 ok 0.911s"`. Errors of upstreams carry it too.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+(;tried="[^"]*")?$' },
  },
  'x-turnpike-max-output-tokens': {
    description: 'The output limit that was sent. Only present if it was lowered to what the credit covers.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'x-turnpike-max-uses': {
    description:
      'The `max_uses` sent for each tool that the vendor runs, such as web search. Only present if ' +
      'lowered to what the credit covers.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'x-turnpike-byok': {
    description:
      '`true` if the account’s own vendor key was used, so the vendor bills its owner. Only present then.',
    schema: { type: 'string', enum: ['true'] },
  },
  'x-turnpike-dropped': {
    description:
      'Paths of fields that were dropped because the vendor does not support them. Only present ' +
      'then. At most 20, then how many more: `top_k, tools[2]`.',
    schema: { type: 'string' },
  },
  'x-turnpike-tier': {
    description: 'The tier that auto-routing chose. Only with auto-routing, also on later errors.',
    schema: { type: 'string', enum: ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING'] },
  },
  'x-turnpike-route': {
    description: 'A one-line reason, together with `x-turnpike-tier`.',
    schema: { type: 'string' },
  },
  'x-turnpike-cost': {
    description: 'Cost in USD, if known before the body, so not for streams.',
    schema: { type: 'string' },
  },
}

const exampleChunk = {
  id: 'chatcmpl-9zA1',
  object: 'chat.completion.chunk',
  created: 1741050000,
  model: 'openai/gpt-5-mini',
  choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null, logprobs: null }],
}

const exampleAnswer = {
  id: 'chatcmpl-9zA1',
  object: 'chat.completion',
  created: 1741050000,
  model: 'openai/gpt-5-mini',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello! How can I help?', refusal: null },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: {
    prompt_tokens: 9,
    completion_tokens: 7,
    total_tokens: 16,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    cost_usd: '0.00001625',
    cost: 0.00001625,
  },
}

const message = { model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'Hello' }] }

const chatExamples = {
  plain: { summary: 'A question', value: message },
  tagged: {
    summary: 'Streamed, with tags',
    value: {
      ...message,
      stream: true,
      stream_options: { include_usage: true },
      metadata: { tags: ['team:research', 'env:prod'] },
    },
  },
}

function chat(named: NamedSchemas): DocumentedOperation {
  return {
    operationId: 'createChatCompletion',
    summary: 'Call a model',
    description:
      'Accepts OpenAI’s full request body. Fields that the vendor supports are translated. A field ' +
      'that changes the answer and is not supported is a 400 that names it. Hints are dropped. Before the ' +
      'upstream is called, credit is held for the maximum cost. Only actual usage is charged. A stream ' +
      'ends with `data: [DONE]`. An interrupted one ends with a chunk whose `finish_reason` is ' +
      '`error` instead.',
    tags: ['Chat'],
    security,
    parameters: [tagsParameter, unsupportedParameter],
    requestBody: {
      required: true,
      content: { [json]: { schema: publishedSchema(chatRequestSchema(), named), examples: chatExamples } },
    },
    responses: {
      200: {
        description: 'The answer, or its stream.',
        headers: { ...servedBy, ...rateLimitHeaders },
        content: {
          [json]: media(chatAnswerSchema, exampleAnswer, named),
          'text/event-stream': {
            schema: streamEvent(named),
            example: { data: JSON.stringify(exampleChunk) },
          },
        },
      },
      ...errors([400, 401, 402, 403, 404, 408, 413, 415, 421, 429, '4XX', 500, 502, 503, 504]),
    },
  }
}

/** One event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
function streamEvent(named: NamedSchemas): JsonSchema {
  const data = {
    type: 'string',
    description: 'A chunk as JSON; in the last event the text `[DONE]`.',
    contentMediaType: json,
    contentSchema: publishedSchema(chatChunkSchema, named),
  }
  const description = 'Of each event. Between events there may be comments `: keep-alive`.'
  return { type: 'object', description, properties: { data }, required: ['data'] }
}

function listModels(named: NamedSchemas): DocumentedOperation {
  return {
    operationId: 'listModels',
    summary: 'List models',
    description:
      'Every model that your key may call, with your prices and limits. If the key has `allowed_models`, ' +
      'only these, and auto-routing if it can choose one of them. With `anthropic-version`, the list ' +
      'has Anthropic’s format, in pages, and only contains text generation models.',
    tags: ['Models'],
    security: either,
    parameters: [anthropicVersion, ...anthropicPageParameters],
    responses: {
      200: {
        description: 'The models.',
        headers: { 'x-request-id': requestId },
        content: {
          [json]: {
            schema: oneOf(modelListSchema, anthropicModelListSchema, named),
            example: { object: 'list', data: [exampleModel] },
          },
        },
      },
      ...errors([400, 401, 403, 421, 429, 500, 503]),
    },
  }
}

function getModel(named: NamedSchemas): DocumentedOperation {
  return {
    operationId: 'getModel',
    summary: 'One model',
    description:
      'The slash in the id may be sent as it is. A model that is not in the key’s `allowed_models` ' +
      'is 403, as when you call it.',
    tags: ['Models'],
    security: either,
    parameters: [
      anthropicVersion,
      {
        name: 'model',
        in: 'path',
        required: true,
        description: '`<provider>/<model_id>`, or a bare id where it is unique.',
        schema: { type: 'string', minLength: 1 },
      },
    ],
    responses: {
      200: {
        description: 'The model.',
        headers: { 'x-request-id': requestId },
        content: {
          [json]: { schema: oneOf(modelSchema, anthropicModelSchema, named), example: exampleModel },
        },
      },
      ...errors([400, 401, 403, 404, 421, 429, 500, 503]),
    },
  }
}

/** The compatible surface, whose responses have no schemas to generate this from. */
export function compatibleOperations(named: NamedSchemas): Record<string, PathItem> {
  return {
    '/v1/chat/completions': { post: chat(named) },
    ...messagesOperations(named, servedBy),
    ...responsesOperations(named, servedBy),
    '/v1/completions': { post: completions(named, servedBy) },
    '/v1/embeddings': { post: wholeAnswer(embeddings, named, servedBy) },
    '/v1/rerank': { post: wholeAnswer(rerank, named, servedBy) },
    '/v1/moderations': { post: wholeAnswer(moderations, named, servedBy) },
    ...generateOperations(named, servedBy),
    '/v1/models': { get: listModels(named) },
    '/v1/models/{model}': { get: getModel(named) },
  }
}

/** Our schema, or Anthropic’s if its version header was sent. */
function oneOf(own: object, anthropics: object, named: NamedSchemas): JsonSchema {
  return { anyOf: [publishedSchema(own, named), publishedSchema(anthropics, named)] }
}

function media(schema: object, example: unknown, named: NamedSchemas): MediaType {
  return { schema: publishedSchema(schema, named), example }
}

function errors(statuses: (number | '4XX')[]): Record<string, Reference> {
  return Object.fromEntries(statuses.map((status) => [String(status), errorResponse(status)]))
}
