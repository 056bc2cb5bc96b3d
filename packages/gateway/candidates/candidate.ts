import type { PriceTable } from '@turnpike/billing'
import type { FormatName } from '@turnpike/dialects'
import type { CallTimeouts, CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'
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
  timeouts: CallTimeouts
  /** The same as callers of other formats reach it, where its provider speaks several. */
  inFormat?: Readonly<Partial<Record<FormatName, Candidate>>>
}

/** The candidates as callers of this format reach them: mostly the list as it is. */
export function allReachedIn(format: FormatName, candidates: readonly Candidate[]): readonly Candidate[] {
  for (const candidate of candidates)
    if (candidate.inFormat?.[format] !== undefined)
      return candidates.map((one) => one.inFormat?.[format] ?? one)
  return candidates
}
