import type { ContentBlock, Message } from '@turnpike/protocol'

type DocumentBlock = Extract<ContentBlock, { kind: 'document' }>
type TextDocument = DocumentBlock & { source: { type: 'base64'; data: string; format: string } }

/** A document that is only text, which a model without document support can read as well. */
export function isTextDocument(block: ContentBlock): block is TextDocument {
  if (block.kind !== 'document') return false
  const { source } = block
  return source.type === 'base64' && source.format.startsWith('text/')
}

/** Writes such documents as marked text. Returns the same messages if there are none. */
export function withDocumentsAsText(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ content }) => content.some(isTextDocument))) return messages
  return messages.map((message) => ({ ...message, content: message.content.map(asText) }))
}

function asText(block: ContentBlock): ContentBlock {
  if (!isTextDocument(block)) return block
  const { source, filename, cache } = block
  const text = Buffer.from(source.data, 'base64').toString('utf8')
  const title = filename === undefined ? '' : ` title=${JSON.stringify(filename)}`
  const replacement = { kind: 'text' as const, text: `<document${title}>\n${text}\n</document>` }
  return cache === undefined ? replacement : { ...replacement, cache }
}
