import { readFileSync } from 'node:fs'

/** Larger files hold no secret. */
const maxBytes = 1024 * 1024

/** The content of a secret's file, or the reason why it cannot be used. */
export type SecretText = { text: string; problem: undefined } | { text: undefined; problem: string }

/**
 * Reads a file that holds one secret, without the line break at its end.
 * @param isKey the secret is sent in a header, so it must be one line of characters that a header allows
 */
export function readSecretText(path: string, isKey = false): SecretText {
  try {
    return judge(readFileSync(path), isKey)
  } catch (error) {
    return unreadable(error)
  }
}

export function unreadable(error: unknown): SecretText {
  const { code, message } = error as NodeJS.ErrnoException
  return { text: undefined, problem: `cannot be read (${code ?? message})` }
}

export function judge(bytes: Buffer, isKey = false): SecretText {
  if (bytes.length > maxBytes) return { text: undefined, problem: 'is too large for a secret' }
  const text = bytes.toString('utf8').replace(/[\r\n]+$/, '')
  if (text === '') return { text: undefined, problem: 'is empty' }
  if (isKey && !/^[!-~]+$/.test(text)) return { text: undefined, problem: 'contains more than a key' }
  return { text, problem: undefined }
}
