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

/**
 * Puts a request at this candidate. Each field by its name: a request has a place for all of them already,
 * and to copy an object costs twenty times as much.
 */
export function turnTo(request: Partial<Candidate>, candidate: Candidate): void {
  request.model = candidate.model
  request.prices = candidate.prices
  request.upstream = candidate.upstream
  request.provider = candidate.provider
  request.apiKey = candidate.apiKey
  request.health = candidate.health
}
