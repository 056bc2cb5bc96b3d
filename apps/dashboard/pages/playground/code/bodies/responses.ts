import type { Turn } from '../../conversation/turn.ts'
import type { CodeRequest, Format } from '../code-request.ts'
import { metadataOf, textOf, withoutUndefined, type Body, type Json } from './body.ts'

/** The request in the format of Responses, which has neither a seed nor stop sequences. */
export function responsesBody({ model, system, turns, tags, maxTokens, effort, ...more }: CodeRequest): Body {
  const [first] = turns
  const isText = turns.length === 1 && first?.role === 'user' && !hasAttachments(first)
  const format = formatOf(more.format)
  return withoutUndefined({
    model,
    instructions: system === '' ? undefined : system,
    input: isText ? first.text : turns.flatMap(itemsOf),
    max_output_tokens: maxTokens,
    reasoning: effort === undefined ? undefined : { effort },
    temperature: more.temperature,
    top_p: more.topP,
    text: format === undefined ? undefined : { format },
    tools: more.tools?.map(({ name, description, parameters }) =>
      withoutUndefined({ type: 'function', name, description, parameters, strict: false }),
    ),
    tool_choice: toolChoiceOf(more.toolChoice),
    service_tier: more.serviceTier,
    store: false,
    metadata: metadataOf(tags),
  })
}

function hasAttachments({ attachments = [] }: Turn & { role: 'user' }): boolean {
  return attachments.length > 0
}

function itemsOf(turn: Turn): Json[] {
  if (turn.role === 'tool') return [{ type: 'function_call_output', call_id: turn.callId, output: turn.text }]
  if (turn.role === 'user') return [{ role: 'user', content: contentOf(turn) }]
  const { text, toolCalls = [] } = turn
  const messages = text === '' ? [] : [{ role: 'assistant', content: text }]
  const calls = toolCalls.map((call) => ({
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  }))
  return [...messages, ...calls]
}

function contentOf({ text, attachments = [] }: Turn & { role: 'user' }): Json {
  if (attachments.length === 0) return text
  const parts = attachments.map((one): Json => {
    if (one.kind === 'image') return { type: 'input_image', image_url: one.data, detail: 'auto' }
    if (one.kind === 'text') return { type: 'input_text', text: textOf(one) }
    return { type: 'input_file', filename: one.name, file_data: one.data }
  })
  return text === '' ? parts : [...parts, { type: 'input_text', text }]
}

function formatOf(format: Format | undefined): Json | undefined {
  if (format === undefined) return undefined
  if (format.kind === 'json') return { type: 'json_object' }
  return { type: 'json_schema', name: format.name, schema: format.schema }
}

function toolChoiceOf(choice: CodeRequest['toolChoice']): Json | undefined {
  return typeof choice === 'object' ? { type: 'function', name: choice.name } : choice
}
