import { Type } from 'typebox'
import type { Parameter } from '../document-types.ts'

/** https://ai.google.dev/api/models#Model */
export const googleModelSchema = Type.Object(
  {
    name: Type.String({ description: '`models/<provider>/<model_id>`' }),
    version: Type.String({ description: '`<provider>/<model_id>`' }),
    displayName: Type.String(),
    inputTokenLimit: Type.Integer(),
    outputTokenLimit: Type.Integer(),
    supportedGenerationMethods: Type.Array(Type.String()),
  },
  { title: 'GoogleModel' },
)

export const googleModelListSchema = Type.Object(
  {
    models: Type.Array(googleModelSchema),
    nextPageToken: Type.Optional(Type.String({ description: 'Absent: this is the last page.' })),
  },
  { title: 'GoogleModelList' },
)

export const googlePageParameters: Parameter[] = [
  {
    name: 'pageSize',
    in: 'query',
    description: 'Models per page: 50 by default, 1,000 at most.',
    schema: { type: 'integer', minimum: 1 },
  },
  {
    name: 'pageToken',
    in: 'query',
    description: 'The `nextPageToken` of the previous page.',
    schema: { type: 'string' },
  },
]

export const exampleGoogleModel = {
  name: 'models/openai/gpt-5-mini',
  version: 'openai/gpt-5-mini',
  displayName: 'GPT-5 mini',
  inputTokenLimit: 400_000,
  outputTokenLimit: 128_000,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
}
