/** Tiers of auto-routing, by name; `packages/routing` defines their meaning. */
type TierName = 'SIMPLE' | 'MEDIUM' | 'COMPLEX' | 'REASONING'

/**
 * The models of a vendor that serve each tier if the configuration names none: our own choice, by the
 * vendors' descriptions and prices. Each tier has a model that supports a temperature, if the vendor has one,
 * and one with the best answers for its price.
 */
const modelsByTier: Readonly<Record<string, Readonly<Record<TierName, readonly string[]>>>> = {
  openai: {
    SIMPLE: ['gpt-5-nano', 'gpt-4.1-nano'],
    MEDIUM: ['gpt-5-mini', 'gpt-4.1-mini'],
    COMPLEX: ['gpt-5.1', 'gpt-4.1'],
    REASONING: ['gpt-5.2', 'gpt-5.4', 'gpt-4.1'],
  },
  anthropic: {
    SIMPLE: ['claude-haiku-4-5'],
    MEDIUM: ['claude-haiku-4-5'],
    COMPLEX: ['claude-sonnet-5', 'claude-sonnet-4-6'],
    REASONING: ['claude-opus-5-5', 'claude-opus-4-6'],
  },
  gemini: {
    SIMPLE: ['gemini-2.5-flash-lite'],
    MEDIUM: ['gemini-2.5-flash'],
    COMPLEX: ['gemini-3.7-flash'],
    REASONING: ['gemini-3.1-pro-preview', 'gemini-2.5-pro'],
  },
  deepseek: {
    SIMPLE: ['deepseek-v4-flash'],
    MEDIUM: ['deepseek-v4-flash'],
    COMPLEX: ['deepseek-v4-pro'],
    REASONING: ['deepseek-v4-pro'],
  },
  mistral: {
    SIMPLE: ['ministral-8b-2512'],
    MEDIUM: ['mistral-small-2603'],
    COMPLEX: ['mistral-large-2512'],
    REASONING: ['magistral-medium-latest'],
  },
}

/** The tiers that a vendor's model serves by default, from the lowest. */
export function defaultTiers(vendor: string | undefined, model: string): TierName[] {
  const tiers = vendor === undefined ? undefined : modelsByTier[vendor]
  if (tiers === undefined) return []
  return (Object.keys(tiers) as TierName[]).filter((tier) => tiers[tier].includes(model))
}

/** All models above, as `<vendor>/<model>`. */
export function modelsWithTiers(): string[] {
  return Object.entries(modelsByTier).flatMap(([vendor, tiers]) =>
    [...new Set(Object.values(tiers).flat())].map((model) => `${vendor}/${model}`),
  )
}
