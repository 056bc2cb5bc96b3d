import { firstTier } from '@turnpike/limits'
import { knownNames } from '../known-providers.ts'
import type { Path } from '../mistakes/mistake.ts'
import { nearest } from '../mistakes/nearest.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

interface Contradiction {
  path: Path
  message: string
}

/** Finds tiers and model limits that are each valid but contradict each other. */
export function* ofLimits(input: ConfigurationInput): Generator<Contradiction> {
  const tiers = input.limits?.tiers
  if (tiers === undefined) return
  const path = ['limits', 'tiers']
  const first = tiers[firstTier]
  if (first === undefined)
    yield { path, message: `missing ${firstTier}; it is the tier that accounts start in` }
  if (first?.lifetime_topup_usd !== undefined && Number(first.lifetime_topup_usd) > 0) {
    yield {
      path: [...path, firstTier, 'lifetime_topup_usd'],
      message: 'accounts start in this tier: remove it',
    }
  }
  for (const [name, { models }] of Object.entries(tiers))
    yield* ofModels(input, Object.keys(models ?? {}), [...path, name, 'models'])
}

/** A limit for a model that cannot exist would have no effect, and nobody would notice. */
function* ofModels(input: ConfigurationInput, ids: readonly string[], path: Path): Generator<Contradiction> {
  const providers = new Set([...knownNames, ...Object.keys(input.providers ?? {})])
  for (const id of ids) {
    const provider = id.slice(0, id.indexOf('/'))
    if (providers.has(provider) || input.models?.[id] !== undefined) continue
    const near = nearest(provider, providers)
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    yield { path: [...path, id], message: `unknown provider "${provider}"${hint}` }
  }
}
