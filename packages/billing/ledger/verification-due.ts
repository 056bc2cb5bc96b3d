import type { VerificationRun } from './verification-store.ts'

/** One that was cut short, as by the restart of its node, is begun anew so soon. */
const againAfterMs = 60 * 60 * 1000
/** One that went on for so long ran out of its time rather: the next one would, too. */
const shortMs = 10 * 60 * 1000

/**
 * Whether the ledger is to be verified again.
 * @param newest of all verifications, whoever asked for it; undefined: there was none
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
