import { invalidRequest, type ContentBlock, type MediaSource } from '@turnpike/protocol'
import { objectMember, textMember } from '../../../requests/fields/typed-members.ts'
import type { SaidPart } from '../request-schema.ts'

/** Members of a part that say how to read it, not what it is. */
const marks: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
])

/**
 * Parses a text, image, recording or document. Every other part stays `raw`.
 * @param path of the part, such as `contents[2].parts[0]`
 * @throws {GatewayError} 400 that names a member which is wrong for its part
 */
export function parsePart(part: SaidPart, path: string): ContentBlock {
  const kind = kindOf(part, path)
  switch (kind) {
    case 'text':
      return { kind: 'text', text: textMember(part, 'text', path) }
    case 'inlineData': {
      // There is no equivalent for a video's frame rate, so the estimate counts all of its bytes.
      if (asksForFrames(part)) return { kind: 'raw', value: part, format: 'google-generate' }
      const blob = objectMember(part, kind, path)
      const mimeType = textMember(blob, 'mimeType', `${path}.${kind}`)
      const data = plainBase64(textMember(blob, 'data', `${path}.${kind}`))
      return media(mimeType, { type: 'base64', data, format: shortFormat(mimeType) })
    }
    case 'fileData': {
      const file = objectMember(part, kind, path)
      const fileUri = textMember(file, 'fileUri', `${path}.${kind}`)
      const mimeType = file['mimeType']
      const isAddress = /^https?:/i.test(fileUri)
      const source: MediaSource = isAddress
        ? { type: 'url', url: fileUri }
        : { type: 'file', fileId: fileUri }
      return media(typeof mimeType === 'string' ? mimeType : '', source)
    }
    default:
      return { kind: 'raw', value: part, format: 'google-generate' }
  }
}

/** Google's Python SDK writes URL-safe base64 (RFC 4648, section 5), which no other vendor reads. */
function plainBase64(data: string): string {
  return /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data
}

/**
 * The name of a part's single content member.
 * @throws {GatewayError} 400 if a part has several, or none
 */
export function kindOf(part: SaidPart, path: string): string | undefined {
  let kind: string | undefined
  for (const name in part) {
    if (marks.has(name) || part[name] === null || part[name] === undefined) continue
    if (kind !== undefined)
      throw invalidRequest(path, `${path}: expected either ${kind} or ${name}, not both.`)
    kind = name
  }
  // A signature alone has an empty text, as in Google's own answers.
  if (kind === undefined && part['thoughtSignature'] === undefined)
    throw invalidRequest(path, `${path}: expected a part with text, inlineData, functionCall, ….`)
  return kind
}

/**
 * More than one frame a second (https://ai.google.dev/api/caching#VideoMetadata): each frame costs tokens.
 */
function asksForFrames({ videoMetadata }: SaidPart): boolean {
  const { fps } = (videoMetadata ?? {}) as { fps?: unknown }
  return fps !== undefined && fps !== null && !(typeof fps === 'number' && fps <= 1)
}

function media(mimeType: string, source: MediaSource): ContentBlock {
  if (mimeType.startsWith('image/')) return { kind: 'image', source }
  return mimeType.startsWith('audio/') ? { kind: 'audio', source } : { kind: 'document', source }
}

/** Recordings by the short names that most vendors know. */
const shortFormats: Record<string, string> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/aiff': 'aiff',
}

function shortFormat(mimeType: string): string {
  return Object.hasOwn(shortFormats, mimeType) ? shortFormats[mimeType]! : mimeType
}
