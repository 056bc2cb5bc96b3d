import type { FormatName, VendorQuirks } from '@turnpike/dialects'
import type { Operation, Pricing, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { PaidField } from './paid-fields/paid-field.ts'
import type { ProviderIdentity } from './provider-identity.ts'

/** A wire format that a vendor speaks, as the configuration names it. */
export type ProviderStyle =
  | 'openai'
  | 'openai-responses'
  | 'anthropic'
  | 'google'
  | 'deepseek'
  | 'mistral'
  | 'bedrock'
  | 'sandbox'

/** A vendor as configured: data only. */
export interface Provider extends VendorQuirks {
  /** The first part of its models' identifiers. */
  name: string
  /**
   * The vendor whose models it has, by its name in the registry; undefined: only those of the configuration.
   */
  vendor: string | undefined
  style: ProviderStyle
  format: FormatName
  /** What the format's path is appended to: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Where that is, as `eu-central-1`; absent: the vendor has no regions, or the address says it alone. */
  region?: string
  /** Itself in each of its regions, in the order in which they are asked; absent: it is in one. */
  regions?: readonly Provider[]
  /**
   * By operation, in place of the format's own paths, as of Azure's deployments; `{model}` is the model's
   * name there.
   */
  paths: Readonly<Partial<Record<Operation, string>>>
  /** Appended to every address, as `api-version=2024-10-21`; empty for none. */
  query: string
  /** How a key is sent. */
  keyHeader: KeyHeader
  /** Empty where the server wants none. */
  apiKeys: string[]
  /** Files that hold further keys, each read anew when it changes; absolute. */
  apiKeyFiles?: readonly string[]
  /** By what its calls are proved behind its keys. */
  identity?: ProviderIdentity
  /** Where what is deployed there is listed; absent: nobody asks. */
  deployments?: DeploymentList
  /** Sent with every call, besides the format's; lower-case names. */
  headers: Record<string, string>
  /** True: it counts the tokens of a request, besides those whose style does. */
  countsTokens?: boolean
  /** What callers may name that is kept there, by how it begins; `*`: everything. */
  allowedReferences: readonly string[]
  /** It is called with a key of the caller's own: what is kept there, and billed there, is the caller's. */
  isCallersAccount?: true
  /** It is called with keys of the callers' own alone. */
  ownKeysOnly?: true
  /** What becomes of fields that it cannot honour, where neither the request nor its key says. */
  unsupportedFields: UnsupportedFieldsRule
  /** By what a request may cost more there than its tokens; empty: by nothing. */
  paidFields: readonly PaidField[]
  /** Those of them, by name, that the operator pays for; `*`: all. */
  allowUnpriced: ReadonlySet<string>
  /** Searches that nobody asks for: see `Vendor`. */
  unaskedSearches: number
  /** By operation, how much it takes at once; what has more is asked in parts. */
  batches?: Readonly<Partial<Record<Operation, BatchBounds>>>
  timeouts: CallTimeouts
  /**
   * The same as it is called in the further formats that it speaks: for callers of these. Others are
   * translated into `format`.
   */
  inFormat?: Readonly<Partial<Record<FormatName, Provider>>>
  /**
   * The same in each of the formats that it is known to speak, for models that speak others there than it
   * does otherwise (`ModelUpstream.formats`); undefined: it speaks its own alone.
   */
  providersByFormat?: Readonly<Partial<Record<FormatName, Provider>>>
}

/** Where the deployments of a resource of Azure's are listed, and what a token for that is asked for. */
export interface DeploymentList {
  url: string
  scope: string
}

/** How much a vendor takes in one call. */
export interface BatchBounds {
  /** Inputs, as texts to make vectors of. */
  inputs: number
  /** Tokens of all of them together; absent: as many as they have. */
  tokens?: number
}

/** `authorization` with `Bearer `, or a header of the vendor's own with nothing before the key. */
export interface KeyHeader {
  /** Lower-case. */
  header: string
  prefix: string
}

/** Limits on a call to a provider, in milliseconds. */
export interface CallTimeouts {
  connectMs: number
  /** From the request's last byte to the answer's first. */
  firstByteMs: number
  /** Longest silence within an answer. */
  idleMs: number
  /** The whole call. */
  totalMs: number
}

/** A model as callers see it. */
export interface CatalogModel {
  /** `<provider>/<model_id>`; the model id may hold further slashes. */
  id: string
  name: string
  /** Unix epoch seconds. */
  created: number
  ownedBy: string
  contextLength: number
  maxOutputTokens: number
  /** Undefined: not callable, unless `free`. */
  pricing: Pricing | undefined
  /** Where it is the price, of a vendor whose regions differ. */
  regional?: RegionalPrices
  /** What it can be asked for. */
  operations: readonly Operation[]
  /** Of its vectors, where the request does not say; undefined: not known, or it has none. */
  dimensions?: number
  modalities: { input: string[]; output: string[] }
  /** Nobody said what it takes: `modalities` are those that every model has. */
  isUnknown?: true
  supportedParameters: string[]
  tiers: string[]
  /** Its answers are of no use: auto-routing chooses it only where there is nobody else to choose from. */
  isPlaceholder?: boolean
  upstreams: ModelUpstream[]
  fallbacks: string[]
  /** In place of the provider's. */
  timeouts?: Partial<CallTimeouts>
  /** It may take so long: what the provider's limits are raised to where they are lower. */
  patience?: Partial<CallTimeouts>
  /** Of accounts in every tier that does not say its own. */
  limits?: { requestsPerMinute?: number; inputTokensPerMinute?: number; outputTokensPerMinute?: number }
  /** Further names behind the provider's, by what to call the model there: a dated version stays one. */
  aliases?: Readonly<Record<string, string>>
  /** Its name with a date behind (`-20251101`, `-2025-11-01`) is a version of it, at the same prices. */
  dated?: boolean
}

/** Where the price of a model holds; where it is not known, the model is not called. */
export interface RegionalPrices {
  /** The regions in which there is a price; absent: all. */
  known?: readonly string[]
  /** It is so many times the price, a decimal string, in all regions but some. */
  factor?: { by: string; except: readonly string[] }
}

export interface ModelUpstream {
  provider: string
  /** Which of the provider's regions; absent: it has none. */
  region?: string
  /** The model's name at the provider. */
  model: string
  /** The name whose dated version this is: their limits at the provider are one. */
  versionOf?: string
  /**
   * The formats that the model speaks there, in place of those that its provider is called in: the first is
   * that of callers whose own is not among them.
   */
  formats?: readonly FormatName[]
  /** Its share of the requests beside the model's other upstreams; undefined: they stand in order. */
  weight?: number
  /** What is charged where it serves, in place of the model's price. */
  pricing?: Pricing
}
