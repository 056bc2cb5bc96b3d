import { ModerationsRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import type { DocumentedOperation, Header, Reference } from '../document-types.ts'
import type { NamedSchemas } from '../published-schema.ts'
import { model } from './chat-answer.ts'
import { meanings } from './chat-request.ts'
import { wholeAnswer } from './whole-answer.ts'

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
  const endpoint = {
    operationId: 'createModeration',
    summary: 'Say what of an input is harmful',
    description:
      'Charged by input tokens; OpenAI’s models cost nothing. The categories are those of the vendor.',
    tags: ['Moderations'],
    request: {
      title: 'ModerationRequest',
      schema: ModerationsRequestSchema,
      meanings: meaningsOfModerations,
      example: { summary: 'A text', value: exampleRequest },
    },
    answer: {
      description: 'A result for each text, in their order; one for the parts of one input.',
      schema: moderationSchema,
      example: exampleAnswer,
    },
  }
  return wholeAnswer(endpoint, named, servedBy)
}
