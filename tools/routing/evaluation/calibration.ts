import { tiers } from '@turnpike/routing'
import { successByTier } from '../training/model-tiers.ts'
import type { ScoredRow } from './scored-rows.ts'

const bins = 10

/** Expected calibration error by tier: the mean distance of predicted and actual success, weighted. */
export function calibrationErrors(
  scored: readonly ScoredRow[],
): { tier: string; prompts: number; error: number }[] {
  return tiers.map((tier, index) => {
    const sums = Array.from({ length: bins }, () => ({ promised: 0, came: 0, count: 0 }))
    let prompts = 0
    for (const { row, score } of scored) {
      const came = successByTier(row.labels)[index]
      if (came === undefined || row.source === 'mgsm-translated') continue
      const promised = score.probabilities[tier]
      const bin = sums[Math.min(bins - 1, Math.floor(promised * bins))]!
      bin.promised += promised
      bin.came += came
      bin.count++
      prompts++
    }
    const error = sums.reduce((sum, { promised, came }) => sum + Math.abs(promised - came), 0) / prompts
    return { tier, prompts, error }
  })
}
