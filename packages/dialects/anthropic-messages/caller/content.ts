import type { CacheMark, ContentBlock, MediaSource } from '@turnpike/protocol'
import { objectMember, textMember, wrongMember, type Members } from '../../requests/fields/typed-members.ts'
import { isImageType } from '../image-types.ts'
import type { CacheControl } from './request-schema.ts'

/** A content block as callers send it. */
export interface InputBlock {
  type: string
  cache_control?: CacheControl
  [member: string]: unknown
}

type Source = Exclude<MediaSource, { type: 'file' }> | { type: 'file'; fileId: string }

/**
 * Parses a text, image or document. Every other block stays `raw`.
 * @param path of the block, such as `messages.2.content.0`
 * @throws {GatewayError} 400 that names a member which is wrong for the block's type
 */
export function parseContentBlock(block: InputBlock, path: string): ContentBlock {
  switch (block.type) {
    case 'text': {
      const text = { kind: 'text' as const, text: textMember(block, 'text', path), ...cacheMark(block) }
      return withExtensions(text, block, textExtensions)
    }
    case 'image': {
      if (isPresent(block['transformations'])) return rawBlock(block)
      const source = imageSource(objectMember(block, 'source', path), `${path}.source`)
      return source === undefined ? rawBlock(block) : { kind: 'image', source, ...cacheMark(block) }
    }
    case 'document':
      return parseDocument(block, path)
    case 'tool_reference':
      return parseToolReference(block, path)
    default:
      return rawBlock(block)
  }
}

export function rawBlock(value: object): ContentBlock {
  return { kind: 'raw', value, format: 'anthropic-messages' }
}

/** Parses `cache_control`. Empty if it is absent. */
export function cacheMark({ cache_control: control }: { cache_control?: CacheControl }): {
  cache?: CacheMark
} {
  return control === null || control === undefined ? {} : { cache: { lifetime: control.ttl ?? undefined } }
}

/** Keeps members without an equivalent here under their own names: vendors get them or refuse them. */
export function withExtensions<Said extends object>(
  parsed: Said,
  members: object,
  names: readonly string[],
): Said & { extensions?: Members } {
  let extensions: Members | undefined
  for (const name of names) {
    const value = (members as Members)[name]
    if (isPresent(value)) (extensions ??= {})[name] = value
  }
  return extensions === undefined ? parsed : { ...parsed, extensions }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Members of a text from an earlier answer that name its sources. */
const textExtensions = ['citations']
const documentExtensions = ['citations', 'context']

/** https://platform.claude.com/docs/en/build-with-claude/vision */
function imageSource(source: Members, path: string): Source | undefined {
  if (source['type'] !== 'base64') return parseReference(source, path)
  const format = textMember(source, 'media_type', path)
  if (!isImageType(format))
    throw wrongMember(format, `${path}.media_type`, 'image/jpeg, image/png, image/gif or image/webp')
  return { type: 'base64', data: textMember(source, 'data', path), format }
}

/** https://platform.claude.com/docs/en/build-with-claude/pdf-support */
function parseDocument(block: InputBlock, path: string): ContentBlock {
  const source = documentSource(objectMember(block, 'source', path), `${path}.source`)
  if (source === undefined) return rawBlock(block)
  const title = block['title']
  const filename = typeof title === 'string' ? { filename: title } : {}
  const document = { kind: 'document' as const, source, ...filename, ...cacheMark(block) }
  return withExtensions(document, block, documentExtensions)
}

/**
 * A tool that a search found. Anthropic shows the model its declaration from here on
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool). Other vendors' models get
 * the declaration from the start, and a text that the tool was found.
 */
function parseToolReference(block: InputBlock, path: string): ContentBlock {
  const text = `Found: the tool ${textMember(block, 'tool_name', path)}`
  return { kind: 'text', text, blockOfMessages: block, ...cacheMark(block) }
}

function documentSource(source: Members, path: string): Source | undefined {
  switch (source['type']) {
    case 'base64': {
      const format = textMember(source, 'media_type', path)
      if (format !== 'application/pdf') throw wrongMember(format, `${path}.media_type`, 'application/pdf')
      return { type: 'base64', data: textMember(source, 'data', path), format }
    }
    case 'text': {
      const format = textMember(source, 'media_type', path)
      if (format !== 'text/plain') throw wrongMember(format, `${path}.media_type`, 'text/plain')
      return textSource(textMember(source, 'data', path))
    }
    case 'content': {
      const whole = textOf(source['content'])
      return whole === undefined ? undefined : textSource(whole)
    }
    default:
      return parseReference(source, path)
  }
}

function textSource(data: string): Source {
  return { type: 'base64', data: Buffer.from(data, 'utf8').toString('base64'), format: 'text/plain' }
}

/** The text of a document that consists of blocks. Undefined if one of them is not text. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts: string[] = []
  for (const part of content as unknown[]) {
    const { type, text } = (part ?? {}) as Members
    if (type !== 'text' || typeof text !== 'string') return undefined
    texts.push(text)
  }
  return texts.join('\n\n')
}

/** Undefined for a type of source that is not known here. */
function parseReference(source: Members, path: string): Source | undefined {
  switch (source['type']) {
    case 'url':
      return { type: 'url', url: textMember(source, 'url', path) }
    case 'file':
      return { type: 'file', fileId: textMember(source, 'file_id', path) }
    default:
      textMember(source, 'type', path)
      return undefined
  }
}
