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

/** The built-in vendor, which is no address at all. */
export const sandboxName = 'sandbox'

/** Providers that are there by their key in the environment, where the configuration names none. */
export const vendorsOfEnvironment = ['openai', 'anthropic', 'gemini', 'deepseek', 'mistral'] as const

/** Names that say by themselves what a provider is. */
export const knownNames: readonly string[] = [...vendors.map(({ name }) => name), sandboxName]

/** The vendor of a provider: the one it names, else the one it is called after, if it speaks its format. */
export function vendorOf(name: string, { vendor, style }: ProviderInput): Vendor | undefined {
  if (vendor !== undefined) return findVendor(vendor)
  const known = findVendor(name)
  return style === undefined || known?.style === style ? known : undefined
}

/** Undefined where only the configuration could say it, and does not. */
export function styleOf(name: string, input: ProviderInput): ProviderStyle | undefined {
  if (input.style !== undefined) return input.style
  return vendorOf(name, input)?.style ?? (name === sandboxName ? 'sandbox' : undefined)
}

/** Whose format a style is, by which anybody else's server of that style is understood. */
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

/** The formats that a provider is known to speak, its own first; undefined where its style is not known. */
export function formatsSpoken(name: string, input: ProviderInput): FormatName[] | undefined {
  const style = styleOf(name, input)
  if (style === undefined) return undefined
  const vendor = vendorOf(name, input)
  const own = (vendor ?? (style === 'sandbox' ? undefined : makerOf(style)))?.format ?? 'openai-chat'
  return [own, ...alsoSpeaks(name, input).map(({ format }) => format)]
}

/** Most servers of OpenAI's format have its older completions beside it, as llama.cpp and LM Studio. */
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

/** What the sandbox has beside chat completions. */
const ofSandbox: readonly FurtherFormat[] = [
  ...ofAnyServer.filter(({ format }) => format !== 'openai-completions'),
  {
    format: 'openai-moderations',
    page: 'https://platform.openai.com/docs/api-reference/moderations',
  },
]

/** The formats that a provider may be called in besides its own. */
export function alsoSpeaks(name: string, input: ProviderInput): readonly FurtherFormat[] {
  const vendor = vendorOf(name, input)
  if (vendor !== undefined) return vendor.alsoSpeaks ?? []
  return ofAnyServersOf(styleOf(name, input))
}

function ofAnyServersOf(style: ProviderStyle | undefined): readonly FurtherFormat[] {
  if (style === 'openai') return ofAnyServer
  return style === 'sandbox' ? ofSandbox : []
}

/** Where a provider is unless it says so; undefined where it has to: anybody may speak OpenAI's format. */
export function defaultBaseUrl(name: string, input: ProviderInput): string | undefined {
  const vendor = vendorOf(name, input)
  if (vendor?.addresses !== undefined)
    return addressOf(vendor.addresses, { ...partsSaid(input), region: input.regions?.[0] })
  if (vendor !== undefined) return vendor.baseUrl
  const style = styleOf(name, input)
  if (style === undefined || style === 'sandbox' || isSpokenByMany(style)) return undefined
  return makerOf(style).baseUrl
}

/** What the configuration says of an address that is made of parts. */
export function partsSaid({ project, resource }: ProviderInput): Omit<AddressParts, 'region'> {
  return { project, resource }
}

/** Anybody may speak OpenAI's formats: what a server of them bills is not what OpenAI does. */
export function isSpokenByMany(style: ProviderStyle): boolean {
  return style === 'openai' || style === 'openai-responses'
}
