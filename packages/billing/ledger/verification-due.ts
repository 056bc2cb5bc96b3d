import type { VerificationRun } from './verification-store.ts'

/** A verification that was cut short, for example by a restart of its node, is repeated this soon. */
const againAfterMs = 60 * 60 * 1000
/** A verification that ran this long rather exceeded its time, and so would the next one. */
const shortMs = 10 * 60 * 1000

/**
 * Whether the ledger should be verified again.
 * @param newest the newest verification of any kind; undefined: there was none
 * @param everyMs 0: never
 */
export function isVerificationDue(
  newest: Pick<VerificationRun, 'state' | 'startedAtMs' | 'finishedAtMs'> | undefined,
  everyMs: number,
  nowMs: number,
): boolean {
  if (everyMs === 0) return false
  if (newest === undefined) return true
  const { state, startedAtMs, finishedAtMs } = newest
  const wasCutShort = state === 'stopped' && finishedAtMs !== null && finishedAtMs - startedAtMs < shortMs
  return nowMs - startedAtMs >= (wasCutShort ? Math.min(againAfterMs, everyMs) : everyMs)
}
