import { ModerationsRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import type { DocumentedOperation, Header, Reference } from '../document-types.ts'
import { errorResponse } from '../errors.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { model } from './chat-answer.ts'
import { meanings, otherFields, withMeanings } from './chat-request.ts'
import { tagsParameter, unsupportedParameter } from './parameters.ts'

const json = 'application/json'

const meaningsOfModerations: Record<string, string> = {
  ...meanings,
  model: '`<provider>/<model_id>`. Default: `omni-moderation-latest`, as at OpenAI.',
  stream: 'Moderations are answered at once.',
  input: 'A text, texts that are judged each for itself, or the parts of one input: texts and pictures.',
}

const moderationSchema = Type.Object(
  {
    id: Type.String(),
    model,
    results: Type.Array(
      Type.Object({
        flagged: Type.Boolean({ description: 'Where the vendor does not say it: one category is true.' }),
        categories: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Whether it is of each of the vendor’s categories.',
        }),
        category_scores: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    usage: Type.Optional(
      Type.Object({
        prompt_tokens: Type.Integer(),
        total_tokens: Type.Integer(),
        cost_usd: Type.String({ description: 'What it cost, exact.' }),
        cost: Type.Number({ description: 'The same as a number.' }),
      }),
    ),
  },
  { title: 'Moderation' },
)

const exampleRequest = { model: 'openai/omni-moderation-latest', input: 'I want to thank you.' }

const exampleAnswer = {
  id: 'modr-01JD',
  model: 'openai/omni-moderation-latest',
  results: [
    {
      flagged: false,
      categories: { harassment: false, violence: false },
      category_scores: { harassment: 0.00001, violence: 0.00002 },
    },
  ],
  usage: { prompt_tokens: 5, total_tokens: 5, cost_usd: '0', cost: 0 },
}

/** OpenAI's moderations, as callers may speak them. */
export function moderations(
  named: NamedSchemas,
  servedBy: Record<string, Header | Reference>,
): DocumentedOperation {
  const request = withMeanings(ModerationsRequestSchema, meaningsOfModerations)
  const titled = { ...request, title: 'ModerationRequest', description: otherFields }
  return {
    operationId: 'createModeration',
    summary: 'Say what of an input is harmful',
    description:
      'Charged by input tokens; OpenAI’s models cost nothing. The categories are those of the vendor.',
    tags: ['Moderations'],
    security: [{ apiKey: [] }],
    parameters: [tagsParameter, unsupportedParameter],
    requestBody: {
      required: true,
      content: {
        [json]: {
          schema: publishedSchema(titled, named),
          examples: { plain: { summary: 'A text', value: exampleRequest } },
        },
      },
    },
    responses: {
      200: {
        description: 'A result for each text, in their order; one for the parts of one input.',
        headers: { ...servedBy, ...rateLimitHeaders },
        content: { [json]: { schema: publishedSchema(moderationSchema, named), example: exampleAnswer } },
      },
      ...errors,
    },
  }
}

const statuses = [400, 401, 402, 403, 404, 408, 413, 415, 421, 429, '4XX', 500, 502, 503, 504] as const
const errors = Object.fromEntries(statuses.map((status) => [String(status), errorResponse(status)]))
