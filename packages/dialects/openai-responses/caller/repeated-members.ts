import { isWebSearch } from '../../requests/fields/requested-fields.ts'
import type { Keeping } from '../../kept-answers.ts'
import type { ResponsesRequest } from './request-schema.ts'

/** Members that an answer has only if its request had them. */
const optional = ['user', 'safety_identifier', 'prompt_cache_key', 'max_tool_calls'] as const

const effortless = { effort: null, summary: null }
const plainText = { format: { type: 'text' } }

/**
 * What an answer repeats from its request, with defaults for what the request left out
 * (https://platform.openai.com/docs/api-reference/responses/object).
 */
export function repeatedMembers(body: ResponsesRequest, keeping?: Keeping): Record<string, unknown> {
  const { reasoning, text, metadata } = body
  const repeated: Record<string, unknown> = {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: keeping?.previousId ?? null,
    reasoning: { ...effortless, ...reasoning },
    // `keepResponse` changes it if the answer is kept.
    store: false,
    temperature: body.temperature ?? null,
    text: { ...plainText, ...text },
    tool_choice: body.tool_choice ?? 'auto',
    // Tools that were left out do not appear.
    tools: (body.tools ?? []).filter((tool) => !isWebSearch(tool)),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? null,
    truncation: 'disabled',
    metadata: metadata ?? {},
  }
  for (const name of optional) {
    const value = body[name]
    if (value !== undefined && value !== null) repeated[name] = value
  }
  return repeated
}
