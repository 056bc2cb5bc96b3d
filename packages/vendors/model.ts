import type { Pricing } from '@turnpike/protocol'

/** A wire format that a vendor speaks; each style is a dialect with a vendor's habits. */
export type ProviderStyle = 'openai' | 'sandbox'

/** A vendor as configured: data only. */
export interface Provider {
  /** The first part of its models' identifiers. */
  name: string
  style: ProviderStyle
  /** Ends in the version: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Empty where the server wants none. */
  apiKeys: string[]
  timeouts: CallTimeouts
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
  modalities: { input: string[]; output: string[] }
  supportedParameters: string[]
  tiers: string[]
  upstreams: ModelUpstream[]
  fallbacks: string[]
  /** In place of the provider's. */
  timeouts?: Partial<CallTimeouts>
}

export interface ModelUpstream {
  provider: string
  /** The model's name at the provider. */
  model: string
}
