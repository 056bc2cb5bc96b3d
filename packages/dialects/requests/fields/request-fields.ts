import Type, { type Static, type TSchema } from 'typebox'

/*
 * Schemas of fields that have the same shape in every caller format: Anthropic and OpenAI name them alike, or
 * they are the gateway's own. `expected` is what a caller reads if the value is of another kind.
 */

const maxModelCharacters = 256
export const maxMessages = 10_000
/** Fallback models. Each is looked up, and routed if it is `auto`. */
const maxModels = 100

export const orNull = <Schema extends TSchema>(schema: Schema, expected: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { expected }))

/** The model, and those to try after it. */
export const modelFields = (example: string) => ({
  model: Type.String({
    minLength: 1,
    maxLength: maxModelCharacters,
    expected: `a model identifier such as "${example}", at most ${maxModelCharacters} characters`,
  }),
  models: orNull(
    Type.Array(Type.String({ minLength: 1, maxLength: maxModelCharacters, expected: 'a model identifier' }), {
      maxItems: maxModels,
    }),
    `an array of at most ${maxModels} model identifiers`,
  ),
})

export const messagesField = <Message extends TSchema>(message: Message) =>
  Type.Array(message, {
    minItems: 1,
    maxItems: maxMessages,
    expected: `an array of 1 to ${maxMessages} messages`,
  })

/** Members of `metadata` that belong to the gateway. */
export const ownMetadataFields = {
  tags: orNull(Type.Array(Type.String({ expected: 'a string' })), 'an array of strings'),
  retry_of: orNull(
    Type.String({ maxLength: 64, expected: 'the id of an earlier request' }),
    'the id of an earlier request',
  ),
}

/** OpenRouter adopted it: https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const CacheControlSchema = Type.Object({
  type: Type.Literal('ephemeral', { expected: '"ephemeral"' }),
  ttl: orNull(Type.Enum(['5m', '1h']), '"5m" or "1h"'),
})
export const cacheControl = orNull(CacheControlSchema, 'an object such as {"type": "ephemeral"}')

export type CacheControl = Static<typeof CacheControlSchema>
