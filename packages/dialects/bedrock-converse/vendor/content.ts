import { invalidRequest, type CacheMark, type ContentBlock } from '@turnpike/protocol'
import type { BedrockTraits } from '../../model-traits.ts'
import type { TurnBlock } from '../../requests/turns.ts'
import { formatDocument, formatImage } from './media.ts'

/** State while one request is written. */
export interface FormatContext {
  model: BedrockTraits
  /** How many documents were written so far. */
  documents: number
}

/**
 * Writes a block for a user's turn or a tool's result. Empty for a blank text, since Bedrock refuses those. A
 * block with a cache mark is followed by a cache point.
 * @throws {GatewayError} 400 that names what the vendor does not accept
 */
export function formatContent(block: ContentBlock, path: string, saying: FormatContext): TurnBlock[] {
  const formatted = formatOne(block, path, saying)
  if (formatted === undefined) return []
  return [formatted, ...cachePoint('cache' in block ? block.cache : undefined, 'messages', saying)]
}

function formatOne(block: ContentBlock, path: string, saying: FormatContext): TurnBlock | undefined {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return textBlock(block.text)
    case 'image':
      return formatImage(block, path)
    case 'document':
      saying.documents++
      return formatDocument(block, path, saying.documents)
    case 'audio':
    case 'reasoning':
    case 'tool-call':
    case 'raw':
      throw invalidRequest(path, `${path}: this vendor accepts text, images and documents here.`)
  }
}

export function textBlock(text: string): TurnBlock | undefined {
  return text.trim() === '' ? undefined : { text }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
export function cachePoint(
  mark: CacheMark | undefined,
  place: BedrockTraits['caches'][number],
  { model }: Pick<FormatContext, 'model'>,
): TurnBlock[] {
  if (mark === undefined || !model.caches.includes(place)) return []
  const ttl = mark.lifetime === '1h' && model.cachesAnHour ? { ttl: '1h' } : {}
  return [{ cachePoint: { type: 'default', ...ttl } }]
}

export function isMedia(block: ContentBlock): boolean {
  return block.kind === 'image' || block.kind === 'document'
}
