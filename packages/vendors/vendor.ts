import type { FormatName, OutputBoundField, VendorQuirks } from '@turnpike/dialects'
import type { KeyHeader, Provider, ProviderStyle } from './model.ts'
import type { PaidField } from './paid-fields/paid-field.ts'

/** What is known of a vendor before anybody configures it. The configuration may say each of it otherwise. */
export interface Vendor {
  /** What a provider of it is called, unless the operator calls it otherwise. */
  name: string
  title: string
  style: ProviderStyle
  format: FormatName
  /** Undefined: the customer has an address of his own, which the configuration has to say. */
  baseUrl: string | undefined
  /** What such an address looks like, or where this one comes from. */
  exampleBaseUrl?: string
  /**
   * What such an address is made of: the first that fits the region. Absent: the configuration says it whole.
   */
  addresses?: readonly VendorAddress[]
  /** By operation, in place of the format's own paths; `{model}` is the model's name there. */
  paths?: Provider['paths']
  /** By operation, how much it takes at once. */
  batches?: NonNullable<Provider['batches']>
  /** Where the base URL ends so, the paths of all its formats are their own, and need no `api-version`. */
  plainBelow?: string
  apiVersion?: string
  /** Further formats, each at an address of its own. */
  alsoSpeaks?: readonly FurtherFormat[]
  keyHeader: KeyHeader
  /** What it is called with where nobody names a key: as found where the cloud's own tools look. */
  identity?: 'aws' | 'google'
  /** Sent with every call; lower-case names. */
  headers?: Record<string, string>
  /** False: `stream_options` is refused there, or the usage of a stream is told unasked. */
  takesStreamOptions: boolean
  /** The one word for a bound of output tokens that it knows; absent: both of OpenAI's. */
  outputBoundField?: OutputBoundField
  /** The same of its models that reason, where they know another one. */
  reasoningBoundField?: OutputBoundField
  /** True: 400 for a message with what its model thought (`reasoning_content`), which callers send back. */
  refusesReasoning?: boolean
  /** True: 400 for the role `developer`, which OpenAI has for its own models in the place of `system`. */
  refusesDeveloper?: boolean
  /** True: it knows what OpenRouter added to OpenAI's format, as `cache_control` and `reasoning`. */
  takesOpenRouterWords?: boolean
  /** True: a picture of low `detail` has fewer tokens there; others read each as it is, or as they like. */
  readsDetail?: true
  /** How it takes the schema of an answer: see `VendorQuirks`. */
  schemas?: VendorQuirks['schemas']
  /** The environment variable that usually holds a key; undefined where none is needed. */
  variable: string | undefined
  /** Where its API is described. */
  documentation: string
  /** True: no exchange with it was recorded, so that what is said here is from its pages alone. */
  untried?: true
  /** What it bills beside the plain price of tokens; `none`: a server of one's own, which bills nothing. */
  paidFields: readonly PaidField[] | 'none'
  /** Searches of one answer that nobody asked for, where the model has a price for them. */
  unaskedSearches?: number
  /** Hosts beside that of `baseUrl`. */
  otherHosts?: RegExp
  /** Whom the price data calls so, in order; empty where the data has no prices of it. */
  pricedBy: readonly string[]
  /** Of a router: what the price data puts before the provider that stands behind the model's last colon. */
  pricedByServer?: string
}

/** An address that is made of what the operator has there. */
export interface VendorAddress {
  /** Whose region it is; absent: any, or none. */
  regions?: RegExp
  /** `{region}`, `{project}` and `{resource}` stand for the words of the configuration. */
  url: string
}

/**
 * A wire format that a vendor speaks beside its first. It is listed only where the usage that it tells has an
 * exact price: cached input apart from the rest, and nothing left out.
 */
export interface FurtherFormat {
  format: FormatName
  /**
   * Where it is: behind the address without the version that ends it, as `/anthropic`; absent: at the same
   * address.
   */
  base?: string
  /** Where it is described. */
  page: string
  /** It is called in it unless the configuration says otherwise: the vendor knows all of the format. */
  byDefault?: true
  /** By operation, how much it takes at once in this format; absent: as the vendor does otherwise. */
  batches?: NonNullable<Provider['batches']>
  /** Where the base URL ends so, it is in place of that end that `base` stands. */
  insteadOf?: string
  /** What it takes in this format otherwise than in its first. */
  quirks?: Partial<Pick<VendorQuirks, 'takesStreamOptions' | 'outputBoundField'>>
  /** It counts the tokens of a request, too, where callers of the format ask for that. */
  countsTokens?: true
}

export const bearer: KeyHeader = { header: 'authorization', prefix: 'Bearer ' }

/** Of a vendor that is called as OpenAI is: by chat completions, with the key in `authorization`. */
export const openaiCompatible = { style: 'openai', format: 'openai-chat', keyHeader: bearer } as const
