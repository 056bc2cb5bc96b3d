import type { Profile } from '@turnpike/routing'

/** Names that request auto-routing instead of a model (docs/contract.md, 5.2). */
export const autoModels: Readonly<Record<string, Profile>> = {
  'turnpike/auto': 'auto',
  'turnpike/auto-eco': 'eco',
  'turnpike/auto-premium': 'premium',
}

/** The full name of a profile, as a key's list may contain it. */
export function autoModelOf(profile: Profile): string {
  return profile === 'auto' ? 'turnpike/auto' : `turnpike/auto-${profile}`
}

/** The profile of a name, with or without the provider; undefined for a model's name. */
export function profileOf(model: string): Profile | undefined {
  if (!model.startsWith('turnpike/auto') && !model.startsWith('auto')) return undefined
  return autoModels[model] ?? autoModels[`turnpike/${model}`]
}
