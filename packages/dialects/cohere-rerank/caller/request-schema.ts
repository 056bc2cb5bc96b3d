import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { modelFields, orNull, ownMetadataFields } from '../../requests/fields/request-fields.ts'

/** Cohere's limit: https://docs.cohere.com/docs/reranking-best-practices. */
const mostDocuments = 10_000
/** More than any model's context. */
const mostTokens = 10_000_000

const document = Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
  expected: 'a string, or an object such as {"text": "…"}',
})

/**
 * The body of `POST /v1/rerank`, as far as the gateway must understand it
 * (https://docs.cohere.com/reference/rerank). Fields that are not here pass through. `expected` is what a
 * caller reads if the value is of another kind.
 */
export const RerankRequestSchema = Type.Object(
  {
    ...modelFields('cohere/rerank-v3.5'),
    query: Type.String({ minLength: 1, expected: 'a string that is not empty' }),
    documents: Type.Array(document, {
      minItems: 1,
      maxItems: mostDocuments,
      expected: `an array of 1 to ${mostDocuments} documents`,
    }),
    top_n: orNull(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), 'an integer from 1 on'),
    return_documents: orNull(Type.Boolean(), 'true or false'),
    max_tokens_per_doc: orNull(
      Type.Integer({ minimum: 1, maximum: mostTokens }),
      `an integer from 1 to ${mostTokens}`,
    ),
    rank_fields: orNull(Type.Array(Type.String(), { minItems: 1, maxItems: 100 }), 'an array of names'),
    user: orNull(Type.String(), 'a string'),
    stream: orNull(Type.Literal(false), 'false: rankings are not streamed'),
    metadata: orNull(Type.Object(ownMetadataFields), 'an object'),
  },
  { expected: 'a JSON object with model, query and documents' },
)

export type RerankBody = Static<typeof RerankRequestSchema>

export const rerankRequestValidator = Compile(RerankRequestSchema)
