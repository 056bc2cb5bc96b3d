import type { ContentBlock, Message } from '@turnpike/protocol'
import { formatContent, formatToolCall } from '../../openai-chat/vendor/body.ts'
import { withoutThought } from '../../requests/thoughts-in-ids.ts'
import { withoutUndefined } from '../../json/object.ts'

type Body = Record<string, unknown>

/** Which earlier reasoning the vendor expects back. `all`: of every assistant message, even if empty. */
export type ReasoningBack = 'none' | 'given' | 'all'

export function formatMessages(messages: readonly Message[], reasoningBack: ReasoningBack): Body[] {
  return messages.map((message) => formatMessage(message, reasoningBack))
}

function formatMessage(message: Message, reasoningBack: ReasoningBack): Body {
  const { name } = message
  switch (message.role) {
    case 'system':
    case 'developer':
      return withoutUndefined({ role: 'system', content: textOrParts(message.content), name })
    case 'user':
      return withoutUndefined({ role: 'user', content: textOrParts(message.content), name })
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: withoutThought(message.toolCallId),
        content: textOrParts(message.content),
      }
    case 'assistant':
      return withoutUndefined({ ...formatAssistant(message.content, reasoningBack), name })
  }
}

function formatAssistant(blocks: readonly ContentBlock[], reasoningBack: ReasoningBack): Body {
  const calls: object[] = []
  const content: ContentBlock[] = []
  let reasoning: string | undefined
  for (const block of blocks) {
    if (block.kind === 'tool-call') calls.push(formatToolCall({ ...block, id: withoutThought(block.id) }))
    else if (block.kind !== 'reasoning') content.push(block)
    else if (isOwnReasoning(block)) reasoning = (reasoning ?? '') + block.text
  }
  return withoutUndefined({
    role: 'assistant',
    content: content.length === 0 && calls.length > 0 ? null : textOrParts(content),
    reasoning_content: reasoningBack === 'none' ? undefined : (reasoning ?? empty[reasoningBack]),
    tool_calls: calls.length === 0 ? undefined : calls,
  })
}

/** For a turn without thinking, or another vendor's: an empty text is accepted, a missing one is a 400. */
const empty = { given: undefined, all: '' }

/** Only plain text: signed or encrypted reasoning is another vendor's. */
function isOwnReasoning(block: Extract<ContentBlock, { kind: 'reasoning' }>): boolean {
  const own = block.format === undefined || block.format === 'deepseek-v1'
  return own && block.encrypted === undefined
}

/** Text is sent as one string, which every model accepts; with an image, it is sent in parts. */
function textOrParts(blocks: readonly ContentBlock[]): unknown {
  const texts: string[] = []
  for (const block of blocks) {
    if (block.kind !== 'text' && block.kind !== 'refusal') return formatContent(blocks.map(plain))
    texts.push(block.text)
  }
  return texts.join('\n')
}

/** Removes what the vendor does not have: cache marks, and refusals as a separate type. */
function plain(block: ContentBlock): ContentBlock {
  if (block.kind === 'text' || block.kind === 'refusal') return { kind: 'text', text: block.text }
  if (!('cache' in block)) return block
  const { cache: _hint, ...rest } = block
  return rest
}
