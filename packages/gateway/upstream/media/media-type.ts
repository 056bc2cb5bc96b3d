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

/** Types that storage servers use for anything unknown. */
const unknownTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Names of audio formats in OpenAI's `input_audio.format`. */
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

/** The response's media type without its parameters, in lower case; `''` if the server does not know it. */
export function declaredType(header: string | undefined): string {
  const type = (header ?? '').split(';')[0]!.trim().toLowerCase()
  return unknownTypes.has(type) ? '' : type
}

/** The media type, if it is of this kind; otherwise undefined. */
export function mediaType(declared: string, kind: MediaKind, bytes?: Buffer): string | undefined {
  const type = declared === '' && bytes !== undefined ? typeOf(bytes) : declared
  return accepted[kind].test(type) ? type : undefined
}

/** The format's name in a request's media: a short name for audio, the media type for everything else. */
export function formatOf(type: string): string {
  return audioFormats[type] ?? type
}

function typeOf(bytes: Buffer): string {
  const beginning = bytes.toString('latin1', 0, beginningBytes)
  return beginnings.find(([pattern]) => pattern.test(beginning))?.[1] ?? ''
}
