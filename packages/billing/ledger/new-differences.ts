import type { LedgerDifference } from './ledger-store.ts'
import type { VerificationRun } from './verification-store.ts'

type EarlierRun = Pick<VerificationRun, 'state' | 'differences'>

/** Subjects about files in one node's data directory, which verifications of other nodes do not see. */
const ofOneNode = /, set aside in |^bytes that are no rows in |^further rows set aside$/

const wholeNumber = /^-?\d+$/

/** Identifies a difference in all runs: amounts grow with spending, but their difference stays. */
export function differenceIdentity({ subject, expected, found }: LedgerDifference): string {
  if (!wholeNumber.test(expected) || !wholeNumber.test(found)) return subject
  return `${subject}: ${BigInt(found) - BigInt(expected)}`
}

/**
 * The differences that no relevant earlier verification has found: the last finished one and those after it
 * and, for one node's own files, all of them.
 * @param earlier newest first
 */
export function newDifferences(
  found: readonly LedgerDifference[],
  earlier: readonly EarlierRun[],
): LedgerDifference[] {
  const known = new Set<string>()
  let counts = true
  for (const { state, differences } of earlier) {
    for (const difference of differences)
      if (counts || ofOneNode.test(difference.subject)) known.add(differenceIdentity(difference))
    if (state === 'finished') counts = false
  }
  return found.filter((difference) => !known.has(differenceIdentity(difference)))
}

/** Whether some of the differences of the last finished verification are gone. */
export function areSomeMended(found: readonly LedgerDifference[], earlier: readonly EarlierRun[]): boolean {
  const last = earlier.find(({ state }) => state === 'finished')
  const still = new Set(found.map(differenceIdentity))
  return (last?.differences ?? []).some(
    (difference) => !ofOneNode.test(difference.subject) && !still.has(differenceIdentity(difference)),
  )
}
