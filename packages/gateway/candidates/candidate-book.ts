import { compileOwnPricing, compilePricing, unpricedOwn, type PriceTable } from '@turnpike/billing'
import { vendorFormats, type FormatName, type ServedOperation } from '@turnpike/dialects'
import type { AccountVendorKeys, SealedVendorKey } from '@turnpike/identity'
import type { Operation, Pricing } from '@turnpike/protocol'
import {
  forUpstream,
  type CallTimeouts,
  type CatalogModel,
  type ModelUpstream,
  type Provider,
} from '@turnpike/vendors'
import type { Credential } from '../upstream/credentials/credential.ts'
import type { Credentials } from '../upstream/credentials/key-credentials.ts'
import type { Candidate } from './candidate.ts'
import type { HealthBook } from './health/health-book.ts'
import type { OwnKeys } from './own-keys.ts'

/** What candidates are built from: one state of the configuration's models and prices. */
export interface CandidateSources {
  /**
   * By model id. A model without an entry can be called only through upstreams that have their own prices.
   */
  prices: ReadonlyMap<string, PriceTable>
  /** By name. */
  providers: ReadonlyMap<string, Provider>
  /** Belong to the node, so a refresh of prices mints no new tokens. */
  credentials: Credentials
  /** The operator's factor on every price, as a decimal string. */
  markup: string
  health: HealthBook
  /** Absent if accounts cannot bring their own keys. */
  ownKeys?: OwnKeys | undefined
}

/** The candidates for one account's requests to a model. */
export interface ModelCandidates {
  candidates: readonly Candidate[]
  /** One of the account's keys for this model forbids falling back to the operator's keys. */
  forbidsShared: boolean
  /** One of the account's keys would serve the model, but none of the operator's sealing keys opens it. */
  unopened: SealedVendorKey | undefined
}

/** How many models to cache candidates for, per account. */
const mostModels = 1_000

/**
 * The candidates of each model: each upstream, with each of its provider's credentials. Empty if none of its
 * providers is configured, or it has no price. The list is computed once per catalog model, and requests
 * share it.
 */
export class CandidateBook {
  readonly #sources: CandidateSources
  readonly #byModel = new WeakMap<CatalogModel, readonly Candidate[]>()
  /** A dated version of a model is a new object each time, but its upstreams' prices are not. */
  readonly #tables = new WeakMap<Pricing, PriceTable>()
  readonly #ownTables = new WeakMap<Pricing, PriceTable>()
  /** An account's keys are the same object until one of them changes. */
  readonly #withOwn = new WeakMap<AccountVendorKeys, Map<CatalogModel, ModelCandidates>>()

  constructor(sources: CandidateSources) {
    this.#sources = sources
  }

