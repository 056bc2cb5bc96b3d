import { CredentialFailure } from '@turnpike/gateway'
import { hintFor, type IdentityKind } from './hints.ts'

const longestCharacters = 300

/**
 * The failure of a mint as one line for the log, with a hint for the operator. Leaves out a parser's
 * message, because it quotes the text, which may be the secret itself.
 */
export function sourceFailure(kind: IdentityKind, error: unknown, detail?: string): CredentialFailure {
  if (error instanceof CredentialFailure) return error
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof SyntaxError || /\bJSON\b.*position|is not valid JSON/.test(message))
    return new CredentialFailure('the response is not JSON', hintFor(kind, 'garbage'))
  // Microsoft adds identifiers and times, which differ in each attempt, after this part.
  const [line = ''] = (detail ?? message).split(/\r?\n| Trace ID:/, 1)
  return new CredentialFailure(
    line.slice(0, longestCharacters),
    hintFor(kind, `${name}: ${detail ?? message}`),
  )
}
