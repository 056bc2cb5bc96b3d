import type { CreatedEventTarget } from '@turnpike/api'
import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { record, type Result } from '../../output/result.ts'
import { targetFacts } from './target-columns.ts'

/**
 * Checked before the secret is created, since one that ends up in a log is worse than none.
 * @throws {Failure} if the secret would be shown neither to a person nor to a program that expects it
 */
export function requireSecretReader({ output }: Context): void {
  if (output.isJson || output.screen.isTerminal) return
  throw badInput('Expected --json, or a terminal: this creates a secret that is shown only once.', '--json')
}

/** Shows the secret, which cannot be shown again. */
export function showSecret({ output }: Context, target: CreatedEventTarget): Result {
  if (target.secret !== null) output.warn('Save the secret now. It will not be shown again.')
  return record(target, (screen) => targetFacts(target, screen, target.secret))
}
