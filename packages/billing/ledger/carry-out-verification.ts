import type { LedgerVerification } from './ledger-store.ts'
import type { VerificationStore } from './verification-store.ts'

/** How often one that goes on says so: of one that is silent for a minute, others take it that it ended. */
const toldEveryMs = 2_000

interface CarryOutParts {
  runs: Pick<VerificationStore, 'advance' | 'end'>
  verify: () => Promise<LedgerVerification>
  /** How many figures were compared so far. */
  checked: () => number
  clock: () => number
  onFailure: (error: unknown, what: string) => void
}

/**
 * Carries out a verification that was begun: tells that it goes on, and notes what became of it.
 * @param id `ver_…`
 * @throws where its end cannot be noted
 */
export async function carryOutVerification(id: string, parts: CarryOutParts): Promise<void> {
  const { runs, verify, checked: checkedSoFar, clock, onFailure } = parts
  const told = setInterval(() => {
    runs
      .advance(id, checkedSoFar(), clock())
      .catch((error: unknown) => onFailure(error, 'The progress of a verification could not be saved.'))
  }, toldEveryMs)
  try {
    const { checked, differences, stopped } = await verify()
    await runs.end(id, { state: stopped === true ? 'stopped' : 'finished', checked, differences }, clock())
  } catch (error) {
    onFailure(error, 'The ledger could not be verified.')
    await runs.end(id, { state: 'failed', checked: checkedSoFar(), differences: [] }, clock())
  } finally {
    clearInterval(told)
  }
}
