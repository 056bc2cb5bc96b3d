import { isStyleAvailable } from './resolve-providers.ts'
import type { Path } from './mistake.ts'
import type { ConfigurationInput } from './schema.ts'

const message = 'not available yet in this version of Turnpike: take it out of the configuration'

/** Sections that are valid but not built yet. The issue that builds one takes its line out. */
const sections: { path: Path; isUsed: (input: ConfigurationInput) => boolean }[] = [
  { path: ['redis'], isUsed: (input) => input.redis !== undefined },
  { path: ['routing'], isUsed: (input) => input.routing !== undefined },
  { path: ['limits', 'tiers'], isUsed: (input) => input.limits?.tiers !== undefined },
  { path: ['identity'], isUsed: (input) => input.identity !== undefined },
  { path: ['payments', 'stripe'], isUsed: (input) => input.payments?.stripe !== undefined },
]

/** What the configuration uses and this version does not have. */
export function findUnavailable(input: ConfigurationInput): { path: Path; message: string }[] {
  const found = sections.filter(({ isUsed }) => isUsed(input)).map(({ path }) => ({ path, message }))
  for (const [name, provider] of Object.entries(input.providers ?? {})) {
    if (provider === false || isStyleAvailable(provider.style)) continue
    found.push({ path: ['providers', name, 'style'], message: `"${provider.style}" is ${message}` })
  }
  return found
}
