import { CredentialFailure } from '@turnpike/gateway'
import { hintFor, type IdentityKind } from './hints.ts'

const longestCharacters = 300

/**
 * What went wrong while a credential was asked for, in one line for the log, with the operator's hint. A
 * parser's own words are left out: they quote what was parsed, which may be the secret itself.
 */
export function sourceFailure(kind: IdentityKind, error: unknown, said?: string): CredentialFailure {
  if (error instanceof CredentialFailure) return error
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof SyntaxError || /\bJSON\b.*position|is not valid JSON/.test(message))
    return new CredentialFailure('the response is not JSON', hintFor(kind, 'garbage'))
  // Identifiers and times, others at each try, stand behind these.
  const [line = ''] = (said ?? message).split(/\r?\n| Trace ID:/, 1)
  return new CredentialFailure(line.slice(0, longestCharacters), hintFor(kind, `${name}: ${said ?? message}`))
}
