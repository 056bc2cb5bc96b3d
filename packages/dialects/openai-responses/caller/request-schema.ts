import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { maxOutputBound } from '../../requests/output-bounds.ts'
import { maxMessages, modelFields, orNull, ownMetadataFields } from '../../requests/fields/request-fields.ts'

/**
 * The body of `POST /v1/responses`, as far as the gateway must understand it
 * (https://platform.openai.com/docs/api-reference/responses/create). Fields that are not here pass through.
 * `expected` is what a caller reads if the value is of another kind.
 */
const text = orNull(Type.String(), 'a string')
const flag = orNull(Type.Boolean(), 'true or false')

const numberWithin = (minimum: number, maximum: number) =>
  orNull(Type.Number({ minimum, maximum }), `a number from ${minimum} to ${maximum}`)

/** Members of known item types are checked in `input.ts`. */
const ItemSchema = Type.Object(
  { type: text, role: text },
  { expected: 'an input item such as {"role": "user", "content": "…"}' },
)

/** Members of known tool types are checked in `tools.ts`. */
const ToolSchema = Type.Object(
  { type: Type.String({ expected: 'a string such as "function"' }) },
  { expected: 'a tool object' },
)

const FormatSchema = Type.Object(
  {
    type: Type.Enum(['text', 'json_object', 'json_schema'], {
      expected: 'one of text, json_object, json_schema',
    }),
    name: text,
    schema: orNull(Type.Object({}), 'a JSON Schema object'),
    strict: flag,
    description: text,
  },
  { expected: 'an object such as {"type": "json_object"}' },
)

export const ResponsesRequestSchema = Type.Object(
  {
    ...modelFields('openai/gpt-4o-mini'),
    input: Type.Union(
      [Type.String({ minLength: 1 }), Type.Array(ItemSchema, { minItems: 1, maxItems: maxMessages })],
      {
        expected: `a string, or an array of 1 to ${maxMessages} input items`,
      },
    ),
    instructions: text,
    stream: flag,
    stream_options: orNull(Type.Object({}), 'an object'),
    max_output_tokens: orNull(
      Type.Integer({ minimum: 1, maximum: maxOutputBound }),
      'an integer of at least 1',
    ),
    temperature: numberWithin(0, 2),
    top_p: numberWithin(0, 1),
    top_logprobs: orNull(Type.Integer({ minimum: 0, maximum: 20 }), 'an integer from 0 to 20'),
    tools: orNull(Type.Array(ToolSchema), 'an array of tools'),
    tool_choice: orNull(
      Type.Union([Type.String(), Type.Object({ type: Type.String({ expected: 'a string' }) })]),
      'none, auto, required, or an object that names a tool',
    ),
    parallel_tool_calls: flag,
    text: orNull(
      Type.Object({
        format: orNull(FormatSchema, 'an object such as {"type": "json_object"}'),
        verbosity: text,
      }),
      'an object such as {"verbosity": "low"}',
    ),
    reasoning: orNull(
      Type.Object({ effort: text, summary: text, generate_summary: text, context: text }),
      'an object such as {"effort": "low"}',
    ),
    include: orNull(Type.Array(Type.String({ expected: 'a string' })), 'an array of strings'),
    truncation: orNull(Type.Enum(['auto', 'disabled']), '"auto" or "disabled"'),
    metadata: orNull(Type.Object(ownMetadataFields), 'an object'),
    client_metadata: orNull(Type.Object({}), 'an object'),
    user: text,
    safety_identifier: text,
    prompt_cache_key: text,
    store: flag,
    background: flag,
    max_tool_calls: orNull(Type.Integer({ minimum: 1 }), 'an integer of at least 1'),
  },
  { expected: 'a JSON object with model and input' },
)

export type ResponsesRequest = Static<typeof ResponsesRequestSchema>

export const responsesRequestValidator = Compile(ResponsesRequestSchema)
