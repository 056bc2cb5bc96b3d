import type { Letter } from '@turnpike/simulators/mail/smtp-server'

/** Decodes a letter's body from quoted-printable, in which mail is sent. */
export function plainText(body: string): string {
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes a subject with words that are encoded according to RFC 2047. */
export function subjectOf({ headers }: Pick<Letter, 'headers'>): string {
  const encoded = (headers['subject'] ?? '').replaceAll(/\?=\s+=\?/g, '?==?')
  return encoded.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('utf8')
      : plainText(word.replaceAll('_', ' ')),
  )
}
