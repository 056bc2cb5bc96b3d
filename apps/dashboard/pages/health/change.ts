/** A value beside the one of as many days before. */
export interface Change {
  /** `same`: no further off than the figure itself may be. */
  direction: 'up' | 'down' | 'same'
  /** Absent: more of it is neither. */
  meaning?: 'better' | 'worse'
}

/** Which way is the better one; `neither`: more requests are no merit. */
export type Better = 'up' | 'down' | 'neither'

/** Times are read from a histogram, of which one step is 19 %: less than this says nothing. */
const noise = 0.2

/** @param least how far apart they must be to say something; absent: a fifth */
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

/** Two shares that are closer may differ by chance: twice the standard error of their difference. */
export function chanceOf(now: Sample, before: Sample): number {
  const all = now.requests + before.requests
  if (now.requests === 0 || before.requests === 0) return 1
  const share = (now.share * now.requests + before.share * before.requests) / all
  return 2 * Math.sqrt(share * (1 - share) * (1 / now.requests + 1 / before.requests))
}

const dayMs = 86_400_000

/** Whether all of as many days before these was counted. @param since Unix epoch seconds */
export function isBeforeCounted(days: readonly string[], since: number): boolean {
  return since * 1000 <= Date.parse(days[0] ?? '') - days.length * dayMs
}
