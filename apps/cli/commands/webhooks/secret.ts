import type { CreatedEventTarget } from '@turnpike/api'
import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { record, type Result } from '../../output/result.ts'
import { targetFacts } from './target-columns.ts'

/**
 * Asked before there is a secret, since one that ends in a log is worse than none.
 * @throws {Failure} where a secret would be shown to neither a person nor a program that expects it
 */
export function requireSecretReader({ output }: Context): void {
  if (output.isJson || output.screen.isTerminal) return
  throw badInput('Expected --json, or a terminal: this creates a secret that is shown only once.', '--json')
}

/** Shows the secret, the only time that it can be seen. */
export function showSecret({ output }: Context, target: CreatedEventTarget): Result {
  if (target.secret !== null) output.warn('Save the secret now. It will not be shown again.')
  return record(target, (screen) => targetFacts(target, screen, target.secret))
}
