import { hash } from 'node:crypto'
import type { ContentBlock, MediaSource, Message, ModelRequest } from '@turnpike/protocol'

/** Of a system prompt no more is looked at: what changes with each turn, as the time, stands at its end. */
const systemCharacters = 4_000

/** Of a longer ask its beginning, middle and end are looked at, so many characters of each. */
const sampleCharacters = 1_000

/** Of a message with more parts the first ones are looked at. */
const maxBlocks = 20

/**
 * Tells a conversation by who has it and how it began: its key, the caller's end user, the system prompt and
 * the first user message, which every later request of it repeats. A hash, so that nothing of it is kept.
 */
export function conversationId(keyId: string, { messages, user }: ModelRequest): string {
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  const first = messages.find(({ role }) => role === 'user')
  const parts = [keyId, user ?? null, systemOf(system), askOf(first)]
  return hash('sha256', JSON.stringify(parts), 'base64')
}

/** Whether an answer was given before: else nothing goes on, though another one may have begun alike. */
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

/** Pictures of one format begin alike: what tells them apart stands further in. */
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
