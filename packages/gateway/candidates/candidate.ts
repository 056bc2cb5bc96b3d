import type { PriceTable } from '@turnpike/billing'
import type { CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'
import type { UpstreamHealth } from './health/upstream-health.ts'

/** Whom a request may be sent to: an upstream of a model, with one of its provider's keys. */
export interface Candidate {
  model: CatalogModel
  /** All zero for a model that the configuration says is free. */
  prices: PriceTable
  upstream: ModelUpstream
  provider: Provider
  /** Undefined where the server wants none. */
  apiKey: string | undefined
  health: UpstreamHealth
}
