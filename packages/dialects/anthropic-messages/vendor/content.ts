import { invalidRequest, type CacheMark, type ContentBlock, type MediaSource } from '@turnpike/protocol'
import { isImageType } from '../image-types.ts'

/** A content block of a message in Anthropic's form. */
export type Block = Record<string, unknown>

type ImageBlock = Extract<ContentBlock, { kind: 'image' }>
type DocumentBlock = Extract<ContentBlock, { kind: 'document' }>

/** Media types of plain text, by their beginning. The API only knows `text/plain`. */
const textTypes = /^(text\/|application\/(json|xml|yaml|javascript)\b)/

/**
 * Writes a block for a user's turn or a tool's result. Undefined for a blank text, since Anthropic refuses
 * text blocks without any visible character.
 * @throws {GatewayError} 400 that names what the vendor does not accept
 */
export function formatContent(block: ContentBlock, path: string): Block | undefined {
  switch (block.kind) {
    case 'text':
      if (block.blockOfMessages !== undefined)
        return { ...block.blockOfMessages, ...cacheControl(block.cache) }
      return textBlock(block.text, block.cache, block.extensions)
    case 'refusal':
      return textBlock(block.text)
    case 'image':
      return formatImage(block, `${path}.image_url.url`)
    case 'document':
      return formatDocument(block, path)
    case 'raw':
      if (block.format === 'anthropic-messages') return block.value as Block
      throw unknownBlock(path)
    case 'audio':
    case 'reasoning':
    case 'tool-call':
      throw unknownBlock(path)
  }
}

function unknownBlock(path: string): Error {
  return invalidRequest(path, `${path}: this vendor accepts text, images and documents here.`)
}

/** @param extensions members of this format */
export function textBlock(text: string, cache?: CacheMark, extensions?: Block): Block | undefined {
  return text.trim() === '' ? undefined : { type: 'text', text, ...extensions, ...cacheControl(cache) }
}

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
export function cacheControl(cache: CacheMark | undefined): { cache_control?: object } {
  if (cache === undefined) return {}
  const { lifetime } = cache
  return { cache_control: { type: 'ephemeral', ...(lifetime === undefined ? {} : { ttl: lifetime }) } }
}

function formatImage({ source, cache }: ImageBlock, path: string): Block {
  return { type: 'image', source: imageSource(source, path), ...cacheControl(cache) }
}

function imageSource(source: MediaSource, path: string): Block {
  if (source.type !== 'base64') return formatReference(source, path)
  const mediaType = source.format.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg')
  if (!isImageType(mediaType)) {
    throw invalidRequest(
      path,
      `${path}: expected an image as JPEG, PNG, GIF or WebP, not ${mediaType || 'data'}.`,
    )
  }
  return { type: 'base64', media_type: mediaType, data: source.data }
}

/** https://platform.claude.com/docs/en/build-with-claude/pdf-support */
function formatDocument({ source, filename, cache, extensions }: DocumentBlock, path: string): Block {
  const field = `${path}.file.file_data`
  if (source.type === 'base64' && source.format.startsWith('image/')) {
    return { type: 'image', source: imageSource(source, field), ...cacheControl(cache) }
  }
  const title = filename === undefined ? {} : { title: filename }
  return {
    type: 'document',
    source: documentSource(source, field),
    ...title,
    ...extensions,
    ...cacheControl(cache),
  }
}

function documentSource(source: MediaSource, path: string): Block {
  if (source.type !== 'base64') return formatReference(source, path)
  const mediaType = source.format.toLowerCase()
  if (mediaType === 'application/pdf') return { type: 'base64', media_type: mediaType, data: source.data }
  if (textTypes.test(mediaType)) {
    return {
      type: 'text',
      media_type: 'text/plain',
      data: Buffer.from(source.data, 'base64').toString('utf8'),
    }
  }
  throw invalidRequest(
    path,
    `${path}: expected a PDF or plain text, not ${mediaType || 'data without a type'}.`,
  )
}

function formatReference(source: Exclude<MediaSource, { type: 'base64' }>, path: string): Block {
  if (source.type === 'file') return { type: 'file', file_id: source.fileId }
  if (!/^https?:\/\//i.test(source.url)) {
    throw invalidRequest(path, `${path}: expected a base64 data URL, or an http or https URL.`)
  }
  return { type: 'url', url: source.url }
}
