import { Type } from 'typebox'
import { nullable } from '../../validation/fields.ts'
import type { Parameter } from '../document-types.ts'

/** https://platform.claude.com/docs/en/api/models */
export const anthropicModelSchema = Type.Object(
  {
    type: Type.Literal('model'),
    id: Type.String({ description: '`<provider>/<model_id>`' }),
    display_name: Type.String(),
    created_at: Type.String({ description: 'RFC 3339.' }),
    max_input_tokens: Type.Integer(),
    max_tokens: Type.Integer({ description: 'Maximum output tokens.' }),
  },
  { title: 'AnthropicModel' },
)

export const anthropicModelListSchema = Type.Object({
  data: Type.Array(anthropicModelSchema),
  has_more: Type.Boolean(),
  first_id: nullable(Type.String()),
  last_id: nullable(Type.String()),
})

const withVersion = 'With `anthropic-version`:'

export const anthropicPageParameters: Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: `${withVersion} models of a page, 20 by default.`,
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  },
  {
    name: 'after_id',
    in: 'query',
    description: `${withVersion} the page behind this model of the list.`,
    schema: { type: 'string' },
  },
  {
    name: 'before_id',
    in: 'query',
    description: `${withVersion} the page before it.`,
    schema: { type: 'string' },
  },
]
