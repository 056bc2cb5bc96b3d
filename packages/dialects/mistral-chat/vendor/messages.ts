import type { ContentBlock, Message } from '@turnpike/protocol'
import { formatToolCall, type ToolCallBlock } from '../../openai-chat/vendor/body.ts'
import { formatChunk, formatChunks } from './content-chunk.ts'
import { mistralToolCallId } from './tool-call-id.ts'

type Body = Record<string, unknown>

/**
 * The conversation in the order that Mistral accepts (https://github.com/mistralai/mistral-common,
 * `MistralRequestValidator`): system messages only first or after the user's, no user's message directly
 * after a tool's, and as the last one the user's, a tool's or a prefix.
 */
export function formatMessages(messages: readonly Message[]): Body[] {
  const system: Body[] = []
  const others: Body[] = []
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer')
      system.push({ role: 'system', content: formatChunks(message.content) })
    else if (message.role === 'assistant') others.push(...formatAssistant(message.content))
    else if (message.role === 'tool') others.push(formatToolResult(message))
    else {
      // "Unexpected role 'user' after role 'tool'": Mistral's own clients also send a message in between.
      if (others.at(-1)?.['role'] === 'tool') others.push({ role: 'assistant', content: 'OK' })
      others.push({ role: 'user', content: formatChunks(message.content) })
    }
  }
  const last = others.at(-1)
  if (last?.['role'] === 'assistant' && last['tool_calls'] === undefined) last['prefix'] = true
  return [...system, ...others]
}

/** Writes an assistant's message; nothing if it is empty, since Mistral refuses that. */
function formatAssistant(blocks: readonly ContentBlock[]): Body[] {
  const calls: object[] = []
  const content: ContentBlock[] = []
  for (const block of blocks) {
    if (block.kind === 'tool-call') calls.push(formatCall(block))
    else if (block.kind !== 'reasoning') content.push(block)
    else if (isOwnReasoning(block)) content.push(block)
  }
  const [first] = content
  const silent = content.length === 0 || (content.length === 1 && first?.kind === 'text' && first.text === '')
  if (silent) return calls.length === 0 ? [] : [{ role: 'assistant', content: '', tool_calls: calls }]
  const text = content.some(({ kind }) => kind === 'reasoning')
    ? content.map(formatChunk)
    : formatChunks(content)
  return [{ role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }]
}

/** Reasoning that another vendor signed or encrypted is of no use to Mistral. */
function isOwnReasoning(block: Extract<ContentBlock, { kind: 'reasoning' }>): boolean {
  return block.format === undefined && block.encrypted === undefined && block.text !== ''
}

function formatCall(call: ToolCallBlock): object {
  return formatToolCall({ ...call, id: mistralToolCallId(call.id), arguments: call.arguments.trim() || '{}' })
}

const validName = /^[a-zA-Z0-9_-]{1,64}$/

function formatToolResult({ content, toolCallId, name }: Extract<Message, { role: 'tool' }>): Body {
  return {
    role: 'tool',
    tool_call_id: mistralToolCallId(toolCallId),
    content: formatChunks(content),
    ...(name !== undefined && validName.test(name) ? { name } : {}),
  }
}
