import { pictureHead } from '@turnpike/dialects'
import type { ContentBlock, MediaSource, ModelRequest } from '@turnpike/protocol'
import { estimatedTokens, type MediaSizes } from '../rules.ts'
import { pdfPages } from './pdf-pages.ts'

/** What vendors count for a picture of usual size at full detail, and for one at low detail. */
const imageTokens = 1_105
const lowDetailImageTokens = 85
/** Of a larger one, a token for so many pixels; the largest are made smaller, to so many tokens. */
const pixelsPerToken = 750
const largestImageTokens = 4_784

/** Base64 characters of audio or of a document for one token: both are counted by length. */
const audioCharactersPerToken = 800
const documentCharactersPerToken = 40

/** A page of a PDF is read as text and as a picture: 1,500 to 3,000 tokens, says Anthropic. */
const pageTokens = 2_500
/** Where a PDF's pages cannot be seen. */
const unseenPages = 100

/** Where only an address or an id is known of an audio or a document. */
const remoteMediaTokens = 2_000

/** What the pictures, recordings and documents of a request are. */
export function mediaOf(request: ModelRequest): MediaSizes {
  const media = { characters: 0, tokens: 0 }
  for (const message of request.messages) {
    for (const block of message.content) {
      if (block.kind !== 'image' && block.kind !== 'audio' && block.kind !== 'document') continue
      if (isText(block)) {
        // As long as it is in words: a format that gives it as they are has no base64 of it.
        const bytes = bytesOf(block.source.data)
        media.characters += bytes
        media.tokens += estimatedTokens(bytes)
        continue
      }
      if (block.source.type === 'base64') media.characters += block.source.data.length
      media.tokens += tokensOfMedia(block)
    }
  }
  return media
}

type MediaBlock = Extract<ContentBlock, { kind: 'image' | 'audio' | 'document' }>

type DataBlock = MediaBlock & { source: Extract<MediaBlock['source'], { type: 'base64' }> }

function isText(block: MediaBlock): block is DataBlock {
  const { kind, source } = block
  return kind === 'document' && source.type === 'base64' && source.format.startsWith('text/')
}

function bytesOf(base64: string): number {
  return Math.ceil((base64.length * 3) / 4)
}

function tokensOfMedia(block: MediaBlock): number {
  const { source } = block
  if (block.kind === 'image') return block.detail === 'low' ? lowDetailImageTokens : tokensOfImage(source)
  if (source.type !== 'base64') return remoteMediaTokens
  const perToken = block.kind === 'audio' ? audioCharactersPerToken : documentCharactersPerToken
  const tokens = Math.ceil(source.data.length / perToken)
  const pages = block.kind === 'document' ? pdfPages(source.data) : undefined
  return pages === undefined ? tokens : Math.max(tokens, (pages === 0 ? unseenPages : pages) * pageTokens)
}

/** How large it is at an address is not known. */
function tokensOfImage(source: MediaSource): number {
  if (source.type !== 'base64') return largestImageTokens
  const { width = 0, height = 0 } = pictureHead(source.data)?.size ?? {}
  return Math.min(largestImageTokens, Math.max(imageTokens, Math.ceil((width * height) / pixelsPerToken)))
}
