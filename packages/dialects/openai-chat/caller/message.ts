import type { ContentBlock, Message, ReasoningBlock } from '@turnpike/protocol'
import { parseContentPart, type ContentPart } from '../content-part.ts'
import { parseReasoningDetails } from '../reasoning-details.ts'
import type { ChatMessage } from './request-schema.ts'

/**
 * Parses a message of a request.
 * @throws {GatewayError} 400 that names the wrong field
 */
export function parseMessage(message: ChatMessage, index: number): Message {
  const path = `messages[${index}]`
  const content = parseContent(message.content, path)
  const parsed = messageOf(message, content, path)
  if (typeof message.name === 'string') parsed.name = message.name
  return parsed
}

function messageOf(message: ChatMessage, content: ContentBlock[], path: string): Message {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role: message.role, content }
    case 'tool':
    case 'function': {
      // A result of the deprecated functions names its function; a tool's result names its call.
      const result: Message = { role: 'tool', content, toolCallId: message.tool_call_id ?? '' }
      if (message.is_error === true) result.failed = true
      return result
    }
    case 'assistant':
      return {
        role: 'assistant',
        content: [...reasoningOf(message, path), ...refusalOf(message), ...content, ...toolCallsOf(message)],
      }
  }
}

function parseContent(content: ChatMessage['content'], path: string): ContentBlock[] {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return content.map((part, index) => parseContentPart(part as ContentPart, `${path}.content[${index}]`))
}

/** Details repeat the text, with its proof. The plain text is then not used a second time. */
function reasoningOf(message: ChatMessage, path: string): ReasoningBlock[] {
  const details = parseReasoningDetails(message.reasoning_details ?? [], `${path}.reasoning_details`)
  const text = message.reasoning_content ?? message.reasoning ?? ''
  if (text === '' || details.some((detail) => detail.text !== '')) return details
  return [{ kind: 'reasoning', text }, ...details]
}

function refusalOf({ refusal }: ChatMessage): ContentBlock[] {
  return typeof refusal === 'string' ? [{ kind: 'refusal', text: refusal }] : []
}

function toolCallsOf(message: ChatMessage): ContentBlock[] {
  const blocks: ContentBlock[] = []
  for (const call of message.tool_calls ?? []) {
    const custom = (call as { custom?: { name?: unknown; input?: unknown } }).custom
    if (call.function !== undefined) {
      const { name, arguments: text } = call.function
      blocks.push({ kind: 'tool-call', id: call.id ?? '', name, arguments: text ?? '', variant: 'function' })
    } else if (typeof custom?.name === 'string' && typeof custom.input === 'string') {
      blocks.push({
        kind: 'tool-call',
        id: call.id ?? '',
        name: custom.name,
        arguments: custom.input,
        variant: 'custom',
      })
    } else {
      blocks.push({ kind: 'raw', value: call })
    }
  }
  const legacy = (message as { function_call?: { name?: unknown; arguments?: unknown } | null }).function_call
  if (typeof legacy?.name === 'string' && typeof legacy.arguments === 'string') {
    blocks.push({
      kind: 'tool-call',
      id: '',
      name: legacy.name,
      arguments: legacy.arguments,
      variant: 'legacy-function',
    })
  }
  return blocks
}
