import { leaves, Names } from '../../json/names.ts'
import { requestFields } from '../../requests/fields/field-table.ts'
import { fieldsOfGenerate } from '../../requests/fields/foreign-fields.ts'
import { furtherChoiceFields, outputBoundFields } from '../../requests/output-bounds.ts'

const cacheControl = { type: true, ttl: true } as const
const calledFunction = { name: true, arguments: true } as const

const message = {
  ...leaves('role', 'name', 'refusal', 'reasoning', 'reasoning_content'),
  reasoning_details: {
    ...leaves('type', 'text', 'summary', 'data', 'signature', 'format', 'id', 'index'),
  },
  content: {
    ...leaves('type', 'text', 'refusal'),
    image_url: { url: true, detail: true },
    input_audio: { data: true, format: true },
    file: { file_id: true, file_data: true, filename: true },
    cache_control: cacheControl,
  },
  tool_calls: {
    id: true,
    type: true,
    function: calledFunction,
    custom: { name: true, input: true },
  },
  tool_call_id: true,
  function_call: calledFunction,
  is_error: true,
} as const

/** Members of a request besides its messages and tools, the same in the older completions. */
export const settingNames = {
  model: true,
  models: true,
  metadata: { tags: true, retry_of: true },
  stream: true,
  stream_options: { include_usage: true },
  n: true,
  ...Object.fromEntries([...outputBoundFields, ...furtherChoiceFields].map((name) => [name, true as const])),
  ...leaves('temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'stop', 'seed'),
  ...leaves('logit_bias', 'user'),
  response_format: {
    type: true,
    json_schema: { name: true, schema: true, strict: true, description: true },
  },
  reasoning_effort: true,
  reasoning: { effort: true, max_tokens: true, exclude: true, enabled: true },
} as const

/**
 * The members of a chat request that the gateway reads, counts or changes. The vendor must read the same
 * values, so no second spelling of them is accepted (`requireOneReading`). Tool schemas and other data of the
 * caller's own are not checked.
 */
export const chatNames = new Names({
  ...settingNames,
  messages: message,
  ...leaves('best_of', 'logprobs', 'top_logprobs'),
  tools: {
    type: true,
    function: { name: true, description: true, parameters: true, strict: true },
    cache_control: cacheControl,
  },
  tool_choice: { type: true, function: { name: true } },
  parallel_tool_calls: true,
  extra_body: true,
})
/** What vendors may bill is checked elsewhere: any spelling is refused unless it is paid for. */
const billed: ReadonlySet<string> = new Set([
  'service_tier',
  'web_search_options',
  'modalities',
  'audio',
  'provider',
])

/**
 * What vendors' formats translate, refuse or leave out is found by name as well. Fields that only Google's
 * callers have are spelled differently here and are not matched.
 */
export const otherFieldNames = Object.fromEntries(
  requestFields
    .filter(
      (field) =>
        field !== 'unknown' &&
        !field.includes('.') &&
        !billed.has(field) &&
        !Object.hasOwn(fieldsOfGenerate, field),
    )
    .map((name) => [name, true as const]),
)
chatNames.add(otherFieldNames)
