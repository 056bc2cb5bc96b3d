import { pictureHead } from '@turnpike/dialects'
import type { ContentBlock, MediaSource, ModelRequest } from '@turnpike/protocol'
import { findVendor } from '@turnpike/vendors'
import type { Candidate } from '../../candidates/candidate.ts'
import { estimateTokens, type MediaSizes } from '../rules.ts'
import { pdfPages } from './pdf-pages.ts'
import { audioSeconds, videoSeconds } from './recording-seconds.ts'

/** What vendors count for a picture of usual size at full detail, and for one at low detail. */
const imageTokens = 1_105
const lowDetailImageTokens = 85
/** Of a larger one, a token for so many pixels; the largest are made smaller, to so many tokens. */
const pixelsPerToken = 750
const largestImageTokens = 4_784

/** Base64 characters of pages or of a film for one token at least: both are counted by length, too. */
const documentCharactersPerToken = 40

/**
 * What a second of sound comes to, and one of a film with its sound
 * (https://ai.google.dev/gemini-api/docs/tokens#multimodal-tokens); other vendors count less.
 */
const tokensOfSound = 32
const tokensOfFilm = 300

/** A page of a PDF is read as text and as a picture: 1,500 to 3,000 tokens, says Anthropic. */
const pageTokens = 2_500
/** Where a PDF's pages cannot be seen. */
const unseenPages = 100

/** Where only an address or an id is known of an audio or a document. */
const remoteMediaTokens = 2_000

/**
 * What the pictures, recordings and documents of a request are.
 * @param candidates to whom it may be sent, where that is known: not all mind the detail that is asked for
 */
export function mediaOf(request: ModelRequest, candidates: readonly Candidate[] = []): MediaSizes {
  const media = { characters: 0, tokens: 0 }
  for (const message of request.messages) {
    for (const block of message.content) {
      if (block.kind !== 'image' && block.kind !== 'audio' && block.kind !== 'document') continue
      if (isText(block)) {
        // As long as it is in words: a format that gives it as they are has no base64 of it.
        const bytes = bytesOf(block.source.data)
        media.characters += bytes
        media.tokens += estimateTokens(bytes)
        continue
      }
      if (block.source.type === 'base64') media.characters += block.source.data.length
      media.tokens += tokensOfMedia(block, candidates)
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

function tokensOfMedia(block: MediaBlock, candidates: readonly Candidate[]): number {
  const { source } = block
  if (block.kind === 'image') {
    const isLow = block.detail === 'low' && candidates.every(readsDetail)
    return isLow ? lowDetailImageTokens : tokensOfImage(source)
  }
  if (source.type !== 'base64') return remoteMediaTokens
  let tokens = known.get(source)
  if (tokens === undefined) {
    tokens = block.kind === 'document' ? tokensOfDocument(source) : tokensOfAudio(source)
    known.set(source, tokens)
  }
  return tokens
}

/** Asked for more than once of a request, and megabytes to look through. */
const known = new WeakMap<MediaSource, number>()

function tokensOfAudio({ data }: DataBlock['source']): number {
  return Math.ceil(audioSeconds(Buffer.from(data, 'base64')) * tokensOfSound)
}

/**
 * Whatever it is called, all that has neither pages nor pictures nor sound is read as the text that is in it:
 * JSON, code, tables, and office documents, where that is packed.
 */
function tokensOfDocument(source: DataBlock['source']): number {
  const { data, format } = source
  const byLength = Math.ceil(data.length / documentCharactersPerToken)
  const pages = pdfPages(data)
  if (pages !== undefined) return Math.max(byLength, (pages === 0 ? unseenPages : pages) * pageTokens)
  switch (format.toLowerCase().split('/')[0]) {
    case 'video':
      return Math.max(byLength, Math.ceil(videoSeconds(Buffer.from(data, 'base64')) * tokensOfFilm))
    case 'audio':
      return tokensOfAudio(source)
    case 'image':
      return tokensOfImage(source)
    default:
      return estimateTokens(bytesOf(data))
  }
}

function readsDetail({ provider }: Candidate): boolean {
  return provider.vendor !== undefined && findVendor(provider.vendor)?.readsDetail === true
}

/** How large it is at an address is not known. */
function tokensOfImage(source: MediaSource): number {
  if (source.type !== 'base64') return largestImageTokens
  const { width = 0, height = 0 } = pictureHead(source.data)?.size ?? {}
  return Math.min(largestImageTokens, Math.max(imageTokens, Math.ceil((width * height) / pixelsPerToken)))
}
