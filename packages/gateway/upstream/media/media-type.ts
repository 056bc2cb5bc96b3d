import type { MediaKind } from '@turnpike/dialects'

const accepted: Record<MediaKind, RegExp> = {
  image: /^image\/[\w.+-]+$/,
  audio: /^audio\/[\w.+-]+$/,
  document: /^application\/pdf$/,
}

export const expectations: Record<MediaKind, string> = {
  image: 'an image',
  audio: 'an audio recording',
  document: 'a PDF document',
}

/** How storage servers that know no better call everything. */
const unknownTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Names of audio formats, as OpenAI's `input_audio.format` has them. */
const audioFormats: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
}

/** First bytes, in latin1: https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern. */
const beginnings: [RegExp, string][] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBPVP8/, 'image/webp'],
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^ID3/, 'audio/mpeg'],
  [/^%PDF-/, 'application/pdf'],
]
const beginningBytes = 16

/** The answer's media type without its parameters, in lower case; `''` where the server does not know it. */
export function declaredType(header: string | undefined): string {
  const type = (header ?? '').split(';')[0]!.trim().toLowerCase()
  return unknownTypes.has(type) ? '' : type
}

/** The type of a media of this kind; undefined where it is none. */
export function mediaType(declared: string, kind: MediaKind, bytes?: Buffer): string | undefined {
  const type = declared === '' && bytes !== undefined ? typeOf(bytes) : declared
  return accepted[kind].test(type) ? type : undefined
}

/** How a request's media names the format: audio by its short name, all else by its media type. */
export function formatOf(type: string): string {
  return audioFormats[type] ?? type
}

function typeOf(bytes: Buffer): string {
  const beginning = bytes.toString('latin1', 0, beginningBytes)
  return beginnings.find(([pattern]) => pattern.test(beginning))?.[1] ?? ''
}
