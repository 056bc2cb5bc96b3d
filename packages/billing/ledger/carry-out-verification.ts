import type { LedgerVerification } from './ledger-store.ts'
import type { VerificationStore } from './verification-store.ts'

/** How often a running verification reports progress. After a minute of silence it counts as ended. */
const reportEveryMs = 2_000

interface CarryOutParts {
  runs: Pick<VerificationStore, 'advance' | 'end'>
  verify: () => Promise<LedgerVerification>
  /** The number of comparisons so far. */
  checked: () => number
  clock: () => number
  onFailure: (error: unknown, what: string) => void
}

/**
 * Carries out a verification that was begun: reports its progress, and stores its result.
 * @param id `ver_…`
 * @throws if its end cannot be stored
 */
export async function carryOutVerification(id: string, parts: CarryOutParts): Promise<void> {
  const { runs, verify, checked: checkedSoFar, clock, onFailure } = parts
  const reporting = setInterval(() => {
    runs
      .advance(id, checkedSoFar(), clock())
      .catch((error: unknown) => onFailure(error, 'The progress of a verification could not be saved.'))
  }, reportEveryMs)
  try {
    const { checked, differences, stopped } = await verify()
    await runs.end(id, { state: stopped === true ? 'stopped' : 'finished', checked, differences }, clock())
  } catch (error) {
    onFailure(error, 'The ledger could not be verified.')
    await runs.end(id, { state: 'failed', checked: checkedSoFar(), differences: [] }, clock())
  } finally {
    clearInterval(reporting)
  }
}
