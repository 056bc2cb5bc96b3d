import type { Letter } from '@turnpike/simulators/mail/smtp-server'

/** Of a letter's body in quoted-printable, as mail is sent. */
export function plainText(body: string): string {
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** With words that are encoded as RFC 2047 says. */
export function subjectOf({ headers }: Pick<Letter, 'headers'>): string {
  const encoded = (headers['subject'] ?? '').replaceAll(/\?=\s+=\?/g, '?==?')
  return encoded.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('utf8')
      : plainText(word.replaceAll('_', ' ')),
  )
}
