import { pictureHead } from '@turnpike/dialects'
import type { ContentBlock, MediaSource, ModelRequest } from '@turnpike/protocol'
import { findVendor } from '@turnpike/vendors'
import type { Candidate } from '../../candidates/candidate.ts'
import { estimateTokens, type MediaSizes } from '../rules.ts'
import { pdfPages } from './pdf-pages.ts'
import { audioSeconds, videoSeconds } from './recording-seconds.ts'

/** What vendors count for an image of usual size at full detail, and for one at low detail. */
const imageTokens = 1_105
const lowDetailImageTokens = 85
/** Larger images: pixels per token, and the most tokens, since vendors scale the largest ones down. */
const pixelsPerToken = 750
const largestImageTokens = 4_784

/** Base64 characters per token, as a minimum for documents and videos, which are also counted by length. */
const documentCharactersPerToken = 40

/**
 * Tokens of a second of audio, and of video with audio
 * (https://ai.google.dev/gemini-api/docs/tokens#multimodal-tokens); other vendors count less.
 */
const tokensOfSound = 32
const tokensOfFilm = 300

/** A PDF page is read as text and as an image: 1,500 to 3,000 tokens, according to Anthropic. */
const pageTokens = 2_500
/** The assumed pages of a PDF whose pages cannot be counted. */
const unseenPages = 100

/** For audio or a document that is only known by its address or id. */
const remoteMediaTokens = 2_000

/**
 * The sizes of a request's images, recordings and documents.
 * @param candidates where the request may be sent, if known: not all of them honour the requested detail
 */
export function mediaOf(request: ModelRequest, candidates: readonly Candidate[] = []): MediaSizes {
  const media = { characters: 0, tokens: 0 }
  for (const message of request.messages) {
    for (const block of message.content) {
      if (block.kind !== 'image' && block.kind !== 'audio' && block.kind !== 'document') continue
      if (isText(block)) {
        // Its size as text: a format that carries it as raw text has no base64.
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

/** Cached: needed more than once per request, and there may be megabytes to scan. */
const known = new WeakMap<MediaSource, number>()

function tokensOfAudio({ data }: DataBlock['source']): number {
  return Math.ceil(audioSeconds(Buffer.from(data, 'base64')) * tokensOfSound)
}

/**
 * Whatever its type, a document without pages, images or audio is read as the text in it: JSON, code, tables,
 * and compressed office documents.
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

/** The size of an image at an address is unknown. */
function tokensOfImage(source: MediaSource): number {
  if (source.type !== 'base64') return largestImageTokens
  const { width = 0, height = 0 } = pictureHead(source.data)?.size ?? {}
  return Math.min(largestImageTokens, Math.max(imageTokens, Math.ceil((width * height) / pixelsPerToken)))
}
