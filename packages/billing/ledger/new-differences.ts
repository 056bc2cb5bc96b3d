import type { LedgerDifference } from './ledger-store.ts'
import type { VerificationRun } from './verification-store.ts'

type EarlierRun = Pick<VerificationRun, 'state' | 'differences'>

/** Of files in one node's data directory: verifications of other nodes do not see them. */
const ofOneNode = /, set aside in |^bytes that are no rows in |^further rows set aside$/

const wholeNumber = /^-?\d+$/

/**
 * The same for a difference however often it is found: amounts grow with what is spent meanwhile, and by how
 * much they differ stays.
 */
export function differenceIdentity({ subject, expected, found }: LedgerDifference): string {
  if (!wholeNumber.test(expected) || !wholeNumber.test(found)) return subject
  return `${subject}: ${BigInt(found) - BigInt(expected)}`
}

/**
 * What no verification has found that still counts: the last one that finished and those behind it and, of
 * one node's own files, all of them.
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

/** Whether what the last one that finished has found is gone, in part at least. */
export function areSomeMended(found: readonly LedgerDifference[], earlier: readonly EarlierRun[]): boolean {
  const last = earlier.find(({ state }) => state === 'finished')
  const still = new Set(found.map(differenceIdentity))
  return (last?.differences ?? []).some(
    (difference) => !ofOneNode.test(difference.subject) && !still.has(differenceIdentity(difference)),
  )
}
