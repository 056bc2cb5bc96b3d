import { CompletionsRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import { nullable } from '../../validation/fields.ts'
import type { DocumentedOperation, ResponseHeaders } from '../document-types.ts'
import { errorResponse } from '../errors.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { created, logprobs, model, usage } from './chat-answer.ts'
import { meanings, otherFields, withMeanings } from './chat-request.ts'
import { tagsParameter, unsupportedParameter } from './parameters.ts'

const json = 'application/json'

const meaningsOfCompletions: Record<string, string> = {
  ...meanings,
  prompt:
    'The text to complete: a text, several texts, token ids, or lists of token ids. Vendors without ' +
    'this API accept one text.',
  suffix: 'The text after the answer. Refused if the vendor does not support it, like the next three.',
  echo: 'Begin each answer with its prompt.',
  best_of: 'Generate this many answers per prompt and return the best `n`. All of them are charged.',
  logprobs: 'Return the log probabilities of this many tokens at each position.',
  n: 'Number of answers per prompt.',
  max_tokens:
    'Maximum output tokens per answer; default 16, as at OpenAI. Credit is held for this ' +
    'amount, for each answer to each prompt.',
}

const choice = Type.Object({
  text: Type.String(),
  index: Type.Integer({ description: 'Answers to the first prompt come first.' }),
  logprobs,
  finish_reason: nullable(
    Type.String({
      description: '`stop`, `length`, `content_filter`; in a stream `error` if it was interrupted.',
    }),
  ),
})

const completionSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('text_completion'),
    created,
    model,
    choices: Type.Array(choice),
    usage: Type.Optional(nullable(usage)),
    error: Type.Optional(
      Type.Object(
        { message: Type.String(), type: Type.String(), code: Type.Integer() },
        { description: 'The stream was interrupted: this is the last event, and no `[DONE]` follows.' },
      ),
    ),
  },
  { title: 'Completion', description: 'Whole, or an event of a stream.' },
)

const exampleRequest = {
  model: 'openai/gpt-3.5-turbo-instruct',
  prompt: 'def fibonacci(n):',
  suffix: 'print(fibonacci(10))',
  max_tokens: 64,
}

const exampleAnswer = {
  id: 'cmpl-9zA1',
  object: 'text_completion',
  created: 1741050000,
  model: 'openai/gpt-3.5-turbo-instruct',
  choices: [{ text: '\n    return', index: 0, logprobs: null, finish_reason: 'length' }],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 3,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    cost_usd: '0.000024',
    cost: 0.000024,
  },
}

/** OpenAI's legacy completions, as callers may use them. */
export function completions(named: NamedSchemas, servedBy: ResponseHeaders): DocumentedOperation {
  const request = withMeanings(CompletionsRequestSchema, meaningsOfCompletions)
  const titled = { ...request, title: 'CompletionRequest', description: otherFields }
  const answer = publishedSchema(completionSchema, named)
  const { usage: _whole, ...exampleEvent } = exampleAnswer
  return {
    operationId: 'createCompletion',
    summary: 'Complete a text',
    description:
      'OpenAI’s older API. Vendors that support it get the request unchanged. For others, a single text ' +
      'is sent as a user message, and unsupported fields are a 400 that names them. A stream ends with ' +
      '`data: [DONE]`. An interrupted one ends with an event that contains `error` instead.',
    tags: ['Completions'],
    security: [{ apiKey: [] }],
    parameters: [tagsParameter, unsupportedParameter],
    requestBody: {
      required: true,
      content: {
        [json]: {
          schema: publishedSchema(titled, named),
          examples: { plain: { summary: 'Code between two parts', value: exampleRequest } },
        },
      },
    },
    responses: {
      200: {
        description: 'The answer, or its stream.',
        headers: { ...servedBy, ...rateLimitHeaders },
        content: {
          [json]: { schema: answer, example: exampleAnswer },
          'text/event-stream': {
            schema: {
              type: 'object',
              description: 'Of each event. Between events there may be comments `: keep-alive`.',
              properties: {
                data: {
                  type: 'string',
                  description: 'JSON; in the last event the text `[DONE]`.',
                  contentMediaType: json,
                  contentSchema: answer,
                },
              },
              required: ['data'],
            },
            example: { data: JSON.stringify(exampleEvent) },
          },
        },
      },
      ...errors,
    },
  }
}

const statuses = [400, 401, 402, 403, 404, 408, 413, 415, 421, 429, '4XX', 500, 502, 503, 504] as const
const errors = Object.fromEntries(statuses.map((status) => [String(status), errorResponse(status)]))
