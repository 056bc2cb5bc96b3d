import type { ContentBlock, Message } from '@turnpike/protocol'

type DocumentBlock = Extract<ContentBlock, { kind: 'document' }>
type TextDocument = DocumentBlock & { source: { type: 'base64'; data: string; format: string } }

/** A document that is a text and nothing more: a model without documents can read it all the same. */
export function isTextDocument(block: ContentBlock): block is TextDocument {
  if (block.kind !== 'document') return false
  const { source } = block
  return source.type === 'base64' && source.format.startsWith('text/')
}

/** The messages with such documents as texts, marked as what they are; the same ones where there are none. */
export function withDocumentsAsText(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ content }) => content.some(isTextDocument))) return messages
  return messages.map((message) => ({ ...message, content: message.content.map(asText) }))
}

function asText(block: ContentBlock): ContentBlock {
  if (!isTextDocument(block)) return block
  const { source, filename, cache } = block
  const text = Buffer.from(source.data, 'base64').toString('utf8')
  const title = filename === undefined ? '' : ` title=${JSON.stringify(filename)}`
  const said = { kind: 'text' as const, text: `<document${title}>\n${text}\n</document>` }
  return cache === undefined ? said : { ...said, cache }
}
