import type { Turn } from '../../conversation/turn.ts'
import type { CodeRequest, Format } from '../code-request.ts'
import { metadataOf, textOf, withoutUndefined, type Body, type Json } from './body.ts'

/** The request in the format of chat completions. */
export function chatBody({ model, system, turns, tags, maxTokens, effort, ...more }: CodeRequest): Body {
  const messages = turns.map(messageOf)
  return withoutUndefined({
    model,
    messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages],
    max_completion_tokens: maxTokens,
    reasoning_effort: effort,
    temperature: more.temperature,
    top_p: more.topP,
    stop: more.stop && [...more.stop],
    seed: more.seed,
    response_format: formatOf(more.format),
    tools: more.tools?.map(({ name, description, parameters }) => ({
      type: 'function',
      function: withoutUndefined({ name, description, parameters }),
    })),
    tool_choice: toolChoiceOf(more.toolChoice),
    service_tier: more.serviceTier,
    metadata: metadataOf(tags),
  })
}

function messageOf(turn: Turn): Body {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.callId, content: turn.text }
  if (turn.role === 'user') return { role: 'user', content: contentOf(turn) }
  const { text, toolCalls = [], reasoningDetails = [] } = turn
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  return withoutUndefined({
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    reasoning_details: reasoningDetails.length === 0 ? undefined : ([...reasoningDetails] as Json[]),
    tool_calls: calls.length === 0 ? undefined : calls,
  })
}

function contentOf({ text, attachments = [] }: Turn & { role: 'user' }): Json {
  if (attachments.length === 0) return text
  const parts = attachments.map((one): Json => {
    if (one.kind === 'image') return { type: 'image_url', image_url: { url: one.data } }
    if (one.kind === 'text') return { type: 'text', text: textOf(one) }
    return { type: 'file', file: { filename: one.name, file_data: one.data } }
  })
  return text === '' ? parts : [...parts, { type: 'text', text }]
}

function formatOf(format: Format | undefined): Json | undefined {
  if (format === undefined) return undefined
  if (format.kind === 'json') return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } }
}

function toolChoiceOf(choice: CodeRequest['toolChoice']): Json | undefined {
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice
}
