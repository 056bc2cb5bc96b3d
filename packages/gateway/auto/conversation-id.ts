import { hash } from 'node:crypto'
import type { Message, ModelRequest } from '@turnpike/protocol'

/** Enough of a text to tell conversations apart. */
const maxCharacters = 4_000

/**
 * Tells a conversation by who has it and how it began: its key, the system prompt and the first user message,
 * which every later request of it repeats. A hash, so that nothing of it is kept.
 */
export function conversationId(keyId: string, { messages }: ModelRequest): string {
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  const first = messages.find(({ role }) => role === 'user')
  return hash('sha256', JSON.stringify([keyId, beginningOf(system), beginningOf(first)]), 'base64')
}

function beginningOf(message: Message | undefined): string {
  if (message === undefined) return ''
  let text = ''
  for (const block of message.content) {
    text += 'text' in block ? block.text.slice(0, maxCharacters) : `[${block.kind}]`
    if (text.length >= maxCharacters) break
  }
  return text.slice(0, maxCharacters)
}
