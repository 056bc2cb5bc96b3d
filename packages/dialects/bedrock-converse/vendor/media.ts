import { invalidRequest, type ContentBlock, type MediaSource } from '@turnpike/protocol'
import type { TurnBlock } from '../../requests/turns.ts'

type ImageBlock = Extract<ContentBlock, { kind: 'image' }>
type DocumentBlock = Extract<ContentBlock, { kind: 'document' }>

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html */
const imageFormats: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
const documentFormats: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
])

export function formatImage({ source }: ImageBlock, path: string): TurnBlock {
  const field = `${path}.image_url.url`
  const { data, format } = requireBase64(source, field)
  return imageOf(format, data, field)
}

function imageOf(mediaType: string, data: string, field: string): TurnBlock {
  const format = imageFormats.get(mediaType.toLowerCase())
  if (format === undefined)
    throw invalidRequest(
      field,
      `${field}: expected an image as JPEG, PNG, GIF or WebP, not ${mediaType || 'data'}.`,
    )
  return { image: { format, source: { bytes: data } } }
}

/**
 * @param number of the document within the request. Its name comes from this, because the model sees the
 * name, in which a caller could write anything, and because Bedrock refuses duplicate names
 */
export function formatDocument({ source }: DocumentBlock, path: string, number: number): TurnBlock {
  const field = `${path}.file.file_data`
  const { data, format: mediaType } = requireBase64(source, field)
  if (mediaType.startsWith('image/')) return imageOf(mediaType, data, field)
  const format = documentFormats.get(mediaType.toLowerCase().split(';')[0]!)
  if (format === undefined)
    throw invalidRequest(
      field,
      `${field}: expected a PDF, an Office document, CSV, HTML, Markdown or plain text, ` +
        `not ${mediaType || 'data without a type'}.`,
    )
  return { document: { format, name: `document-${number}`, source: { bytes: data } } }
}

/** Only bytes: Bedrock fetches no URLs, and a file's name belongs to another vendor. */
function requireBase64(source: MediaSource, field: string): Extract<MediaSource, { type: 'base64' }> {
  if (source.type === 'base64') return source
  throw invalidRequest(field, `${field}: expected a base64 data URL, or a URL that can be downloaded.`)
}
