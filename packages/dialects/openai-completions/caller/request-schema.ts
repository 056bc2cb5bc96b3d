import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { integerWithin, settingFields, text } from '../../openai-chat/caller/request-schema.ts'
import { maxChoices, maxOutputBound } from '../../requests/output-bounds.ts'
import { modelFields, orNull } from '../../requests/fields/request-fields.ts'
import { mostCompletions } from '../most-completions.ts'

const expectedPrompt = 'a string, or an array of token ids'
const numbers = Type.Array(
  Type.Integer({ minimum: 0, maximum: maxOutputBound, expected: 'the number of a token' }),
  { minItems: 1, expected: expectedPrompt },
)

/**
 * The body of `POST /v1/completions`, as far as the gateway must understand it
 * (https://platform.openai.com/docs/api-reference/completions/create). Fields that are not here pass through.
 * `expected` is what a caller reads if the value is of another kind.
 */
export const CompletionsRequestSchema = Type.Object(
  {
    ...modelFields('openai/gpt-3.5-turbo-instruct'),
    prompt: Type.Union(
      [
        Type.String(),
        Type.Array(Type.String({ expected: 'a string' }), { minItems: 1, maxItems: mostCompletions }),
        numbers,
        Type.Array(numbers, { minItems: 1, maxItems: mostCompletions }),
      ],
      {
        expected: `${expectedPrompt}, or an array of 1 to ${mostCompletions} of either`,
      },
    ),
    suffix: text,
    ...settingFields,
    max_tokens: integerWithin(0, maxOutputBound),
    logprobs: integerWithin(0, maxChoices),
    echo: orNull(Type.Boolean(), 'true or false'),
    best_of: integerWithin(1, maxChoices),
  },
  { expected: 'a JSON object with model and prompt' },
)

export type CompletionsRequest = Static<typeof CompletionsRequestSchema>

export const completionsRequestValidator = Compile(CompletionsRequestSchema)
