import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { vectorEncodings } from '@turnpike/protocol'
import { modelFields, orNull, ownMetadataFields } from '../../requests/fields/request-fields.ts'

/** More than any vendor accepts in one request, so the gateway sends such a request in parts. */
export const mostInputs = 16_384
/** More than any model's vectors have. */
const mostDimensions = 65_536
/** Beyond any tokenizer's vocabulary. */
export const largestToken = 1_048_575

export const expectedToken = 'the number of a token'
export const expectedInput = 'a non-empty string, or an array of token ids'
const inputText = Type.String({ minLength: 1, expected: expectedInput })
const numbers = Type.Array(Type.Integer({ minimum: 0, maximum: largestToken, expected: expectedToken }), {
  minItems: 1,
  expected: expectedInput,
})

/**
 * The body of `POST /v1/embeddings`, as far as the gateway must understand it
 * (https://platform.openai.com/docs/api-reference/embeddings/create). Fields that are not here pass through.
 * `expected` is what a caller reads if the value is of another kind.
 */
export const EmbeddingsRequestSchema = Type.Object(
  {
    ...modelFields('openai/text-embedding-3-small'),
    input: Type.Union(
      [
        inputText,
        Type.Array(inputText, { minItems: 1, maxItems: mostInputs }),
        numbers,
        Type.Array(numbers, { minItems: 1, maxItems: mostInputs }),
      ],
      { expected: `${expectedInput}, or an array of 1 to ${mostInputs} of either` },
    ),
    dimensions: orNull(
      Type.Integer({ minimum: 1, maximum: mostDimensions }),
      `an integer from 1 to ${mostDimensions}`,
    ),
    encoding_format: orNull(Type.Enum([...vectorEncodings]), '"float" or "base64"'),
    input_type: orNull(
      Type.String({ minLength: 1, maxLength: 64 }),
      'what the vectors are for, such as "query" or "document"',
    ),
    user: orNull(Type.String(), 'a string'),
    stream: orNull(Type.Literal(false), 'false: embeddings are not streamed'),
    metadata: orNull(Type.Object(ownMetadataFields), 'an object'),
  },
  { expected: 'a JSON object with model and input' },
)

export type EmbeddingsRequest = Static<typeof EmbeddingsRequestSchema>

export const embeddingsRequestValidator = Compile(EmbeddingsRequestSchema)
