/** A value compared with the one of the same number of days before. */
export interface Change {
  /** `same` if the difference is within the measuring error. */
  direction: 'up' | 'down' | 'same'
  /** Absent if neither direction is better. */
  meaning?: 'better' | 'worse'
}

/** Which direction is better; `neither`: more requests are neither good nor bad. */
export type Better = 'up' | 'down' | 'neither'

/** Times come from a histogram with steps of 19 %: smaller changes mean nothing. */
const noise = 0.2

/** @param least smaller differences count as the same; absent: a fifth of the previous value */
export function changeOf(
  now: number,
  before: number,
  better: Better,
  least = Math.abs(before) * noise,
): Change {
  if (Math.abs(now - before) <= least) return { direction: 'same' }
  const direction = now > before ? 'up' : 'down'
  if (better === 'neither') return { direction }
  return { direction, meaning: direction === better ? 'better' : 'worse' }
}

interface Sample {
  /** From 0 to 1. */
  share: number
  requests: number
}

/** A smaller difference of two shares may be chance: twice the standard error of their difference. */
export function chanceOf(now: Sample, before: Sample): number {
  const all = now.requests + before.requests
  if (now.requests === 0 || before.requests === 0) return 1
  const share = (now.share * now.requests + before.share * before.requests) / all
  return 2 * Math.sqrt(share * (1 - share) * (1 / now.requests + 1 / before.requests))
}

const dayMs = 86_400_000

/**
 * Whether counting covers the whole previous period.
 * @param since start of counting in Unix epoch seconds
 */
export function isBeforeCounted(days: readonly string[], since: number): boolean {
  return since * 1000 <= Date.parse(days[0] ?? '') - days.length * dayMs
}
