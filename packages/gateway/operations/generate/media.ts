import type { ContentBlock, ModelRequest } from '@turnpike/protocol'
import { estimatedTokens, type MediaSizes } from '../rules.ts'

/** What vendors count for a picture of usual size at full detail, and for one at low detail. */
const imageTokens = 1_105
const lowDetailImageTokens = 85

/** Base64 characters of audio or of a document for one token: both are counted by length, not by bytes. */
const audioCharactersPerToken = 800
const documentCharactersPerToken = 40

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
  if (block.kind === 'image') return block.detail === 'low' ? lowDetailImageTokens : imageTokens
  if (block.source.type !== 'base64') return remoteMediaTokens
  const perToken = block.kind === 'audio' ? audioCharactersPerToken : documentCharactersPerToken
  return Math.ceil(block.source.data.length / perToken)
}
