import type { ContentBlock, MediaSource, ReasoningBlock } from '@turnpike/protocol'
import { formatContentBlock } from '../../openai-chat/content-part.ts'
import { sourceUrl } from '../../requests/media-source.ts'

/** Mistral's `ContentChunk`: https://docs.mistral.ai/api/, endpoint chat. */
export function formatChunk(block: ContentBlock): unknown {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: block.text }
    case 'image':
      return block.source.type === 'file' ? fileChunk(block.source.fileId) : formatContentBlock(block)
    case 'audio':
      return { type: 'input_audio', input_audio: audioOf(block.source) }
    case 'document':
      return formatDocument(block.source, block.filename)
    case 'reasoning':
      return formatThinking(block)
    case 'raw':
      return block.value
    case 'tool-call':
      throw new Error('a tool call is not a content chunk')
  }
}

/** A single text stays a string; anything else becomes chunks. */
export function formatChunks(blocks: readonly ContentBlock[]): unknown {
  const [only] = blocks
  if (blocks.length === 0) return ''
  if (blocks.length === 1 && (only?.kind === 'text' || only?.kind === 'refusal')) return only.text
  return blocks.map(formatChunk)
}

function formatThinking({ text, signature }: ReasoningBlock): unknown {
  const proof = signature === undefined ? {} : { signature }
  return { type: 'thinking', thinking: [{ type: 'text', text }], closed: true, ...proof }
}

/** A URL, or only the data: Mistral detects the format itself. */
function audioOf(source: MediaSource): string {
  switch (source.type) {
    case 'url':
      return source.url
    case 'base64':
      return source.data
    case 'file':
      return source.fileId
  }
}

function formatDocument(source: MediaSource, filename: string | undefined): unknown {
  if (source.type === 'file') return fileChunk(source.fileId)
  const name = filename === undefined ? {} : { document_name: filename }
  return { type: 'document_url', document_url: sourceUrl(source), ...name }
}

function fileChunk(fileId: string): unknown {
  return { type: 'file', file_id: fileId }
}
