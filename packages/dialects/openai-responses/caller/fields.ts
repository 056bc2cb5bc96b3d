import { Names } from '../../json/names.ts'

const part = {
  type: true,
  text: true,
  refusal: true,
  image_url: true,
  file_id: true,
  file_url: true,
  file_data: true,
  filename: true,
  detail: true,
  input_audio: { data: true, format: true },
} as const

const tool = {
  type: true,
  execution: true,
  name: true,
  description: true,
  parameters: true,
  strict: true,
  format: { type: true, syntax: true, definition: true },
  environment: { type: true },
} as const

/**
 * The members of a Responses request that the gateway reads, or counts, or changes. What a vendor reads in
 * their place must be the same: no second spelling of them is taken (`requireOneReading`). A schema of a
 * tool, what it is called with, and what else is the caller's own, is not looked into.
 */
export const responsesNames = new Names({
  model: true,
  models: true,
  input: {
    type: true,
    role: true,
    id: true,
    content: part,
    output: part,
    summary: { type: true, text: true },
    encrypted_content: true,
    call_id: true,
    name: true,
    namespace: true,
    arguments: true,
    input: true,
    execution: true,
    tools: { ...tool, tools: tool },
  },
  instructions: true,
  metadata: { tags: true, retry_of: true },
  stream: true,
  stream_options: true,
  max_output_tokens: true,
  temperature: true,
  top_p: true,
  top_logprobs: true,
  tools: { ...tool, tools: tool },
  tool_choice: { type: true, name: true, namespace: true, mode: true, tools: { type: true, name: true } },
  parallel_tool_calls: true,
  text: {
    format: { type: true, name: true, schema: true, strict: true, description: true },
    verbosity: true,
  },
  reasoning: { effort: true, summary: true, generate_summary: true, context: true },
  include: true,
  truncation: true,
  user: true,
  safety_identifier: true,
  prompt_cache_key: true,
  prompt_cache_retention: true,
  client_metadata: true,
  store: true,
  background: true,
  previous_response_id: true,
  conversation: true,
  prompt: true,
  max_tool_calls: true,
  context_management: true,
})
