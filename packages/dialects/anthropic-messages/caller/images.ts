import { invalidRequest, type GatewayError } from '@turnpike/protocol'
import { pictureHead } from '../../requests/picture-head.ts'
import type { InputBlock } from './content.ts'
import type { MessagesRequest } from './request-schema.ts'

/*
 * Anthropic's limits on images (https://platform.claude.com/docs/en/build-with-claude/vision). They apply
 * whichever vendor answers, with the messages that its clients know. Clouds that serve its models have
 * stricter limits, which they enforce themselves.
 */

/** The limit for one image, in base64. */
const mostMegabytes = 10
const mostCharacters = mostMegabytes * 1024 * 1024
/** The limit for either side. The lower one applies if a request has more images than stated. */
const mostPixels = 8_000
const manyImages = 20
const mostPixelsOfMany = 2_000
/** Images and documents per request. Models with a short context accept fewer. */
const mostMedia = 600

/** An image block, and its path. */
interface Found {
  block: InputBlock
  path: string
}

/**
 * Checks images, reading only the head of each.
 * @throws {GatewayError} 400 that names the first image which is too large or of a different type than
 * stated, or the first one beyond the limit
 */
export function refuseImages(messages: MessagesRequest['messages']): void {
  const images: Found[] = []
  let documents = 0
  const look = (blocks: readonly InputBlock[], index: number, within: number | undefined): void => {
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at]!
      if (block.type === 'tool_result' && within === undefined) {
        if (Array.isArray(block['content'])) look(block['content'] as InputBlock[], index, at)
      } else if (block.type === 'image') images.push({ block, path: pathOf(index, within, at) })
      else if (block.type === 'document') documents++
      else continue
      if (images.length + documents > mostMedia)
        throw tooMany(images.length, documents, pathOf(index, within, at))
    }
  }
  for (let index = 0; index < messages.length; index++) {
    const { content } = messages[index]!
    if (typeof content !== 'string') look(content, index, undefined)
  }
  for (const image of images) refuseImage(image, images.length > manyImages)
}

function pathOf(index: number, within: number | undefined, at: number): string {
  return within === undefined
    ? `messages.${index}.content.${at}`
    : `messages.${index}.content.${within}.content.${at}`
}

function tooMany(images: number, documents: number, path: string): GatewayError {
  return invalidRequest(
    path,
    `${path}: too many images and documents: ${images} + ${documents} > ${mostMedia}`,
  )
}

function refuseImage({ block, path }: Found, isOneOfMany: boolean): void {
  const source = block['source'] as
    | { type?: unknown; media_type?: unknown; data?: unknown }
    | null
    | undefined
  if (source?.type !== 'base64' || typeof source.data !== 'string') return
  const { data, media_type: mediaType } = source
  const mistake = tooLong(data) ?? otherKind(data, mediaType, isOneOfMany)
  if (mistake !== undefined) throw invalidRequest(`${path}.source`, `${path}.source: ${mistake}`)
}

function tooLong({ length }: string): string | undefined {
  if (length <= mostCharacters) return undefined
  return `image exceeds ${mostMegabytes} MB maximum: ${length} bytes > ${mostCharacters} bytes`
}

function otherKind(data: string, declaredType: unknown, isOneOfMany: boolean): string | undefined {
  const head = pictureHead(data)
  if (head === undefined) return undefined
  const { mediaType, size } = head
  if (mediaType !== declaredType)
    return (
      `The image was specified using the ${String(declaredType)} media type, ` +
      `but the image appears to be a ${mediaType} image`
    )
  const most = isOneOfMany ? mostPixelsOfMany : mostPixels
  if (size === undefined || (size.width <= most && size.height <= most)) return undefined
  const ofMany = isOneOfMany ? ' for many-image requests' : ''
  return `At least one of the image dimensions exceed max allowed size${ofMany}: ${most} pixels`
}
