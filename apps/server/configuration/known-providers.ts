import type { FormatName } from '@turnpike/dialects'
import {
  addressOf,
  findVendor,
  vendors,
  type AddressParts,
  type FurtherFormat,
  type ProviderStyle,
  type Vendor,
} from '@turnpike/vendors'
import type { ConfigurationInput } from './schema/schema.ts'

export type ProviderInput = Exclude<NonNullable<ConfigurationInput['providers']>[string], false>

/** The built-in vendor, which has no network address. */
export const sandboxName = 'sandbox'

/** Providers that a key in the environment configures, if the configuration has no `providers` section. */
export const vendorsOfEnvironment = ['openai', 'anthropic', 'gemini', 'deepseek', 'mistral'] as const

/** Names that need no further settings to say which provider is meant. */
export const knownNames: readonly string[] = [...vendors.map(({ name }) => name), sandboxName]

/**
 * A provider's vendor: the one that `vendor` names, else the one of the same name, if the style is its own.
 */
export function vendorOf(name: string, { vendor, style }: ProviderInput): Vendor | undefined {
  if (vendor !== undefined) return findVendor(vendor)
  const known = findVendor(name)
  return style === undefined || known?.style === style ? known : undefined
}

/** Undefined if the style has to be configured and is not. */
export function styleOf(name: string, input: ProviderInput): ProviderStyle | undefined {
  if (input.style !== undefined) return input.style
  return vendorOf(name, input)?.style ?? (name === sandboxName ? 'sandbox' : undefined)
}

/** The vendor that defines each style. Other servers of that style are treated like it. */
const makers: Record<Exclude<ProviderStyle, 'sandbox'>, string> = {
  openai: 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  google: 'gemini',
  deepseek: 'deepseek',
  mistral: 'mistral',
  bedrock: 'bedrock',
}

export function makerOf(style: Exclude<ProviderStyle, 'sandbox'>): Vendor {
  const maker = findVendor(makers[style])!
  return style === 'openai-responses' ? { ...maker, style, format: style } : maker
}

/** The formats that a provider is known to speak, its own first; undefined if its style is not known. */
export function formatsSpoken(name: string, input: ProviderInput): FormatName[] | undefined {
  const style = styleOf(name, input)
  if (style === undefined) return undefined
  const vendor = vendorOf(name, input)
  const own = (vendor ?? (style === 'sandbox' ? undefined : makerOf(style)))?.format ?? 'openai-chat'
  return [own, ...alsoSpeaks(name, input).map(({ format }) => format)]
}

/** Most servers with OpenAI's format, such as llama.cpp and LM Studio, also have its older completions. */
const ofAnyServer: readonly FurtherFormat[] = [
  {
    format: 'openai-completions',
    page: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  },
  {
    format: 'openai-embeddings',
    page: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  },
  {
    format: 'jina-rerank',
    page: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  },
]

/** The sandbox's formats besides chat completions. */
const ofSandbox: readonly FurtherFormat[] = [
  ...ofAnyServer.filter(({ format }) => format !== 'openai-completions'),
  {
    format: 'openai-moderations',
    page: 'https://platform.openai.com/docs/api-reference/moderations',
  },
]

/** The formats in which a provider may be called besides its own. */
export function alsoSpeaks(name: string, input: ProviderInput): readonly FurtherFormat[] {
  const vendor = vendorOf(name, input)
  if (vendor !== undefined) return vendor.alsoSpeaks ?? []
  return ofAnyServersOf(styleOf(name, input))
}

function ofAnyServersOf(style: ProviderStyle | undefined): readonly FurtherFormat[] {
  if (style === 'openai') return ofAnyServer
  return style === 'sandbox' ? ofSandbox : []
}

/**
 * The provider's address if the configuration has none; undefined if it has to be configured, because any
 * server may speak OpenAI's format.
 */
export function defaultBaseUrl(name: string, input: ProviderInput): string | undefined {
  const vendor = vendorOf(name, input)
  if (vendor?.addresses !== undefined)
    return addressOf(vendor.addresses, { ...partsSaid(input), region: input.regions?.[0] })
  if (vendor !== undefined) return vendor.baseUrl
  const style = styleOf(name, input)
  if (style === undefined || style === 'sandbox' || isSpokenByMany(style)) return undefined
  return makerOf(style).baseUrl
}

/** The parts of an address that the configuration sets. */
export function partsSaid({ project, resource }: ProviderInput): Omit<AddressParts, 'region'> {
  return { project, resource }
}

/** Any server may speak OpenAI's formats, so what it bills cannot be known from the style. */
export function isSpokenByMany(style: ProviderStyle): boolean {
  return style === 'openai' || style === 'openai-responses'
}
