import { addMarkup } from '@turnpike/billing'
import type { Pricing } from '@turnpike/protocol'
import { tiers } from '@turnpike/routing'
import type { AutoRouter } from '../auto/auto-router.ts'
import { autoModels } from '../auto/profile.ts'
import type { ServedOption } from '../auto/route-options.ts'
import { mayUse, type AllowedModels } from '../candidates/allowed-models.ts'
import type { ListedModel } from './anthropic-models.ts'

/** When auto-routing was introduced: every listed model has a creation time. */
const created = 1_795_219_200

const names: Readonly<Record<string, string>> = {
  'turnpike/auto': 'Auto: the cheapest model that can answer well',
  'turnpike/auto-eco': 'Auto eco: cheaper, at slightly lower quality',
  'turnpike/auto-premium': 'Auto premium: stronger models, rarely too weak',
}

interface AutoListing extends ListedModel {
  object: 'model'
}

/**
 * The auto-routing entries of `GET /v1/models`. Each has the capabilities of any model that it may choose for
 * a key, and the highest prices among them. Empty if there is none to choose from.
 */
export function autoListings(auto: AutoRouter, allowed: AllowedModels): AutoListing[] {
  const options = [...auto.options]
  return Object.keys(autoModels).flatMap((id) => {
    const own = options.filter(({ model }) => mayUse(allowed, model, id))
    return own.length === 0 ? [] : [listing(id, own)]
  })
}

function listing(id: string, options: readonly ServedOption[]): AutoListing {
  const all = <Item>(of: (option: ServedOption) => readonly Item[]): Item[] => [
    ...new Set(options.flatMap(of)),
  ]
  return {
    id,
    object: 'model',
    created,
    owned_by: 'turnpike',
    name: names[id] ?? id,
    context_length: Math.max(...options.map(({ contextLength }) => contextLength)),
    max_output_tokens: Math.max(...options.map(({ maxOutputTokens }) => maxOutputTokens)),
    pricing: highest(options.map(({ candidates }) => addMarkup(candidates[0]!.prices))),
    limits: { requests_per_minute: null, input_tokens_per_minute: null, output_tokens_per_minute: null },
    operations: ['generate'],
    dimensions: null,
    modalities: { input: all(({ modalities }) => modalities), output: ['text'] },
    supported_parameters: all(({ parameters }) => parameters).toSorted(),
    tiers: tiers.filter((tier) => options.some((option) => option.tiers.includes(tier))),
  }
}

function highest(prices: readonly Pricing[]): Pricing {
  const most = (name: 'prompt' | 'completion'): string =>
    prices
      .map((price) => price[name])
      .reduce((dearest, one) => (Number(one) > Number(dearest) ? one : dearest))
  return { prompt: most('prompt'), completion: most('completion') }
}
