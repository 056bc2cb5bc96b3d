import type { FormatName, VendorQuirks } from '@turnpike/dialects'
import type { Operation, Pricing, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { PaidField } from './paid-fields/paid-field.ts'
import type { ProviderIdentity } from './provider-identity.ts'

/** A wire format that a vendor speaks, by its name in the configuration. */
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
  /** The format's path is appended to this: `https://api.openai.com/v1`. */
  baseUrl: string
  /**
   * Its region, such as `eu-central-1`; absent if the vendor has no regions, or only the address contains it.
   */
  region?: string
  /** This provider in each of its regions, in the order in which to try them; absent if it is in one. */
  regions?: readonly Provider[]
  /** By operation: paths instead of the format's, as for Azure's deployments. `{model}` is the model. */
  paths: Readonly<Partial<Record<Operation, string>>>
  /** Appended to every address, such as `api-version=2024-10-21`; empty for none. */
  query: string
  /** The header that carries a key. */
  keyHeader: KeyHeader
  /** Empty if the server needs none. */
  apiKeys: string[]
  /** Absolute paths of files with further keys; each is read again when it changes. */
  apiKeyFiles?: readonly string[]
  /** A cloud identity that authenticates its calls, after its keys. */
  identity?: ProviderIdentity
  /** Where to list the models deployed there; absent if they are not listed. */
  deployments?: DeploymentList
  /** Headers for every call, besides the format's; lower-case names. */
  headers: Record<string, string>
  /** True: it counts a request's tokens, even if its style does not imply that. */
  countsTokens?: boolean
  /** Prefixes of the data stored there that callers may refer to; `*`: everything. */
  allowedReferences: readonly string[]
  /** It is called with the caller's own key, so what is stored and billed there is the caller's. */
  isCallersAccount?: true
  /** It is only called with callers' own keys. */
  ownKeysOnly?: true
  /** What to do with fields that it does not support, if neither the request nor its key says. */
  unsupportedFields: UnsupportedFieldsRule
  /** Fields that may cost more there than the request's tokens. */
  paidFields: readonly PaidField[]
  /** The names of those fields that the operator pays for; `*`: all. */
  allowUnpriced: ReadonlySet<string>
  /** Searches that the request does not ask for: see `Vendor`. */
  unaskedSearches: number
  /** By operation: how much it takes at once. Larger requests are split. */
  batches?: Readonly<Partial<Record<Operation, BatchBounds>>>
  timeouts: CallTimeouts
  /** This provider in its further formats, for callers of those. Others are translated into `format`. */
  inFormat?: Readonly<Partial<Record<FormatName, Provider>>>
  /**
   * This provider in each format that it is known to speak, for models that speak others there than the usual
   * one (`ModelUpstream.formats`); undefined if it only speaks its own.
   */
  providersByFormat?: Readonly<Partial<Record<FormatName, Provider>>>
}

/** Where to list the deployments of an Azure resource, and the scope of the token for it. */
export interface DeploymentList {
  url: string
  scope: string
}

/** How much a vendor takes in one call. */
export interface BatchBounds {
  /** Inputs, for example texts to embed. */
  inputs: number
  /** Tokens of all inputs together; absent: no limit. */
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
  /** The longest silence within an answer. */
  idleMs: number
  /** The whole call. */
  totalMs: number
}

/** A model as callers see it. */
export interface CatalogModel {
  /** `<provider>/<model_id>`; the model id may contain further slashes. */
  id: string
  name: string
  /** Unix epoch seconds. */
  created: number
  ownedBy: string
  contextLength: number
  maxOutputTokens: number
  /** Undefined: not callable, unless `free`. */
  pricing: Pricing | undefined
  /** Where the price applies, for a vendor whose regions differ. */
  regional?: RegionalPrices
  /** The operations that it supports. */
  operations: readonly Operation[]
  /** The default length of its vectors; undefined if unknown, or if it has none. */
  dimensions?: number
  modalities: { input: string[]; output: string[] }
  /** Its capabilities are unknown: `modalities` are those that every model has. */
  isUnknown?: true
  supportedParameters: string[]
  tiers: string[]
  /** Its answers are placeholders: auto-routing chooses it only if there is no other model. */
  isPlaceholder?: boolean
  upstreams: ModelUpstream[]
  fallbacks: string[]
  /** Replaces the provider's. */
  timeouts?: Partial<CallTimeouts>
  /** The model may take this long: lower timeouts of the provider are raised to it. */
  patience?: Partial<CallTimeouts>
  /** For accounts in every tier without limits of its own. */
  limits?: { requestsPerMinute?: number; inputTokensPerMinute?: number; outputTokensPerMinute?: number }
  /** Further names after the provider's, and what to call the model there: a dated version remains one. */
  aliases?: Readonly<Record<string, string>>
  /** Its name followed by a date (`-20251101`, `-2025-11-01`) is a version of it, at the same prices. */
  dated?: boolean
}

/** Where a model's price applies; elsewhere the model is not called. */
export interface RegionalPrices {
  /** The regions with a known price; absent: all. */
  known?: readonly string[]
  /** Multiplies the price by a decimal string, in all regions but some. */
  factor?: { by: string; except: readonly string[] }
}

export interface ModelUpstream {
  provider: string
  /** The provider's region; absent if it has none. */
  region?: string
  /** The model's name at the provider. */
  model: string
  /** The name of the model that this is a dated version of: they share their limits at the provider. */
  versionOf?: string
  /** The model's formats there, instead of the provider's. The first serves callers of any other format. */
  formats?: readonly FormatName[]
  /** Its share of the requests among the model's upstreams; undefined: they are tried in order. */
  weight?: number
  /** The price of its answers, instead of the model's. */
  pricing?: Pricing
}
