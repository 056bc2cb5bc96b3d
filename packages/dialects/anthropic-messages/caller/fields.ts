import { leaves, Names } from '../../json/names.ts'

const cacheControl = { type: true, ttl: true } as const

const source = { type: true, media_type: true, data: true, url: true, file_id: true, content: true } as const

const block = {
  type: true,
  text: true,
  source,
  ...leaves('title', 'context', 'citations', 'id', 'name', 'input', 'tool_use_id', 'is_error'),
  ...leaves('thinking', 'signature', 'data'),
  cache_control: cacheControl,
} as const

const format = { type: true, schema: true } as const

/**
 * The members of a Messages request that the gateway reads, counts or changes. The vendor must read the same
 * values, so no second spelling of them is accepted (`requireOneReading`). Tool schemas, tool inputs and
 * other data of the caller's own are not checked.
 */
export const messagesNames = new Names({
  model: true,
  models: true,
  messages: { role: true, content: { ...block, content: block } },
  max_tokens: true,
  system: { type: true, text: true, cache_control: cacheControl },
  metadata: { user_id: true, tags: true, retry_of: true },
  ...leaves('stream', 'temperature', 'top_p', 'top_k', 'stop_sequences'),
  tools: {
    ...leaves('type', 'name', 'description', 'input_schema', 'strict', 'max_uses'),
    ...leaves('max_content_tokens'),
    cache_control: cacheControl,
  },
  tool_choice: { type: true, name: true, disable_parallel_tool_use: true },
  thinking: { type: true, budget_tokens: true, display: true },
  output_config: { effort: true, format },
  output_format: format,
  context_management: { edits: { type: true, trigger: { type: true, value: true } } },
  thread: true,
})
