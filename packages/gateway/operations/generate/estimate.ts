import type { ContentBlock, InputBucket, ModelRequest, Tool } from '@turnpike/protocol'
import { isCachedLong, tellsLong } from './long-cache.ts'

/**
 * The output bound of a request that names none, and the least to which one that the credit does not cover is
 * lowered (contract, section 4.5).
 */
export const defaultOutputTokens = 4_096

/** Output tokens of one choice of a request, at a model that gives so many at most. */
export function outputBound(
  { maxOutputTokens }: ModelRequest,
  mostOfModel = Number.POSITIVE_INFINITY,
): number {
  return Math.min(maxOutputTokens ?? defaultOutputTokens, mostOfModel)
}

/** What is held where the caller named no bound: room for an answer behind the thoughts that it asked for. */
export function unnamedBound({ reasoning, extensions }: ModelRequest): number {
  const { thinking } = extensions
  const native = typeof thinking === 'object' && thinking !== null && 'budget_tokens' in thinking
  const budget = reasoning?.budgetTokens ?? (native ? thinking.budget_tokens : 0)
  return (
    defaultOutputTokens + (Number.isSafeInteger(budget) && (budget as number) > 0 ? (budget as number) : 0)
  )
}

/**
 * How many choices are generated, and billed: servers that know `best_of` make so many and give the best `n`
 * of them.
 */
export function choicesGenerated({ choices, extensions }: ModelRequest): number {
  const { best_of: bestOf } = extensions
  return typeof bestOf === 'number' && bestOf > choices ? bestOf : choices
}

/** Tokens of a text from its bytes: on the high side for prose and code in any script. */
const bytesPerToken = 3

/** What vendors count for a picture of usual size at full detail, and for one at low detail. */
const imageTokens = 1_105
const lowDetailImageTokens = 85

/** Base64 characters of audio or of a document for one token: both are counted by length, not by bytes. */
const audioCharactersPerToken = 800
const documentCharactersPerToken = 40

/** Where only an address or an id is known of an audio or a document. */
const remoteMediaTokens = 2_000

/**
 * What a request's input may come to, from sizes alone: this runs for every request, so no tokenizer does.
 */
export function estimateInputTokens(request: ModelRequest, bodyBytes: number): number {
  const { characters, tokens } = mediaOf(request)
  return estimatedTokens(bodyBytes - characters) + tokens
}

/** Tokens of a text by its length. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** Which prices, besides that of text, the input of a request may have. */
export function furtherInputBuckets(request: ModelRequest): InputBucket[] {
  const buckets = new Set<InputBucket>()
  for (const message of request.messages) {
    for (const block of message.content) {
      if (block.kind === 'audio') buckets.add('inputAudioTokens')
      else if (block.kind === 'image') buckets.add('inputImageTokens')
      if (isCachedLong(block)) buckets.add('cacheWrite1hTokens')
    }
  }
  if (request.tools.some(isCachedLong) || tellsLong(request.extensions)) buckets.add('cacheWrite1hTokens')
  return [...buckets]
}

/**
 * What the pictures, recordings and documents of a request are: characters of base64 in its body, and tokens
 * that they come to. Its text is counted apart.
 */
export function mediaOf(request: ModelRequest): { characters: number; tokens: number } {
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

/** What a request's tokens are counted from, where the vendor does not report them. */
export interface InputSeen {
  /** Of its messages. */
  text: string
  tools: readonly Tool[]
  mediaTokens: number
}

export function inputSeen(request: ModelRequest): InputSeen {
  const texts: string[] = []
  for (const message of request.messages) {
    for (const block of message.content) {
      if ('text' in block) texts.push(block.text)
      else if (block.kind === 'tool-call') texts.push(block.name, block.arguments)
      else if (block.kind === 'raw') texts.push(JSON.stringify(block.value))
    }
  }
  return { text: texts.join('\n'), tools: request.tools, mediaTokens: mediaOf(request).tokens }
}

/** The text of a request, as a tokenizer is to count it. */
export function inputText({ text, tools }: InputSeen): string {
  return [text, ...tools.map((tool) => JSON.stringify(tool))].join('\n')
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
