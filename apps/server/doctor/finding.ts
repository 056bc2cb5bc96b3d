/**
 * The result of one check. `wrong`: the gateway does not work. `warning`: it works, but badly or not for
 * long.
 */
export interface Finding {
  /** What was checked: `Node`, `openai, key 2 of 3`. */
  of: string
  state: 'ok' | 'warning' | 'wrong' | 'not checked'
  /** The state, or what is wrong and what to do about it: a sentence without its full stop. */
  says: string
}

/** How far this machine's clock is ahead of another one, in milliseconds; negative: behind. */
export interface ClockReading {
  /** The host with the other clock. */
  of: string
  aheadMs: number
}

const marks: Record<Finding['state'], string> = { ok: '✓', warning: '!', wrong: '✗', 'not checked': '-' }

/** One line per finding, with the names in a column. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ of }) => of.length))
  return findings.map(({ of, state, says }) => `${marks[state]} ${of.padEnd(width)}  ${says}\n`).join('')
}

/** Describes an error in a few words, without its stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  // The error of `fetch` says nothing by itself; its cause does.
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
