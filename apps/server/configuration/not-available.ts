import type { Path } from './mistake.ts'
import type { ConfigurationInput } from './schema.ts'

const message = 'not available yet in this version of Turnpike: take it out of the configuration'

/** Sections that are valid but not built yet. The issue that builds one takes its line out. */
const sections: { path: Path; isUsed: (input: ConfigurationInput) => boolean }[] = [
  { path: ['routing'], isUsed: (input) => input.routing !== undefined },
  { path: ['admin', 'operators'], isUsed: (input) => input.admin?.operators !== undefined },
]

/** What the configuration uses and this version does not have. */
export function findUnavailable(input: ConfigurationInput): { path: Path; message: string }[] {
  const found = sections.filter(({ isUsed }) => isUsed(input)).map(({ path }) => ({ path, message }))
  for (const [name, provider] of Object.entries(input.providers ?? {})) {
    if (provider === false) continue
    if ((provider.api_keys?.length ?? 0) > 1) {
      found.push({ path: ['providers', name, 'api_keys', 1], message: `a second key is ${message}` })
    }
  }
  return [...found, ...unavailableOfModels(input)]
}

function unavailableOfModels(input: ConfigurationInput): { path: Path; message: string }[] {
  const found: { path: Path; message: string }[] = []
  for (const [id, model] of Object.entries(input.models ?? {})) {
    if ((model.upstreams?.length ?? 0) > 1) {
      found.push({ path: ['models', id, 'upstreams', 1], message: `a second upstream is ${message}` })
    }
    if ((model.fallbacks?.length ?? 0) > 0) found.push({ path: ['models', id, 'fallbacks'], message })
  }
  return found
}