  of(model: CatalogModel): readonly Candidate[] {
    let candidates = this.#byModel.get(model)
    if (candidates === undefined) {
      candidates = model.upstreams.flatMap((upstream) => this.#sharedCandidates(model, upstream))
      this.#byModel.set(model, candidates)
    }
    return candidates
  }

  /** An account's own keys first, in its order, then the operator's, unless one of its keys forbids that. */
  includingOwn(model: CatalogModel, keys: AccountVendorKeys | null): ModelCandidates {
    const { ownKeys } = this.#sources
    if (keys === null || ownKeys === undefined || keys.keys.length === 0)
      return { candidates: this.of(model), forbidsShared: false, unopened: undefined }
    let ofAccount = this.#withOwn.get(keys)
    if (ofAccount === undefined) {
      ofAccount = new Map()
      this.#withOwn.set(keys, ofAccount)
    }
    let found = ofAccount.get(model)
    if (found === undefined) {
      found = this.#ownFirst(model, keys, ownKeys)
      // Dated versions are new objects each time, so the map could grow without bound.
      if (ofAccount.size >= mostModels) ofAccount.clear()
      ofAccount.set(model, found)
    }
    return found
  }

  /** Whether the model is called only with accounts' own keys. */
  wantsOwnKey({ upstreams }: CatalogModel): boolean {
    return upstreams.some(({ provider }) => this.#sources.providers.get(provider)?.ownKeysOnly === true)
  }

  #ownFirst(model: CatalogModel, { keys }: AccountVendorKeys, ownKeys: OwnKeys): ModelCandidates {
    const found: ModelCandidates = { candidates: [], forbidsShared: false, unopened: undefined }
    const own: Candidate[] = []
    for (const upstream of model.upstreams)
      for (const key of keys) {
        if (key.provider !== upstream.provider || !ownKeys.settings.providers.has(key.provider)) continue
        const credential = ownKeys.credentialOf(key)
        const candidate = credential && this.#ownOf(model, upstream, key, credential, ownKeys)
        if (credential === undefined) found.unopened = key
        else if (candidate === undefined) continue
        else own.push(candidate)
        // A key that cannot be opened must not be replaced by the operator's credit.
        if (!key.allowsShared || credential === undefined) found.forbidsShared = true
      }
    found.candidates = found.forbidsShared ? own : [...own, ...this.of(model)]
    return found
  }

  #ownOf(
    model: CatalogModel,
    upstream: ModelUpstream,
    key: SealedVendorKey,
    credential: Credential,
    ownKeys: OwnKeys,
  ): Candidate | undefined {
    const shared = this.#sources.providers.get(upstream.provider)
    const provider = shared && ownProviderFor(shared, upstream, ownKeys)
    const prices = this.#ownPricesOf(model, upstream, ownKeys)
    if (provider === undefined || prices === undefined) return undefined
    const { id, accountId, name, last4, version } = key
    const own = { id, accountId, name, last4, version }
    const health = this.#sources.health.ofOwn(provider, upstream, own)
    return this.#makeCandidate({
      model,
      prices,
      upstream,
      provider,
      credential,
      own,
      keyNumber: undefined,
      health,
    })
  }

  #sharedCandidates(model: CatalogModel, upstream: ModelUpstream): Candidate[] {
    const { health, providers } = this.#sources
    const configured = providers.get(upstream.provider)
    const provider = configured && forUpstream(configured, upstream)
    const prices = this.#pricesOf(model, upstream)
    if (provider === undefined || prices === undefined || provider.ownKeysOnly === true) return []
    const credentials = this.#credentialsOf(provider)
    return credentials.map((credential) =>
      this.#makeCandidate({
        model,
        prices,
        upstream,
        provider,
        credential,
        keyNumber: credentials.length > 1 ? (credential.number ?? undefined) : undefined,
        health: health.of(provider, upstream, credential),
      }),
    )
  }

  #makeCandidate(parts: Omit<Candidate, 'timeouts'>): Candidate {
    const { provider, model, upstream } = parts
    const one: Candidate = { ...parts, timeouts: timeoutsOf(provider, model) }
    const reached =
      provider.inFormat === undefined ? one : { ...one, inFormat: inFormats(one, provider.inFormat) }
    return withOperations(reached, upstream)
  }

  /** The operator's fee is a factor on the list price. Without a fee nothing is charged, price or not. */
  #ownPricesOf(
    model: CatalogModel,
    { pricing: own }: ModelUpstream,
    { settings: { fee } }: OwnKeys,
  ): PriceTable | undefined {
    const pricing = own ?? this.#sources.prices.get(model.id)?.pricing
    if (pricing === undefined) return Number(fee) === 0 ? unpricedTable : undefined
    let table = this.#ownTables.get(pricing)
    if (table === undefined) {
      table = compileOwnPricing(pricing, fee)
      this.#ownTables.set(pricing, table)
    }
    return table
  }

  #credentialsOf({ name }: Provider): readonly Credential[] {
    const credentials = this.#sources.credentials.get(name)
    if (credentials === undefined) throw new Error(`the provider ${name} has no entry in the credentials`)
    return credentials
  }

  #pricesOf(model: CatalogModel, { pricing }: ModelUpstream): PriceTable | undefined {
    if (pricing === undefined) return this.#sources.prices.get(model.id)
    let table = this.#tables.get(pricing)
    if (table === undefined) {
      table = compilePricing(pricing, this.#sources.markup)
      this.#tables.set(pricing, table)
    }
    return table
  }
}

const unpricedTable = unpricedOwn()

function ownProviderFor(shared: Provider, upstream: ModelUpstream, ownKeys: OwnKeys): Provider | undefined {
  const provider = forUpstream(shared, upstream)
  return provider && ownKeys.provider(provider)
}

/** A timeout set for the model itself takes precedence. */
function timeoutsOf({ timeouts: usual }: Provider, { patience, timeouts: own }: CatalogModel): CallTimeouts {
  if (patience === undefined && own === undefined) return usual
  const raised = Object.entries(patience ?? {}).map(([name, ms]) => [
    name,
    Math.max(ms, usual[name as keyof CallTimeouts]),
  ])
  return { ...usual, ...Object.fromEntries(raised), ...own }
}

/** Adds the operations that this model serves there in a format other than the upstream's usual one. */
function withOperations(candidate: Candidate, { formats }: ModelUpstream): Candidate {
  const { model, provider } = candidate
  const asking: Partial<Record<ServedOperation, Candidate>> = {}
  for (const operation of model.operations) {
    const other = providerFor(provider, operation, formats)
    if (other !== undefined) asking[operation as ServedOperation] = { ...candidate, provider: other }
  }
  return Object.keys(asking).length === 0 ? candidate : { ...candidate, asking }
}

/** Undefined if the usual format serves the operation, or no known format of the provider does. */
function providerFor(
  provider: Provider,
  operation: Operation,
  formats: readonly FormatName[] = Object.keys(provider.providersByFormat ?? {}) as FormatName[],
): Provider | undefined {
  const serves = (format: FormatName): boolean =>
    vendorFormats[format].operations[operation as ServedOperation] !== undefined
  if (serves(provider.format)) return undefined
  const format = formats.find(serves)
  return format === undefined ? undefined : provider.providersByFormat?.[format]
}

function inFormats(
  candidate: Candidate,
  providers: NonNullable<Provider['inFormat']>,
): NonNullable<Candidate['inFormat']> {
  return Object.fromEntries(
    Object.entries(providers).map(([format, provider]) => [format, { ...candidate, provider }]),
  )
}
