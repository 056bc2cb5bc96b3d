import type { ContentBlock, MediaSource } from '@turnpike/protocol'
import { mediaSource } from '../../../requests/media-source.ts'
import {
  objectMember,
  optionalText,
  textMember,
  wrongMember,
  type Members,
} from '../../../requests/fields/typed-members.ts'
import type { Origins } from './origins.ts'

/**
 * Parses the content of a message, or of a tool's output. A part of an unknown type stays `raw`.
 * @param content a text, or a list of parts
 * @param path of the content, such as `input[2].content`
 * @throws {GatewayError} 400 that names a member which is wrong for its part
 */
export function parseContent(content: unknown, path: string, origins?: Origins): ContentBlock[] {
  if (typeof content === 'string') {
    const text: ContentBlock = { kind: 'text', text: content }
    origins?.set(text, path)
    return [text]
  }
  if (!Array.isArray(content)) throw wrongMember(content, path, 'a string or an array of content parts')
  return content.map((part: unknown, at) => {
    const place = `${path}[${at}]`
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      throw wrongMember(part, place, 'a content part object with a type')
    const block = parsePart(part as Members, place)
    origins?.set(block, place)
    return block
  })
}

/** https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
function parsePart(part: Members, path: string): ContentBlock {
  switch (textMember(part, 'type', path)) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: textMember(part, 'text', path) }
    case 'refusal':
      return { kind: 'refusal', text: textMember(part, 'refusal', path) }
    case 'input_image':
      return parseImage(part, path)
    case 'input_file':
      return parseFile(part, path)
    case 'input_audio': {
      const audio = objectMember(part, 'input_audio', path)
      const data = textMember(audio, 'data', `${path}.input_audio`)
      const format = textMember(audio, 'format', `${path}.input_audio`)
      return { kind: 'audio', source: { type: 'base64', data, format } }
    }
    default:
      return { kind: 'raw', value: part, format: 'openai-responses' }
  }
}

/** https://platform.openai.com/docs/guides/images-vision */
function parseImage(part: Members, path: string): ContentBlock {
  const detail = optionalText(part, 'detail', path)
  const withDetail = detail === undefined ? {} : { detail }
  const fileId = optionalText(part, 'file_id', path)
  if (fileId !== undefined) return { kind: 'image', source: { type: 'file', fileId }, ...withDetail }
  const url = textMember(part, 'image_url', path)
  return { kind: 'image', source: mediaSource(url, `${path}.image_url`), ...withDetail }
}

/** https://platform.openai.com/docs/guides/pdf-files */
function parseFile(part: Members, path: string): ContentBlock {
  const name = optionalText(part, 'filename', path)
  const filename = name === undefined ? {} : { filename: name }
  return { kind: 'document', source: fileSource(part, path), ...filename }
}

function fileSource(part: Members, path: string): MediaSource {
  const fileId = optionalText(part, 'file_id', path)
  if (fileId !== undefined) return { type: 'file', fileId }
  const url = optionalText(part, 'file_url', path)
  if (url !== undefined) return mediaSource(url, `${path}.file_url`)
  return mediaSource(textMember(part, 'file_data', path), `${path}.file_data`)
}
