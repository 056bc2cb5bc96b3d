import { Type } from 'typebox'
import { nullable, usd } from '../../validation/fields.ts'

export const model = Type.String({ description: 'The `<provider>/<model_id>` that served.' })
export const created = Type.Integer({ description: 'Unix epoch seconds.' })
const finishReason = nullable(
  Type.String({
    description:
      '`stop`, `length`, `tool_calls`, `content_filter`; in a stream `error` if it was interrupted.',
  }),
)

/** Null, or a list of objects, as vendors send it. */
export const logprobs = Type.Optional(nullable(Type.Object({})))

export const usage = Type.Object(
  {
    prompt_tokens: Type.Integer({ description: 'Including tokens read from and written to caches.' }),
    completion_tokens: Type.Integer({ description: 'Including reasoning.' }),
    total_tokens: Type.Integer(),
    prompt_tokens_details: Type.Object({
      cached_tokens: Type.Integer({ description: 'Read from a cache.' }),
      cache_write_tokens: Type.Integer({ description: 'Written to a cache.' }),
    }),
    completion_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
    cost_usd: Type.Unsafe<string>({ ...usd, description: 'The exact cost of the request, in USD.' }),
    cost: Type.Number({ description: 'The same as a number, as OpenRouter’s clients expect it.' }),
  },
  { title: 'Usage' },
)

/** For the usage of APIs other than chat completions. */
export const cost = {
  cost_usd: Type.String({ description: 'The exact cost.' }),
  cost: Type.Number({ description: 'The same as a number.' }),
}

const toolCall = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    function: Type.Optional(
      Type.Object({
        name: Type.String(),
        arguments: Type.String({ description: 'JSON, as the model wrote it.' }),
      }),
    ),
  },
  { title: 'ToolCall' },
)

const reasoning = {
  reasoning_content: Type.Optional(nullable(Type.String({ description: 'The model’s reasoning.' }))),
  reasoning_details: Type.Optional(
    Type.Array(Type.Object({ type: Type.String() }), {
      description: 'The same with signatures. Send it back unchanged, and it reaches the vendor unchanged.',
    }),
  ),
}

const message = Type.Object({
  role: Type.Literal('assistant'),
  content: nullable(Type.String()),
  refusal: nullable(Type.String()),
  tool_calls: Type.Optional(Type.Array(toolCall)),
  ...reasoning,
})

export const chatAnswerSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created,
    model,
    choices: Type.Array(
      Type.Object({ index: Type.Integer(), message, finish_reason: finishReason, logprobs }),
    ),
    usage,
  },
  { title: 'ChatCompletion', description: 'Other fields from the vendor in OpenAI’s format are passed on.' },
)

const delta = Type.Object({
  role: Type.Optional(Type.Literal('assistant')),
  content: Type.Optional(nullable(Type.String())),
  refusal: Type.Optional(nullable(Type.String())),
  tool_calls: Type.Optional(Type.Array(Type.Object({ index: Type.Integer() }))),
  ...reasoning,
})

export const chatChunkSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion.chunk'),
    created,
    model,
    choices: Type.Array(Type.Object({ index: Type.Integer(), delta, finish_reason: finishReason, logprobs })),
    usage: Type.Optional(nullable(usage)),
    error: Type.Optional(
      Type.Object(
        { message: Type.String(), type: Type.String(), code: Type.Integer() },
        { description: 'The stream was interrupted: this is the last chunk, and no `[DONE]` follows.' },
      ),
    ),
  },
  { title: 'ChatCompletionChunk' },
)
