import type { FormatName, OutputBoundField, VendorQuirks } from '@turnpike/dialects'
import type { KeyHeader, Provider, ProviderStyle } from './model.ts'
import type { PaidField } from './paid-fields/paid-field.ts'

/** What is known about a vendor before it is configured. The configuration can override all of it. */
export interface Vendor {
  /** The default name of its provider. */
  name: string
  title: string
  style: ProviderStyle
  format: FormatName
  /** Undefined if each customer has an address, which the configuration must contain. */
  baseUrl: string | undefined
  /** An example of that address, or where to find it. */
  exampleBaseUrl?: string
  /** Templates of that address: the first for the region applies. Absent: it is configured as a whole. */
  addresses?: readonly VendorAddress[]
  /** By operation: paths that replace the format's own; `{model}` is the model's name there. */
  paths?: Provider['paths']
  /** By operation: how much it takes at once. */
  batches?: NonNullable<Provider['batches']>
  /** If the base URL ends like this, all formats use their own paths, without `api-version`. */
  plainBelow?: string
  apiVersion?: string
  /** Further formats, each at an address of its own. */
  alsoSpeaks?: readonly FurtherFormat[]
  keyHeader: KeyHeader
  /** The identity to use if no key is configured, found where the cloud's own tools look for it. */
  identity?: 'aws' | 'google'
  /** Headers for every call; lower-case names. */
  headers?: Record<string, string>
  /** False: it rejects `stream_options`, or reports the usage of a stream without it. */
  takesStreamOptions: boolean
  /** The only field for an output bound that it knows; absent: both of OpenAI's. */
  outputBoundField?: OutputBoundField
  /** The same for its models that reason, if it differs. */
  reasoningBoundField?: OutputBoundField
  /** True: it rejects a message with the model's reasoning (`reasoning_content`), which callers send back. */
  refusesReasoning?: boolean
  /** True: it rejects the role `developer`, which replaces `system` for OpenAI's own models. */
  refusesDeveloper?: boolean
  /** True: it supports OpenRouter's additions to OpenAI's format, such as `cache_control` and `reasoning`. */
  takesOpenRouterWords?: boolean
  /** True: an image of low `detail` has fewer tokens there; other vendors ignore the field, or may do so. */
  readsDetail?: true
  /** How it takes an answer's JSON schema: see `VendorQuirks`. */
  schemas?: VendorQuirks['schemas']
  /** The environment variable that usually contains a key; undefined if none is needed. */
  variable: string | undefined
  /** The page that documents its API. */
  documentation: string
  /** True: no exchange with it was recorded, so everything here is only from its documentation. */
  untried?: true
  /** What it bills besides tokens; `none`: a self-hosted server, which bills nothing. */
  paidFields: readonly PaidField[] | 'none'
  /** Searches per answer that the request does not ask for, if the model has a price for them. */
  unaskedSearches?: number
  /** Hosts besides that of `baseUrl`. */
  otherHosts?: RegExp
  /** Its names in the price data, in order; empty if the data has no prices for it. */
  pricedBy: readonly string[]
  /** For a router: the price data's prefix before the provider that follows the model's last colon. */
  pricedByServer?: string
}

/** A template for the address of an operator's own resource. */
export interface VendorAddress {
  /** The regions that it applies to; absent: any, or none. */
  regions?: RegExp
  /** `{region}`, `{project}` and `{resource}` are replaced by the configured values. */
  url: string
}

/**
 * A further wire format that a vendor speaks. Only listed if its usage can be priced exactly: cached input is
 * separate, and nothing is missing.
 */
export interface FurtherFormat {
  format: FormatName
  /** Its path after the address without the final version, such as `/anthropic`; absent: the same address. */
  base?: string
  /** The page that documents it. */
  page: string
  /** It is used unless the configuration says otherwise: the vendor supports all of the format. */
  byDefault?: true
  /** By operation: how much it takes at once in this format; absent: as in the first format. */
  batches?: NonNullable<Provider['batches']>
  /** If the base URL ends like this, `base` replaces that end. */
  insteadOf?: string
  /** How this format differs from the first one at this vendor. */
  quirks?: Partial<Pick<VendorQuirks, 'takesStreamOptions' | 'outputBoundField'>>
  /** It also counts a request's tokens, for callers of the format. */
  countsTokens?: true
}

export const bearer: KeyHeader = { header: 'authorization', prefix: 'Bearer ' }

/** A vendor that is called like OpenAI: chat completions, with the key in `authorization`. */
export const openaiCompatible = { style: 'openai', format: 'openai-chat', keyHeader: bearer } as const
