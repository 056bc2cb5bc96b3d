import type { Failure } from '../failure.ts'
import type { Screen } from '../terminal/screen.ts'
import { harmless, oneLine } from '../terminal/text-width.ts'

/** A failure for people: what happened, what to do, and what to quote to whoever runs the gateway. */
export function failureLines({ message, details }: Failure, { style }: Screen): string[] {
  const { hint, requestId, exitCode } = details
  const lines = [`${style.red('✗')} ${harmless(message)}`]
  if (hint !== undefined) lines.push(`  ${hint}`)
  if (exitCode === 3 && requestId) lines.push(style.dim(`  request ${oneLine(requestId)}`))
  return lines
}
