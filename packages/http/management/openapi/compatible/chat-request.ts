import { ChatRequestSchema } from '@turnpike/dialects'
import type { JsonSchema } from '../document-types.ts'

/** What the fields mean, where their names do not say it all. */
export const meanings: Record<string, string> = {
  model:
    '`<provider>/<model_id>` as `GET /v1/models` lists them; a bare id where it is unique. Dated ' +
    'versions of a listed model are known too.',
  models: 'Further models, tried in this order where the one before cannot serve.',
  messages: 'The conversation, as in OpenAI’s API. Content is a text or a list of parts.',
  metadata:
    '`tags`: at most 20 of at most 64 characters, to which the cost is allocated; convention `key:value`.',
  stream: 'Answer with server-sent events.',
  stream_options: '`include_usage`: the last chunk holds the usage and the cost.',
  n: 'How many choices; models of some vendors give one only.',
  max_tokens: 'The older name of `max_completion_tokens`. Of several bounds the largest one holds.',
  max_completion_tokens:
    'The most that may be generated, reasoning included. So much credit is held; without it, that of ' +
    '4,096 tokens. Where the credit covers less, it is lowered, though not below 4,096, and ' +
    '`x-turnpike-max-output-tokens` says so.',
  reasoning_effort: 'How long a reasoning model thinks, as in `low`, `medium`, `high`.',
  reasoning: 'The same with more control: `effort` or `max_tokens`; `exclude` hides what was thought.',
  tools: 'Functions that the model may call.',
  response_format: '`text`, `json_object`, or `json_schema` with a schema that the answer keeps to.',
  user: 'A hint, which vendors without an equivalent do not get.',
}

/** The request as it is validated, with the meanings of its fields. Other fields pass on to the vendor. */
export function chatRequestSchema(): JsonSchema {
  return {
    ...withMeanings(ChatRequestSchema, meanings),
    title: 'ChatCompletionRequest',
    description: otherFields,
  }
}

export const otherFields =
  'Fields that are not listed pass on to vendors of OpenAI’s kind; elsewhere they are 400 or, as ' +
  'hints, dropped.'

/** A schema whose fields say what they mean. */
export function withMeanings(validated: object, ofFields: Readonly<Record<string, string>>): JsonSchema {
  const schema = validated as JsonSchema & { properties: Record<string, JsonSchema> }
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const description = ofFields[name]
    return [name, description === undefined ? property : { ...property, description }] as const
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
