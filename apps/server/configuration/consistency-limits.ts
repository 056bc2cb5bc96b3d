import { firstTier } from '@turnpike/limits'
import type { Path } from './mistake.ts'
import type { ConfigurationInput } from './schema.ts'

/** What is wrong between tiers that are right each by itself. */
export function* ofLimits({ limits }: ConfigurationInput): Generator<{ path: Path; message: string }> {
  const tiers = limits?.tiers
  if (tiers === undefined) return
  const path = ['limits', 'tiers']
  const first = tiers[firstTier]
  if (first === undefined)
    yield { path, message: `missing ${firstTier}; it is the tier that accounts begin in` }
  if (first?.lifetime_topup_usd !== undefined && Number(first.lifetime_topup_usd) > 0) {
    yield {
      path: [...path, firstTier, 'lifetime_topup_usd'],
      message: 'accounts begin in this tier: leave it out',
    }
  }
}
