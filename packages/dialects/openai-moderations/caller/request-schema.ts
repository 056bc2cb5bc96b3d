import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { modelFields, orNull, ownMetadataFields } from '../../requests/fields/request-fields.ts'

/** OpenAI's default model. */
export const usualModel = 'omni-moderation-latest'

const mostInputs = 2_048

const part = Type.Union(
  [
    Type.Object({ type: Type.Literal('text'), text: Type.String() }),
    Type.Object({
      type: Type.Literal('image_url'),
      image_url: Type.Object({ url: Type.String({ minLength: 1 }) }),
    }),
  ],
  { expected: '{"type": "text", "text": "…"} or {"type": "image_url", "image_url": {"url": "…"}}' },
)

const { model, models } = modelFields(`openai/${usualModel}`)

/**
 * The body of `POST /v1/moderations`, as far as the gateway must understand it
 * (https://platform.openai.com/docs/api-reference/moderations/create). Fields that are not here pass through.
 * `expected` is what a caller reads if the value is of another kind.
 */
export const ModerationsRequestSchema = Type.Object(
  {
    model: orNull(model, `a model identifier; default ${usualModel}`),
    models,
    input: Type.Union(
      [
        Type.String(),
        Type.Array(Type.String(), { minItems: 1, maxItems: mostInputs }),
        Type.Array(part, { minItems: 1, maxItems: mostInputs }),
      ],
      { expected: `a string, an array of 1 to ${mostInputs} strings, or parts such as {"type": "text"}` },
    ),
    user: orNull(Type.String(), 'a string'),
    stream: orNull(Type.Literal(false), 'false: moderations are not streamed'),
    metadata: orNull(Type.Object(ownMetadataFields), 'an object'),
  },
  { expected: 'a JSON object with input' },
)

export type ModerationsBody = Static<typeof ModerationsRequestSchema>

export const moderationsRequestValidator = Compile(ModerationsRequestSchema)
