import type { PriceTable } from '@turnpike/billing'
import { vendorFormats, type CallerFormat, type FormatName, type ServedOperation } from '@turnpike/dialects'
import type { CallTimeouts, CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'
import type { SealedVendorKey } from '@turnpike/identity'
import type { Credential } from '../upstream/credentials/credential.ts'
import type { UpstreamHealth } from './health/upstream-health.ts'

/** Where a request may be sent: an upstream of a model, with one of its provider's credentials. */
export interface Candidate {
  model: CatalogModel
  /** All zero for a model that is configured as free. */
  prices: PriceTable
  upstream: ModelUpstream
  provider: Provider
  credential: Credential
  /** The account's own key that it is called with; absent for the operator's keys. */
  own?: OwnKey
  /** The credential's position among its provider's, from 1; undefined if there is only one. */
  keyNumber: number | undefined
  health: UpstreamHealth
  timeouts: CallTimeouts
  /** This candidate in other formats that its provider speaks, for callers of those formats. */
  inFormat?: Readonly<Partial<Record<FormatName, Candidate>>>
  /** This candidate in the formats that its provider needs for single operations. */
  asking?: Readonly<Partial<Record<ServedOperation, Candidate>>>
}

/** An account's own key for a vendor. */
export type OwnKey = Pick<SealedVendorKey, 'id' | 'accountId' | 'name' | 'last4' | 'version'>

/** Candidates for a format, without providers known not to serve its operation; usually the same list. */
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
