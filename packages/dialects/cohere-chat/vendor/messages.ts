import { invalidRequest, type ContentBlock, type Message, type ReasoningBlock } from '@turnpike/protocol'
import { withoutThought } from '../../requests/thoughts-in-ids.ts'
import type { Target } from '../../vendor.ts'

type Body = Record<string, unknown>
type ToolCall = Extract<ContentBlock, { kind: 'tool-call' }>

/**
 * The conversation as Cohere accepts it (https://docs.cohere.com/docs/chat-api).
 * @throws {GatewayError} 400 that names what has no equivalent
 */
export function formatMessages(messages: readonly Message[], target: Target): Body[] {
  return messages.flatMap((message, index) => {
    const { content } = message
    switch (message.role) {
      case 'system':
      case 'developer':
        return [{ role: 'system', content: textOf(content, `messages[${index}]`) }]
      case 'user':
        return [{ role: 'user', content: formatContent(content, `messages[${index}]`) }]
      case 'tool':
        return [
          {
            role: 'tool',
            tool_call_id: withoutThought(message.toolCallId),
            content: formatContent(content, `messages[${index}]`),
          },
        ]
      case 'assistant':
        return formatAssistant(content, target, `messages[${index}]`)
    }
  })
}

function textOf(blocks: readonly ContentBlock[], path: string): string {
  const texts = blocks.map((block, index) => {
    if (block.kind === 'text' || block.kind === 'refusal') return block.text
    const part = `${path}.content[${index}]`
    throw invalidRequest(part, `${part}: expected text, since instructions are text only.`)
  })
  return texts.join('\n')
}

/** A single text stays a string, as most clients would write it. */
function formatContent(blocks: readonly ContentBlock[], path: string): unknown {
  const [only] = blocks
  if (blocks.length === 0) return ''
  if (blocks.length === 1 && (only?.kind === 'text' || only?.kind === 'refusal')) return only.text
  return blocks.map((block, index) => formatBlock(block, `${path}.content[${index}]`))
}

function formatBlock(block: ContentBlock, path: string): unknown {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: block.text }
    case 'image': {
      const { source, detail } = block
      if (source.type === 'file') throw unreadable(path)
      const url = source.type === 'url' ? source.url : `data:${source.format};base64,${source.data}`
      return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } }
    }
    case 'raw':
      return block.value
    case 'audio':
    case 'document':
    case 'reasoning':
    case 'tool-call':
      throw unreadable(path)
  }
}

function unreadable(path: string): Error {
  return invalidRequest(path, `${path}: this vendor accepts text and images here.`)
}

/**
 * Writes an assistant's message; nothing if it is empty. Thinking goes back to a model that thinks. For a
 * model that makes a plan before it calls tools, it is that plan.
 */
function formatAssistant(blocks: readonly ContentBlock[], { traits }: Target, path: string): Body[] {
  const { thinks } = traits.cohere
  const content: unknown[] = []
  const calls: object[] = []
  let plan = ''
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'tool-call') calls.push(formatCall(block))
    else if (block.kind !== 'reasoning') {
      if (block.kind !== 'text' || block.text !== '')
        content.push(formatBlock(block, `${path}.content[${index}]`))
    } else if (isOwnReasoning(block)) {
      if (thinks) content.push({ type: 'thinking', thinking: block.text })
      else plan += block.text
    }
  }
  if (content.length === 0 && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      ...(content.length > 0 && { content: plainText(content) ?? content }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(calls.length > 0 && plan !== '' && { tool_plan: plan }),
    },
  ]
}

function plainText(content: readonly unknown[]): string | undefined {
  const only = content[0] as { type?: unknown; text?: string }
  return content.length === 1 && only.type === 'text' ? only.text : undefined
}

/** Reasoning that another vendor signed or encrypted is of no use to Cohere. */
function isOwnReasoning({ format, encrypted, text }: ReasoningBlock): boolean {
  return format === undefined && encrypted === undefined && text !== ''
}

function formatCall({ id, name, arguments: text }: ToolCall): object {
  return { id: withoutThought(id), type: 'function', function: { name, arguments: text.trim() || '{}' } }
}
