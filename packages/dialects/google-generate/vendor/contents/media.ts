import { invalidRequest, type ContentBlock } from '@turnpike/protocol'

/** A part of a content: https://ai.google.dev/api/caching#Part. */
export type Part = Record<string, unknown>
export type MediaBlock = Extract<ContentBlock, { kind: 'image' | 'audio' | 'document' }>

/** Files that Google reads itself: those in its stores, and YouTube videos. */
const ownFiles = [
  /^gs:\/\//,
  /^https:\/\/generativelanguage\.googleapis\.com\/v\w+\/files\//,
  /^https:\/\/(?:(?:www\.)?youtube\.com\/(?:watch\?|shorts\/)|youtu\.be\/)/,
]
/** Names of files from Google's Files API, without their address. */
const fileName = /^files\/[\w-]+$/
const filesUrl = 'https://generativelanguage.googleapis.com/v1beta/'

/** True for an address that Google reads itself, so that the gateway need not fetch it. */
export function isOwnFile(url: string): boolean {
  return ownFiles.some((pattern) => pattern.test(url))
}

const fields = { image: 'image_url', audio: 'input_audio', document: 'file' } as const

/**
 * Writes an image, a recording, a document or a video, as bytes or as a file that Google has.
 * @param path of the content part in the caller's request, for errors
 * @throws {GatewayError} 400 that names the field of an address or file which Google cannot read
 */
export function formatMedia(block: MediaBlock, path: string): Part {
  const { source } = block
  const field = `${path}.${fields[block.kind]}`
  switch (source.type) {
    case 'base64': {
      if (source.format !== '')
        return { inlineData: { mimeType: mediaType(block.kind, source.format), data: source.data } }
      throw invalidRequest(
        field,
        `${field}: expected a data URL with a media type, such as data:image/png;base64,….`,
      )
    }
    case 'url': {
      if (isOwnFile(source.url)) return fileData(source.url, block)
      const param = block.kind === 'image' ? `${field}.url` : `${field}.file_data`
      throw invalidRequest(param, `${param}: expected a data URL, or a file in one of Google's stores.`)
    }
    case 'file': {
      if (isOwnFile(source.fileId)) return fileData(source.fileId, block)
      if (fileName.test(source.fileId)) return fileData(filesUrl + source.fileId, block)
      const param = `${field}.file_id`
      throw invalidRequest(param, `${param}: expected a file of Google's Files API, such as files/abc-123.`)
    }
  }
}

function fileData(fileUri: string, block: MediaBlock): Part {
  const name = block.kind === 'document' ? (block.filename ?? fileUri) : fileUri
  const mimeType = typesByEnding[/\.(\w+)(?:[?#].*)?$/.exec(name)?.[1]?.toLowerCase() ?? '']
  return { fileData: { ...(mimeType === undefined ? {} : { mimeType }), fileUri } }
}

/** Google only knows one name for JPEG, and knows recordings by their media types. */
function mediaType(kind: MediaBlock['kind'], format: string): string {
  if (format === 'image/jpg') return 'image/jpeg'
  if (kind !== 'audio' || format.includes('/')) return format
  return format === 'pcm16' ? 'audio/L16' : `audio/${format}`
}

/** Media types, which Vertex requires for files that are given by their address. */
const typesByEnding: Record<string, string | undefined> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  m4a: 'audio/m4a',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mov: 'video/quicktime',
  webm: 'video/webm',
}
