import { hash } from 'node:crypto'
import type { ContentBlock, MediaSource, Message, ModelRequest } from '@turnpike/protocol'

/** How much of a system prompt is hashed: what changes each turn, such as the time, is usually at its end. */
const systemCharacters = 4_000

/** How many characters of the beginning, middle and end of a longer message are hashed. */
const sampleCharacters = 1_000

/** How many parts of a message are hashed. */
const maxBlocks = 20

/**
 * Identifies a conversation by its owner and its beginning: the key, the caller's end user, the system prompt
 * and the first user message, which every later request repeats. A hash, so none of the text is kept.
 */
export function conversationId(keyId: string, { messages, user }: ModelRequest): string {
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  const first = messages.find(({ role }) => role === 'user')
  const parts = [keyId, user ?? null, systemOf(system), askOf(first)]
  return hash('sha256', JSON.stringify(parts), 'base64')
}

/** Whether there is an answer among the messages. Without one, this continues no conversation. */
export function hasBegun({ messages }: ModelRequest): boolean {
  return messages.some(({ role }) => role === 'assistant')
}

function systemOf(message: Message | undefined): string {
  let text = ''
  for (const block of message?.content ?? []) {
    if ('text' in block) text += block.text.slice(0, systemCharacters)
    if (text.length >= systemCharacters) break
  }
  return text.slice(0, systemCharacters)
}

function askOf(message: Message | undefined): string[] {
  return message === undefined ? [] : message.content.slice(0, maxBlocks).map(sampleOf)
}

function sampleOf(block: ContentBlock): string {
  if ('text' in block) return sampleText(block.text)
  if ('source' in block) return `${block.kind} ${sampleText(addressOf(block.source))}`
  return block.kind
}

/** Images of one format begin alike, so the middle and end are hashed too. */
function sampleText(text: string): string {
  const { length } = text
  if (length <= 3 * sampleCharacters) return text
  const middle = (length - sampleCharacters) >> 1
  return [
    length,
    text.slice(0, sampleCharacters),
    text.slice(middle, middle + sampleCharacters),
    text.slice(-sampleCharacters),
  ].join(' ')
}

function addressOf(source: MediaSource): string {
  if (source.type === 'base64') return source.data
  return source.type === 'url' ? source.url : source.fileId
}
