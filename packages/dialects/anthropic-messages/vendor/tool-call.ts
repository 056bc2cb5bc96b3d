import { createHash } from 'node:crypto'
import { invalidRequest, type ContentBlock, type Message } from '@turnpike/protocol'
import { toolArguments } from '../../requests/tool-arguments.ts'
import { missingResultText, type ToolCall, type ToolResult } from '../../requests/turns.ts'
import { cacheControl, formatContent, type Block } from './content.ts'

type CallBlock = Extract<ContentBlock, { kind: 'tool-call' }>
type ToolMessage = Extract<Message, { role: 'tool' }>

/** A call from an earlier turn of the model. `path` is the caller's: `messages[1].tool_calls[0]`. */
export function formatToolCall(call: CallBlock, path: string): ToolCall {
  const id = vendorId(call.id, `${path}.id`)
  const input = toolArguments(call.arguments, `${path}.function.arguments`)
  return { blocks: [{ type: 'tool_use', id, name: call.name, input, ...cacheControl(call.cache) }], id }
}

/** A tool's result; `path` is the message's. A cache mark within it applies to the whole result. */
export function formatToolResult(message: ToolMessage, path: string): ToolResult {
  const at = `${path}.tool_call_id`
  const id = vendorId(message.toolCallId, at)
  const content: Block[] = []
  let marked: Block = {}
  for (const [index, part] of message.content.entries()) {
    const block = formatContent(part, `${path}.content[${index}]`)
    if (block === undefined) continue
    const { cache_control: mark, ...unmarked } = block
    if (mark !== undefined) marked = { cache_control: mark }
    content.push(unmarked)
  }
  const block: Block = {
    type: 'tool_result',
    tool_use_id: id,
    ...(content.length === 0 ? {} : { content: plainText(content) ?? content }),
    ...(message.failed === true ? { is_error: true } : {}),
    ...marked,
  }
  return { blocks: [block], id, path: at }
}

/**
 * Replaces a result that the caller did not send. Anthropic refuses a turn of calls without a result for each
 * in the next turn ("`tool_use` ids were found without `tool_result` blocks"), so a conversation that broke
 * off there could never continue. It is marked as an error, which is the truth.
 */
export function missingResult(id: string): Block {
  return { type: 'tool_result', tool_use_id: id, content: missingResultText, is_error: true }
}

/** The text of a content that consists of one text only. */
export function plainText(content: readonly Block[]): string | undefined {
  const [only] = content
  if (content.length !== 1 || only?.['type'] !== 'text' || 'cache_control' in only) return undefined
  return only['text'] as string
}

/** Replaces an id with characters that Anthropic refuses. The replacement is always the same for it. */
function vendorId(id: string, path: string): string {
  if (id === '') throw invalidRequest(path, `${path} is required: expected the id of the tool call.`)
  if (/^[a-zA-Z0-9_-]{1,128}$/.test(id)) return id
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
