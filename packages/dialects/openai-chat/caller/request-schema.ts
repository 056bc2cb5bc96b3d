import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { maxChoices, maxOutputBound } from '../../requests/output-bounds.ts'
import {
  cacheControl,
  messagesField,
  modelFields,
  orNull,
  ownMetadataFields,
} from '../../requests/fields/request-fields.ts'

/**
 * The body of `POST /v1/chat/completions`, as far as the gateway must understand it
 * (https://platform.openai.com/docs/api-reference/chat/create). Fields that are not here pass through.
 * `expected` is what a caller reads if the value is of another kind.
 */
const numberWithin = (minimum: number, maximum: number) =>
  orNull(Type.Number({ minimum, maximum }), `a number from ${minimum} to ${maximum}`)

export const integerWithin = (minimum: number, maximum: number) =>
  orNull(Type.Integer({ minimum, maximum }), `an integer from ${minimum} to ${maximum}`)

export const text = orNull(Type.String(), 'a string')

const ReasoningDetailSchema = Type.Object(
  {
    type: Type.String({ expected: 'a string such as "reasoning.text"' }),
    text,
    summary: text,
    data: text,
    signature: text,
    format: text,
    id: text,
    index: orNull(Type.Number(), 'a number'),
  },
  { expected: 'an object as returned in an answer' },
)

const ToolCallSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ expected: 'a string' })),
    type: Type.Optional(Type.String({ expected: 'a string such as "function"' })),
    function: Type.Optional(
      Type.Object(
        {
          name: Type.String({ expected: 'the name of the function' }),
          arguments: Type.Optional(Type.String({ expected: 'the arguments as a string of JSON' })),
        },
        { expected: 'an object with name and arguments' },
      ),
    ),
  },
  { expected: 'a tool call object' },
)

const MessageSchema = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool', 'function'], {
      expected: 'one of system, developer, user, assistant, tool, function',
    }),
    content: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Array(
            Type.Object(
              {
                type: Type.String({ expected: 'the type of the part, such as "text"' }),
                cache_control: cacheControl,
              },
              { expected: 'a content part object' },
            ),
          ),
          Type.Null(),
        ],
        { expected: 'a string or an array of content parts' },
      ),
    ),
    name: text,
    refusal: text,
    reasoning_content: text,
    reasoning: text,
    reasoning_details: orNull(Type.Array(ReasoningDetailSchema), 'an array as returned in an answer'),
    tool_calls: orNull(Type.Array(ToolCallSchema), 'an array of tool calls'),
    tool_call_id: text,
    is_error: orNull(Type.Boolean(), 'true or false'),
  },
  { expected: 'a message object with role and content' },
)

const ToolSchema = Type.Object(
  {
    type: Type.String({ expected: 'a string such as "function"' }),
    function: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, expected: 'the name of the function' }),
          description: orNull(Type.String(), 'a string'),
          parameters: orNull(Type.Object({}), 'a JSON Schema object'),
          strict: orNull(Type.Boolean(), 'true or false'),
        },
        { expected: 'an object with name, description and parameters' },
      ),
    ),
    cache_control: cacheControl,
  },
  { expected: 'a tool object' },
)

/** Fields besides messages and tools, the same in the older completions. */
export const settingFields = {
  metadata: orNull(Type.Object(ownMetadataFields), 'an object'),
  stream: orNull(Type.Boolean(), 'true or false'),
  stream_options: orNull(
    Type.Object({ include_usage: orNull(Type.Boolean(), 'true or false') }),
    'an object such as {"include_usage": true}',
  ),
  n: integerWithin(1, maxChoices),
  temperature: numberWithin(0, 2),
  top_p: numberWithin(0, 1),
  frequency_penalty: numberWithin(-2, 2),
  presence_penalty: numberWithin(-2, 2),
  stop: orNull(
    Type.Union([Type.String(), Type.Array(Type.String({ expected: 'a string' }))]),
    'a string or an array of strings',
  ),
  seed: orNull(Type.Number(), 'an integer'),
  logit_bias: orNull(Type.Object({}), 'an object of token ids to numbers'),
  user: text,
  response_format: orNull(
    Type.Object({
      type: Type.String({ expected: 'text, json_object or json_schema' }),
      json_schema: orNull(
        Type.Object({
          name: Type.String({ expected: 'the name of the schema' }),
          schema: orNull(Type.Object({}), 'a JSON Schema object'),
        }),
        'an object with name and schema',
      ),
    }),
    'an object such as {"type": "json_object"}',
  ),
  usage: orNull(
    Type.Object({ include: orNull(Type.Boolean(), 'true or false') }),
    'an object such as {"include": true}',
  ),
  provider: orNull(
    Type.Object({ require_parameters: orNull(Type.Boolean(), 'true or false') }),
    'an object such as {"require_parameters": false}',
  ),
  reasoning_effort: orNull(Type.String(), 'a string such as "low"'),
  reasoning: orNull(
    Type.Object({
      effort: orNull(Type.String(), 'a string such as "low"'),
      max_tokens: integerWithin(1, maxOutputBound),
      exclude: orNull(Type.Boolean(), 'true or false'),
      enabled: orNull(Type.Boolean(), 'true or false'),
    }),
    'an object such as {"effort": "low"}',
  ),
}

export const ChatRequestSchema = Type.Object(
  {
    ...modelFields('openai/gpt-4o-mini'),
    messages: messagesField(MessageSchema),
    ...settingFields,
    max_tokens: integerWithin(1, maxOutputBound),
    max_completion_tokens: integerWithin(1, maxOutputBound),
    logprobs: orNull(Type.Boolean(), 'true or false'),
    top_logprobs: integerWithin(0, 20),
    tools: orNull(Type.Array(ToolSchema), 'an array of tools'),
    tool_choice: orNull(
      Type.Union([Type.String(), Type.Object({ type: Type.String({ expected: 'a string' }) })]),
      'none, auto, required, or an object that names a tool',
    ),
    parallel_tool_calls: orNull(Type.Boolean(), 'true or false'),
  },
  { expected: 'a JSON object with model and messages' },
)

export type ChatRequest = Static<typeof ChatRequestSchema>
export type ChatMessage = ChatRequest['messages'][number]

export const chatRequestValidator = Compile(ChatRequestSchema)
