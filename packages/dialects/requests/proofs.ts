import type { ContentBlock, Message, ModelRequest } from '@turnpike/protocol'
import { thoughtMark, withoutThought } from './thoughts-in-ids.ts'

/*
 * Proofs of reasoning (encrypted text, signatures) are valid for the organization that made them and, at some
 * vendors, for the model. Another key's proofs are rejected.
 */

/** Paths of messages that hold a proof, whichever vendor made it. */
export function provenAt({ messages }: Pick<ModelRequest, 'messages'>): string[] {
  const paths: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue
    if (content.some(isProvenThought)) paths.push(`messages[${index}].reasoning_details`)
    else if (content.some(isSignedCall)) paths.push(`messages[${index}].tool_calls`)
  }
  return paths
}

export function holdsProof({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' && content.some((block) => isProvenThought(block) || isSignedCall(block)),
  )
}

/** Removes the proofs. The text of the reasoning stays, since any vendor can read it. */
export function withoutProofs(request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.map(unproven) }
}

function unproven(message: Message): Message {
  if (message.role === 'tool') return { ...message, toolCallId: withoutThought(message.toolCallId) }
  if (message.role !== 'assistant') return message
  return { ...message, content: message.content.map(unprovenBlock) }
}

function unprovenBlock(block: ContentBlock): ContentBlock {
  if (isProvenThought(block)) return { kind: 'reasoning', text: block.text }
  return isSignedCall(block) ? { ...block, id: withoutThought(block.id) } : block
}

function isProvenThought(block: ContentBlock): block is Extract<ContentBlock, { kind: 'reasoning' }> {
  return block.kind === 'reasoning' && (block.encrypted ?? block.signature) !== undefined
}

function isSignedCall(block: ContentBlock): block is Extract<ContentBlock, { kind: 'tool-call' }> {
  return block.kind === 'tool-call' && block.id.includes(thoughtMark)
}
