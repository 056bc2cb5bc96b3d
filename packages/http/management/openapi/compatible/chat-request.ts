import { ChatRequestSchema } from '@turnpike/dialects'
import type { JsonSchema } from '../document-types.ts'

/** Descriptions of fields whose names do not explain themselves. */
export const meanings: Record<string, string> = {
  model:
    '`<provider>/<model_id>` as listed by `GET /v1/models`, or a bare id if it is unique. Dated ' +
    'versions of a listed model work too.',
  models: 'Fallback models, tried in this order if the previous one cannot serve.',
  messages: 'The conversation, as in OpenAI’s API. Content is a text or a list of parts.',
  metadata: '`tags`: at most 20 of at most 64 characters, for cost reports; by convention `key:value`.',
  stream: 'Stream the answer as server-sent events.',
  stream_options: '`include_usage`: the last chunk contains usage and cost.',
  n: 'Number of choices. Models of some vendors only return one.',
  max_tokens: 'The older name of `max_completion_tokens`. If several limits are set, the largest applies.',
  max_completion_tokens:
    'Maximum output tokens, including reasoning. Credit is held for this amount, or by default for ' +
    '4,096 tokens. If the credit covers less, the limit is lowered, but not below 4,096, and ' +
    '`x-turnpike-max-output-tokens` says so.',
  reasoning_effort: 'Reasoning effort, such as `low`, `medium`, `high`.',
  reasoning: 'The same with more control: `effort` or `max_tokens`; `exclude` hides the reasoning.',
  tools: 'Functions that the model may call.',
  response_format: '`text`, `json_object`, or `json_schema` with a schema for the answer.',
  user: 'A hint that is dropped for vendors without an equivalent.',
}

/** The request as it is validated, with descriptions of its fields. Other fields pass on to the vendor. */
export function chatRequestSchema(): JsonSchema {
  return {
    ...withMeanings(ChatRequestSchema, meanings),
    title: 'ChatCompletionRequest',
    description: otherFields,
  }
}

export const otherFields =
  'Unlisted fields are passed to vendors with OpenAI’s format. For others they cause a 400 or, if they are ' +
  'hints, are dropped.'

/** A schema with descriptions added to its fields. */
export function withMeanings(validated: object, ofFields: Readonly<Record<string, string>>): JsonSchema {
  const schema = validated as JsonSchema & { properties: Record<string, JsonSchema> }
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const description = ofFields[name]
    return [name, description === undefined ? property : { ...property, description }] as const
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
