import type { Failure } from '../failure.ts'
import type { Screen } from '../terminal/screen.ts'
import { harmless, oneLine, wrap } from '../terminal/text-width.ts'

/** A failure for people: what happened, what to do, and what to quote to the gateway's operator. */
export function failureLines({ message, details }: Failure, screen: Screen): string[] {
  const { style } = screen
  const { hint, requestId, exitCode } = details
  const lines = inLines(harmless(message), screen).map(
    (line, index) => `${index === 0 ? style.red('✗') : ' '} ${line}`,
  )
  if (hint !== undefined) lines.push(...inLines(hint, screen).map((line) => `  ${line}`))
  if (exitCode === 3 && requestId) lines.push(style.dim(`  request ${oneLine(requestId)}`))
  return lines
}

/** Unbroken into a pipe; on a terminal broken between words. */
function inLines(text: string, { isTerminal, width }: Screen): string[] {
  const lines = text.split('\n')
  return isTerminal ? lines.flatMap((line) => wrap(line, width - 2)) : lines
}
