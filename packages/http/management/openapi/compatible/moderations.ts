import { ModerationsRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import { cost, model } from './chat-answer.ts'
import { meanings } from './chat-request.ts'
import type { WholeAnswerEndpoint } from './whole-answer.ts'

const meaningsOfModerations: Record<string, string> = {
  ...meanings,
  model: '`<provider>/<model_id>`. Default: `omni-moderation-latest`, as at OpenAI.',
  stream: 'Moderations are not streamed.',
  input: 'A text, several texts that are classified separately, or the parts of one input: texts and images.',
}

const moderationSchema = Type.Object(
  {
    id: Type.String(),
    model,
    results: Type.Array(
      Type.Object({
        flagged: Type.Boolean({ description: 'If the vendor does not say: whether any category is true.' }),
        categories: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Whether it matches each of the vendor’s categories.',
        }),
        category_scores: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    usage: Type.Optional(
      Type.Object({
        prompt_tokens: Type.Integer(),
        total_tokens: Type.Integer(),
        ...cost,
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

/** OpenAI's moderations, as callers may use them. */
export const moderations: WholeAnswerEndpoint = {
  operationId: 'createModeration',
  summary: 'Classify harmful content',
  description: 'Charged by input tokens; OpenAI’s models are free. The categories are the vendor’s.',
  tags: ['Moderations'],
  request: {
    title: 'ModerationRequest',
    schema: ModerationsRequestSchema,
    meanings: meaningsOfModerations,
    example: { summary: 'A text', value: exampleRequest },
  },
  answer: {
    description: 'One result per text, in the same order, or one for the parts of one input.',
    schema: moderationSchema,
    example: exampleAnswer,
  },
}
