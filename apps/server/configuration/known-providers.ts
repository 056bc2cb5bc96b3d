import type { ConfigurationInput } from './schema.ts'

export type ProviderInput = Exclude<NonNullable<ConfigurationInput['providers']>[string], false>
type Style = ProviderInput['style']

export interface KnownProvider {
  style: Style
  baseUrl: string
  /** The environment variable that makes it a provider where the configuration names none. */
  variable: string | undefined
}

/** Vendors that need no address in the configuration, by the name they go by. */
export const knownProviders: Record<string, KnownProvider> = {
  openai: { style: 'openai', baseUrl: 'https://api.openai.com/v1', variable: 'OPENAI_API_KEY' },
  anthropic: { style: 'anthropic', baseUrl: 'https://api.anthropic.com', variable: 'ANTHROPIC_API_KEY' },
  gemini: {
    style: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    variable: 'GEMINI_API_KEY',
  },
  deepseek: { style: 'deepseek', baseUrl: 'https://api.deepseek.com/v1', variable: 'DEEPSEEK_API_KEY' },
  mistral: { style: 'mistral', baseUrl: 'https://api.mistral.ai/v1', variable: 'MISTRAL_API_KEY' },
  sandbox: { style: 'sandbox', baseUrl: 'http://sandbox.invalid/v1', variable: undefined },
}

/** The vendor's own address; undefined for style `openai` under another name, which may be anybody's. */
export function defaultBaseUrl(name: string, style: Style): string | undefined {
  const known = knownProviders[name]
  if (known?.style === style) return known.baseUrl
  if (style === 'openai') return undefined
  return Object.values(knownProviders).find((one) => one.style === style)?.baseUrl
}
