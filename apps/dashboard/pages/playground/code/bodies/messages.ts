import type { Turn } from '../../conversation/turn.ts'
import type { CodeRequest, Format } from '../code-request.ts'
import {
  argumentsOf,
  base64Of,
  metadataOf,
  textOf,
  withoutUndefined,
  unlessEmpty,
  type Body,
  type Json,
} from './body.ts'

/** Messages requires a limit. */
export const usualMaxTokens = 4_096

/** The request in the format of Messages, which has no seed. */
export function messagesBody({ model, system, turns, tags, maxTokens, effort, ...more }: CodeRequest): Body {
  return withoutUndefined({
    model,
    max_tokens: maxTokens ?? usualMaxTokens,
    system: system === '' ? undefined : system,
    messages: messagesOf(turns),
    temperature: more.temperature,
    top_p: more.topP,
    stop_sequences: more.stop && [...more.stop],
    thinking: effort === 'none' ? { type: 'disabled' } : undefined,
    output_config: unlessEmpty(
      withoutUndefined({ effort: effort === 'none' ? undefined : effort, format: formatOf(more.format) }),
    ),
    tools: more.tools?.map(({ name, description, parameters }) =>
      withoutUndefined({ name, description, input_schema: parameters }),
    ),
    tool_choice: toolChoiceOf(more.toolChoice),
    service_tier: more.serviceTier,
    metadata: metadataOf(tags),
  })
}

/** Why Messages cannot express a request; undefined if it can. */
export function misfitOfMessages({ format }: CodeRequest): string | undefined {
  return format?.kind === 'json'
    ? 'The Messages API only supports JSON with a schema. Choose “JSON with schema”.'
    : undefined
}

/** Tool results have the role `user` here; all results of one answer are in one message. */
function messagesOf(turns: readonly Turn[]): Body[] {
  const messages: { role: string; content: Json }[] = []
  for (const turn of turns) {
    const last = messages.at(-1)
    if (turn.role !== 'tool') messages.push({ role: turn.role, content: contentOf(turn) })
    else {
      const result = { type: 'tool_result', tool_use_id: turn.callId, content: turn.text }
      if (last?.role === 'user' && Array.isArray(last.content)) last.content.push(result)
      else messages.push({ role: 'user', content: [result] })
    }
  }
  return messages
}

function contentOf(turn: Exclude<Turn, { role: 'tool' }>): Json {
  const { text } = turn
  const others = turn.role === 'user' ? attachmentsOf(turn) : toolUsesOf(turn)
  if (others.length === 0) return text
  const texts = text === '' ? [] : [{ type: 'text', text }]
  return turn.role === 'user' ? [...others, ...texts] : [...texts, ...others]
}

function attachmentsOf({ attachments = [] }: Turn & { role: 'user' }): Json[] {
  return attachments.map((one) => {
    if (one.kind === 'text') return { type: 'text', text: textOf(one) }
    const source = { type: 'base64', media_type: one.mimeType, data: base64Of(one) }
    return one.kind === 'image' ? { type: 'image', source } : { type: 'document', source, title: one.name }
  })
}

function toolUsesOf({ toolCalls = [] }: Turn & { role: 'assistant' }): Json[] {
  return toolCalls.map(({ id, name, arguments: text }) => ({
    type: 'tool_use',
    id,
    name,
    input: argumentsOf(text),
  }))
}

function formatOf(format: Format | undefined): Json | undefined {
  return format?.kind === 'schema' ? { type: 'json_schema', schema: format.schema } : undefined
}

function toolChoiceOf(choice: CodeRequest['toolChoice']): Json | undefined {
  if (choice === undefined) return undefined
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : 'none' }
}
