import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { maxOutputBound } from '../../requests/output-bounds.ts'
import {
  cacheControl,
  messagesField,
  modelFields,
  orNull,
  ownMetadataFields,
} from '../../requests/fields/request-fields.ts'

/**
 * The body of `POST /v1/messages`, as far as the gateway must understand it
 * (https://platform.claude.com/docs/en/api/messages/create). Fields that are not here pass through.
 * `expected` is what a caller reads if the value is of another kind.
 */
const numberFromZeroToOne = orNull(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1')
const text = orNull(Type.String(), 'a string')
const flag = orNull(Type.Boolean(), 'true or false')

/** Members of known block types are checked in `content.ts` and `turn.ts`. */
const BlockSchema = Type.Object(
  { type: Type.String({ expected: 'the type of the block, such as "text"' }), cache_control: cacheControl },
  { expected: 'a content block object with a type' },
)

const MessageSchema = Type.Object(
  {
    role: Type.Enum(['user', 'assistant', 'system'], { expected: 'one of user, assistant, system' }),
    content: Type.Union([Type.String(), Type.Array(BlockSchema)], {
      expected: 'a string or an array of content blocks',
    }),
  },
  { expected: 'a message object with role and content' },
)

const SystemBlockSchema = Type.Object(
  {
    type: Type.Literal('text', { expected: '"text"' }),
    text: Type.String({ expected: 'a string' }),
    cache_control: cacheControl,
  },
  { expected: 'a text block' },
)

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools */
const ToolSchema = Type.Object(
  {
    type: text,
    name: text,
    description: text,
    input_schema: orNull(Type.Object({}), 'a JSON Schema object'),
    strict: flag,
    cache_control: cacheControl,
  },
  { expected: 'a tool object' },
)

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
const outputFormat = orNull(
  Type.Object({
    type: Type.Literal('json_schema', { expected: '"json_schema"' }),
    schema: Type.Object({}, { expected: 'a JSON Schema object' }),
  }),
  'an object with type and schema',
)

export const MessagesRequestSchema = Type.Object(
  {
    ...modelFields('claude-sonnet-4-6'),
    messages: messagesField(MessageSchema),
    // 0 fills the cache without generating an answer:
    // https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pre-warming-the-cache
    max_tokens: Type.Integer({
      minimum: 0,
      maximum: maxOutputBound,
      expected: `an integer of at least 1, or 0 to only fill the cache`,
    }),
    system: Type.Optional(
      Type.Union([Type.String(), Type.Array(SystemBlockSchema), Type.Null()], {
        expected: 'a string or an array of text blocks',
      }),
    ),
    stream: flag,
    metadata: orNull(
      Type.Object({
        user_id: text,
        ...ownMetadataFields,
      }),
      'an object such as {"user_id": "…"}',
    ),
    temperature: numberFromZeroToOne,
    top_p: numberFromZeroToOne,
    top_k: orNull(Type.Integer({ minimum: 0 }), 'an integer of at least 0'),
    stop_sequences: orNull(Type.Array(Type.String({ expected: 'a string' })), 'an array of strings'),
    tools: orNull(Type.Array(ToolSchema), 'an array of tools'),
    tool_choice: orNull(
      Type.Object({
        type: Type.Enum(['auto', 'any', 'tool', 'none'], { expected: 'one of auto, any, tool, none' }),
        name: text,
        disable_parallel_tool_use: flag,
      }),
      'an object such as {"type": "auto"}',
    ),
    thinking: orNull(
      Type.Object({
        type: Type.String({ expected: 'one of enabled, adaptive, disabled' }),
        budget_tokens: orNull(
          Type.Integer({ minimum: 1_024, maximum: maxOutputBound }),
          'an integer of at least 1024',
        ),
        display: text,
      }),
      'an object such as {"type": "adaptive"}',
    ),
    output_config: orNull(
      Type.Object({ effort: orNull(Type.String(), 'a string such as "high"'), format: outputFormat }),
      'an object such as {"effort": "high"}',
    ),
    output_format: outputFormat,
  },
  { expected: 'a JSON object with model, max_tokens and messages' },
)

export type MessagesRequest = Static<typeof MessagesRequestSchema>
export type MessagesTurn = MessagesRequest['messages'][number]
export type CacheControl = Static<typeof cacheControl>

export const messagesRequestValidator = Compile(MessagesRequestSchema)
