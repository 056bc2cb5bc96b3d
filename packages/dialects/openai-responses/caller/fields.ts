import { leaves, Names } from '../../json/names.ts'

const part = {
  ...leaves('type', 'text', 'refusal', 'image_url', 'file_id', 'file_url', 'file_data', 'filename'),
  ...leaves('detail'),
  input_audio: { data: true, format: true },
} as const

const tool = {
  ...leaves('type', 'execution', 'name', 'description', 'parameters', 'strict'),
  format: { type: true, syntax: true, definition: true },
  environment: { type: true },
} as const

/**
 * The members of a Responses request that the gateway reads, counts or changes. The vendor must read the same
 * values, so no second spelling of them is accepted (`requireOneReading`). Tool schemas, tool inputs and
 * other data of the caller's own are not checked.
 */
export const responsesNames = new Names({
  model: true,
  models: true,
  input: {
    ...leaves('type', 'role', 'id'),
    content: part,
    output: part,
    summary: { type: true, text: true },
    ...leaves('encrypted_content', 'call_id', 'name', 'namespace', 'arguments', 'input', 'execution'),
    tools: { ...tool, tools: tool },
  },
  instructions: true,
  metadata: { tags: true, retry_of: true },
  ...leaves('stream', 'stream_options', 'max_output_tokens', 'temperature', 'top_p', 'top_logprobs'),
  tools: { ...tool, tools: tool },
  tool_choice: { type: true, name: true, namespace: true, mode: true, tools: { type: true, name: true } },
  parallel_tool_calls: true,
  text: {
    format: { type: true, name: true, schema: true, strict: true, description: true },
    verbosity: true,
  },
  reasoning: { effort: true, summary: true, generate_summary: true, context: true },
  ...leaves('include', 'truncation', 'user', 'safety_identifier', 'prompt_cache_key'),
  ...leaves('prompt_cache_retention', 'client_metadata', 'store', 'background', 'previous_response_id'),
  ...leaves('conversation', 'prompt', 'max_tool_calls', 'context_management'),
})
