import type { ContentBlock, Message, ModelRequest } from '@turnpike/protocol'
import { Positions } from './fields/requested-message-fields.ts'
import type { MediaKind } from '../vendor.ts'
import type { RequestField } from './fields/field-table.ts'

/** A part's own path, at the beginning of a path to something in it. */
const place = /^messages\[\d+\]\.content\[\d+\]/

/** The fields that require a model to accept images, audio or documents. */
const mediaFields: Record<MediaKind, readonly RequestField[]> = {
  image: ['messages.image_url', 'messages.tool.image_url'],
  audio: ['messages.input_audio'],
  document: ['messages.file'],
}

export function fieldsOfMedia(kinds: readonly MediaKind[]): ReadonlySet<RequestField> {
  return new Set(kinds.flatMap((kind) => mediaFields[kind]))
}

/**
 * Replaces each part that the model cannot read by a sentence that says so. A conversation can continue even
 * if an earlier turn has an image, and the model knows what it does not see.
 * @param paths to these parts, or into them
 */
export function withoutParts(request: ModelRequest, paths: ReadonlySet<string>): ModelRequest {
  const places = new Set<string>()
  for (const path of paths) {
    const found = place.exec(path)
    if (found !== null) places.add(found[0])
  }
  return {
    ...request,
    messages: request.messages.map((message, index) => withoutPartsOf(message, index, places)),
  }
}

function withoutPartsOf(message: Message, index: number, places: ReadonlySet<string>): Message {
  const positions = new Positions(`messages[${index}]`)
  let isChanged = false
  const content = message.content.map((block) => {
    if (!places.has(positions.of(block))) return block
    const sentence = sentenceOf(block)
    if (sentence === undefined) return block
    isChanged = true
    return replaceBlock(block, sentence)
  })
  return isChanged ? { ...message, content } : message
}

/** Keeps the block's cache mark. */
function replaceBlock(block: ContentBlock, text: string): ContentBlock {
  const note = { kind: 'text' as const, text }
  return 'cache' in block && block.cache !== undefined ? { ...note, cache: block.cache } : note
}

function sentenceOf(block: ContentBlock): string | undefined {
  switch (block.kind) {
    case 'image':
      return omissionNote('An image')
    case 'audio':
      return omissionNote('A recording')
    case 'document':
      return omissionNote(
        block.filename === undefined ? 'A document' : `The document ${quoteName(block.filename)}`,
      )
    case 'raw':
      return omissionNote(`A part of the type ${quoteName(typeOf(block.value))}`)
    case 'text':
    case 'refusal':
    case 'reasoning':
    case 'tool-call':
      return undefined
  }
}

function omissionNote(what: string): string {
  return `[${what} was left out here: you cannot be given it.]`
}

const mostCharacters = 200

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, mostCharacters))
}

/** Google's parts have no type: the first member names it. */
function typeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  const { type } = value as { type?: unknown }
  return typeof type === 'string' ? type : (Object.keys(value)[0] ?? 'object')
}
