/**
 * What one check found. `wrong`: the gateway does not work so; `warning`: it does, but not for long, or not
 * well.
 */
export interface Finding {
  /** What was looked at: `Node`, `openai, key 2 of 3`. */
  of: string
  state: 'ok' | 'warning' | 'wrong' | 'not checked'
  /** What there is, or what is wrong and what to do about it, in a sentence without its full stop. */
  says: string
}

/** Milliseconds by which this machine's clock is ahead of another one; negative: behind. */
export interface ClockReading {
  /** Whose clock it was compared with. */
  of: string
  aheadMs: number
}

const marks: Record<Finding['state'], string> = { ok: '✓', warning: '!', wrong: '✗', 'not checked': '-' }

/** A line for each finding, the names in a column. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ of }) => of.length))
  return findings.map(({ of, state, says }) => `${marks[state]} ${of.padEnd(width)}  ${says}\n`).join('')
}

/** An error in a few words, without its stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  // What `fetch` rejects with says nothing by itself.
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
