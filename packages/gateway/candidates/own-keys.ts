import type { SealedVendorKey, VendorKeySeen } from '@turnpike/identity'
import type { Provider } from '@turnpike/vendors'
import { KeyCredential } from '../upstream/credentials/key-credential.ts'
import type { Credential } from '../upstream/credentials/credential.ts'
import type { OwnKey } from './candidate.ts'

/** Headers that identify the operator to a vendor. They are not sent with an account's own key. */
const operatorsOwn: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-goog-user-project',
  'openai-organization',
  'openai-project',
])

export interface OwnKeySettings {
  /** The operator's fee: a factor on list prices, as a decimal string. */
  fee: string
  /** The names of the providers that may be called with accounts' own keys. */
  providers: ReadonlySet<string>
  /** The secret; undefined, and logged, if none of the operator's sealing keys opens it. */
  open(key: SealedVendorKey): string | undefined
}

/** Tells a key's current secret from its previous one: both may be noted in the same period. */
const versionName = ({ id, version }: OwnKey): string => `${id} ${version}`

/**
 * Accounts' own keys for vendors, as requests use them. Belongs to the node, and outlives catalogs and
 * prices. An account's list of keys comes with its API key (`KnownKey.vendorKeys`).
 */
export class OwnKeys {
  readonly settings: OwnKeySettings
  readonly #providers = new WeakMap<Provider, Provider>()
  readonly #credentials = new WeakMap<SealedVendorKey, Credential>()
  #seen = new Map<string, VendorKeySeen>()

  constructor(settings: OwnKeySettings) {
    this.settings = settings
  }

  /**
   * The provider as it is called with an own key: without the operator's keys, and without the operator's
   * rules that protect its own bill and data there.
   */
  provider(provider: Provider): Provider {
    let own = this.#providers.get(provider)
    if (own === undefined) {
      own = { ...withoutOperator(provider) }
      if (provider.inFormat !== undefined) own.inFormat = each(provider.inFormat)
      if (provider.providersByFormat !== undefined) own.providersByFormat = each(provider.providersByFormat)
      this.#providers.set(provider, own)
    }
    return own
  }

  /** The key's credential; undefined if none of the operator's sealing keys opens it. */
  credentialOf(key: SealedVendorKey): Credential | undefined {
    let credential = this.#credentials.get(key)
    if (credential === undefined) {
      const secret = this.settings.open(key)
      if (secret === undefined) return undefined
      credential = new KeyCredential(() => secret, null)
      this.#credentials.set(key, credential)
    }
    return credential
  }

  noteUse(key: OwnKey): void {
    this.#note(key).usedAtMs = Date.now()
  }

  /** The vendor rejected the key. */
  noteRefusal(key: OwnKey): void {
    this.#note(key).refusedAtMs = Date.now()
  }

  /** Returns what was noted since the last call. */
  takeSeen(): VendorKeySeen[] {
    const seen = [...this.#seen.values()]
    this.#seen = new Map()
    return seen
  }

  #note(key: OwnKey): VendorKeySeen {
    const name = versionName(key)
    let seen = this.#seen.get(name)
    if (seen === undefined) {
      seen = { id: key.id, version: key.version, usedAtMs: null, refusedAtMs: null }
      this.#seen.set(name, seen)
    }
    return seen
  }
}

function each<Format extends string>(providers: Readonly<Partial<Record<Format, Provider>>>) {
  const all = Object.entries<Provider | undefined>(providers)
  return Object.fromEntries(
    all.map(([format, provider]) => [format, provider && withoutOperator(provider)]),
  ) as Partial<Record<Format, Provider>>
}

function withoutOperator(provider: Provider): Provider {
  const { identity: _identity, apiKeyFiles: _files, ...rest } = provider
  const headers = Object.entries(provider.headers).filter(([name]) => !operatorsOwn.has(name))
  return {
    ...rest,
    apiKeys: [],
    headers: Object.fromEntries(headers),
    allowUnpriced: new Set(['*']),
    isCallersAccount: true,
  }
}
