import type { PriceTable } from '@turnpike/billing'
import { vendorFormats, type CallerFormat, type FormatName, type ServedOperation } from '@turnpike/dialects'
import type { CallTimeouts, CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'
import type { SealedVendorKey } from '@turnpike/identity'
import type { Credential } from '../upstream/credentials/credential.ts'
import type { UpstreamHealth } from './health/upstream-health.ts'

/** Whom a request may be sent to: an upstream of a model, with one of its provider's credentials. */
export interface Candidate {
  model: CatalogModel
  /** All zero for a model that the configuration says is free. */
  prices: PriceTable
  upstream: ModelUpstream
  provider: Provider
  credential: Credential
  /** Whose own key it is called with; absent: the operator's. */
  own?: OwnKey
  /** The credential's place among its provider's, from 1; undefined where there is but one. */
  keyNumber: number | undefined
  health: UpstreamHealth
  timeouts: CallTimeouts
  /** The same as callers of other formats reach it, where its provider speaks several. */
  inFormat?: Readonly<Partial<Record<FormatName, Candidate>>>
  /** The same where its provider is asked for something in another format than it usually is. */
  asking?: Readonly<Partial<Record<ServedOperation, Candidate>>>
}

/** An account's own key of a vendor, by which it is asked. */
export type OwnKey = Pick<SealedVendorKey, 'id' | 'accountId' | 'name' | 'last4' | 'version'>

/**
 * The candidates as callers of this format reach them, without those whose providers are known to speak none
 * in which they could be asked for what it asks for: mostly the list as it is.
 */
export function candidatesInFormat(
  { name, operation }: Pick<CallerFormat, 'name' | 'operation'>,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  for (const { inFormat, provider } of candidates)
    if (inFormat?.[name] !== undefined || !serves(provider, operation))
      return candidates.flatMap((one) => findInFormat(name, operation, one) ?? [])
  return candidates
}

function findInFormat(
  name: FormatName,
  operation: ServedOperation,
  candidate: Candidate,
): Candidate | undefined {
  const own = candidate.inFormat?.[name]
  if (own !== undefined) return own
  return serves(candidate.provider, operation) ? candidate : candidate.asking?.[operation]
}

function serves({ format }: Provider, operation: ServedOperation): boolean {
  return vendorFormats[format].operations[operation] !== undefined
}
