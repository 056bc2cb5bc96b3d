import { invalidRequest, type CacheMark, type ContentBlock } from '@turnpike/protocol'
import { mediaSource, sourceUrl } from '../requests/media-source.ts'
import type { CacheControl } from '../requests/fields/request-fields.ts'

/** Content parts of a message: https://platform.openai.com/docs/guides/images-vision and …/audio. */
export interface ContentPart {
  type: string
  /** Anthropic's field, which OpenRouter and others accept in OpenAI's parts. */
  cache_control?: CacheControl | null
  [field: string]: unknown
}

/**
 * Parses a content part. A part of an unknown type stays `raw`.
 * @throws {GatewayError} 400 for a known type whose fields are wrong
 */
export function parseContentPart(part: ContentPart, path: string): ContentBlock {
  const cache = cacheMark(part.cache_control)
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: textField(part, 'text', path), ...cache }
    case 'refusal':
      return { kind: 'refusal', text: textField(part, 'refusal', path) }
    case 'image_url': {
      const image = objectField(part, 'image_url', path)
      const url = textField(image, 'url', `${path}.image_url`)
      const detail = typeof image['detail'] === 'string' ? { detail: image['detail'] } : {}
      return { kind: 'image', source: mediaSource(url, `${path}.image_url.url`), ...detail, ...cache }
    }
    case 'input_audio': {
      const audio = objectField(part, 'input_audio', path)
      const data = textField(audio, 'data', `${path}.input_audio`)
      const format = textField(audio, 'format', `${path}.input_audio`)
      return { kind: 'audio', source: { type: 'base64', data, format }, ...cache }
    }
    case 'file':
      return { ...parseFile(objectField(part, 'file', path), path), ...cache }
    default:
      return { kind: 'raw', value: part }
  }
}

export function formatContentBlock(block: ContentBlock): unknown {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'refusal':
      return { type: 'refusal', refusal: block.text }
    case 'image': {
      const detail = block.detail === undefined ? {} : { detail: block.detail }
      if (block.source.type === 'file') return { type: 'file', file: { file_id: block.source.fileId } }
      return { type: 'image_url', image_url: { url: sourceUrl(block.source), ...detail } }
    }
    case 'audio':
      if (block.source.type !== 'base64')
        throw invalidRequest(undefined, 'Audio is accepted as base64 data only.')
      return { type: 'input_audio', input_audio: { data: block.source.data, format: block.source.format } }
    case 'document': {
      const filename = block.filename === undefined ? {} : { filename: block.filename }
      const file =
        block.source.type === 'file'
          ? { file_id: block.source.fileId }
          : { file_data: sourceUrl(block.source) }
      return { type: 'file', file: { ...file, ...filename } }
    }
    case 'raw':
      return block.value
    case 'reasoning':
    case 'tool-call':
      throw new Error(`a ${block.kind} block is not a content part`)
  }
}

function parseFile(file: Record<string, unknown>, path: string): ContentBlock {
  const filename = typeof file['filename'] === 'string' ? { filename: file['filename'] } : {}
  if (typeof file['file_id'] === 'string') {
    return { kind: 'document', source: { type: 'file', fileId: file['file_id'] }, ...filename }
  }
  const data = textField(file, 'file_data', `${path}.file`)
  return { kind: 'document', source: mediaSource(data, `${path}.file.file_data`), ...filename }
}

/** Parses `cache_control`. Empty if it is absent. */
export function cacheMark(control: CacheControl | null | undefined): { cache?: CacheMark } {
  return control === null || control === undefined ? {} : { cache: { lifetime: control.ttl ?? undefined } }
}

function textField(holder: Record<string, unknown>, field: string, path: string): string {
  const value = holder[field]
  if (typeof value !== 'string')
    throw invalidRequest(`${path}.${field}`, `${path}.${field}: expected a string.`)
  return value
}

function objectField(holder: Record<string, unknown>, field: string, path: string): Record<string, unknown> {
  const value = holder[field]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest(`${path}.${field}`, `${path}.${field}: expected an object.`)
  }
  return value as Record<string, unknown>
}
