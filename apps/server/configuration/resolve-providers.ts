import type { Provider, ProviderStyle } from '@turnpike/vendors'
import type { Timeouts } from './configuration.ts'
import { defaultBaseUrl, knownProviders, type ProviderInput } from './known-providers.ts'
import type { ConfigurationInput } from './schema.ts'
import type { Environment } from './variables.ts'

/** Styles that this version speaks; a new dialect adds its own. */
const availableStyles: readonly string[] = ['openai', 'sandbox'] satisfies ProviderStyle[]

export function isStyleAvailable(style: string): style is ProviderStyle {
  return availableStyles.includes(style)
}

/**
 * The providers that the configuration names or, where it has no such section, the vendors whose keys are
 * in the environment; and the sandbox, unless it is taken out or callers come from outside.
 */
export function resolveProviders(
  input: ConfigurationInput,
  environment: Environment,
  { general, publicUrlIsLoopback }: { general: Timeouts; publicUrlIsLoopback: boolean },
): { providers: Provider[]; warnings: string[] } {
  const { named, warnings } =
    input.providers === undefined ? fromEnvironment(environment) : { named: input.providers, warnings: [] }
  const entries: Record<string, ProviderInput | false> = { ...named }
  if (entries['sandbox'] === undefined && publicUrlIsLoopback) entries['sandbox'] = { style: 'sandbox' }
  const providers: Provider[] = []
  for (const [name, entry] of Object.entries(entries)) {
    if (entry === false || !isStyleAvailable(entry.style)) continue
    const baseUrl = entry.base_url ?? defaultBaseUrl(name, entry.style) ?? ''
    providers.push({
      name,
      style: entry.style,
      dialect: 'openai-chat',
      baseUrl: withoutSlash(baseUrl),
      path: undefined,
      query: '',
      credential: { header: 'authorization', prefix: 'Bearer ' },
      headers: {},
      takesStreamOptions: true,
      apiKeys: entry.api_keys ?? [],
      timeouts: { ...general, ...resolveTimeouts(entry.upstream) },
    })
  }
  return { providers, warnings }
}

function fromEnvironment(environment: Environment): {
  named: Record<string, ProviderInput>
  warnings: string[]
} {
  const named: Record<string, ProviderInput> = {}
  const warnings: string[] = []
  for (const [name, { style, variable }] of Object.entries(knownProviders)) {
    const key = variable === undefined ? undefined : environment[variable]
    if (key === undefined || key === '') continue
    if (isStyleAvailable(style)) named[name] = { style, api_keys: [key] }
    else
      warnings.push(
        `${variable} is set, but the provider ${name} is not available yet in this version of Turnpike`,
      )
  }
  return { named, warnings }
}

/** In milliseconds; what is not said is left out. */
export function resolveTimeouts(input: ConfigurationInput['upstream']): Partial<Timeouts> {
  const timeouts: Partial<Timeouts> = {}
  if (input?.connect_seconds !== undefined) timeouts.connectMs = milliseconds(input.connect_seconds)
  if (input?.first_byte_seconds !== undefined) timeouts.firstByteMs = milliseconds(input.first_byte_seconds)
  if (input?.idle_seconds !== undefined) timeouts.idleMs = milliseconds(input.idle_seconds)
  if (input?.total_seconds !== undefined) timeouts.totalMs = milliseconds(input.total_seconds)
  return timeouts
}

export function milliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000))
}

export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
