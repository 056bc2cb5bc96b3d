import type { ContentBlock, Message } from '@turnpike/protocol'
import type { GenerateCall } from '../../call.ts'
import { isForeignProof } from '../../answers/reasoning-proof.ts'
import { thoughtMark, withoutThought } from '../../requests/thoughts-in-ids.ts'
import { reasoningFormat } from '../reasoning-format.ts'

interface InputBlock {
  type?: unknown
  id?: unknown
  tool_use_id?: unknown
  signature?: unknown
  data?: unknown
}

interface InputMessage {
  content?: unknown
}

/**
 * Whether the conversation was at another vendor before, whose thoughts Anthropic refuses: reasoning without
 * a signature, or call ids that contain a thought.
 */
export function holdsForeign({ request: { messages }, tellsReasoning }: GenerateCall): boolean {
  for (const message of messages) {
    if (message.role === 'tool' && message.toolCallId.includes(thoughtMark)) return true
    if (message.role === 'assistant' && tellsForeignBlock(message, tellsReasoning)) return true
  }
  return false
}

function tellsForeignBlock({ content }: Message, tellsReasoning: boolean): boolean {
  for (const block of content) {
    if (block.kind === 'tool-call' && block.id.includes(thoughtMark)) return true
    if (tellsReasoning && isUnsigned(block)) return true
  }
  return false
}

function isUnsigned(block: ContentBlock): boolean {
  return block.kind === 'reasoning' && block.format !== reasoningFormat
}

/**
 * The messages as Anthropic accepts them: without thinking that it did not sign, and without the thoughts in
 * call ids.
 * @param messages the array's JSON as the caller wrote it
 * @param withoutProofs also leaves out thinking that it did sign
 */
export function ownMessages(messages: Buffer, withoutProofs: boolean): string {
  const parsed = JSON.parse(messages.toString('utf8')) as InputMessage[]
  return JSON.stringify(parsed.filter((message) => keepsSomething(message, withoutProofs)))
}

/** Changes the message. False if it had only such thinking and is left out: turns need not alternate. */
function keepsSomething(message: InputMessage, withoutProofs: boolean): boolean {
  if (!Array.isArray(message.content)) return true
  const blocks = message.content as InputBlock[]
  const own = blocks.filter((block) => (withoutProofs ? !isThought(block) : isSigned(block)))
  for (const block of own) shortenIds(block)
  message.content = own
  return own.length > 0 || blocks.length === 0
}

function isThought({ type }: InputBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function isSigned({ type, signature, data }: InputBlock): boolean {
  if (type === 'redacted_thinking') return typeof data !== 'string' || !isForeignProof(data)
  return (
    type !== 'thinking' || (typeof signature === 'string' && signature !== '' && !isForeignProof(signature))
  )
}

function shortenIds(block: InputBlock): void {
  if (block.type === 'tool_use' && typeof block.id === 'string') block.id = withoutThought(block.id)
  if (block.type === 'tool_result' && typeof block.tool_use_id === 'string')
    block.tool_use_id = withoutThought(block.tool_use_id)
}
