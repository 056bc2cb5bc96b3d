/** An account's own key of a vendor. Its secret is not included: it is stored sealed. */
export interface VendorKey {
  /** `vky_…` */
  id: string
  accountId: string
  /** The gateway's provider that is called with it. */
  provider: string
  /** Unique among the account's keys for this provider. */
  name: string
  /** The last characters of the secret. */
  last4: string
  status: VendorKeyStatus
  /** Whether requests may fall back to the gateway's own keys if this one gets no answer. */
  allowsShared: boolean
  /** Keys are tried in ascending order of this number. */
  position: number
  createdAtMs: number
  updatedAtMs: number
  /** Accurate to about a minute; null: never. */
  lastUsedAtMs: number | null
  /** When the vendor last rejected it; null: not since its secret was set. */
  refusedAtMs: number | null
}

export const vendorKeyStatuses = ['active', 'disabled'] as const
export type VendorKeyStatus = (typeof vendorKeyStatuses)[number]

/** A secret as the database stores it. */
export interface SealedSecret {
  /** The name of the sealing key. */
  keyName: string
  sealed: Uint8Array
}

/** What the request path needs to know about an active key. */
export interface SealedVendorKey
  extends SealedSecret, Pick<VendorKey, 'id' | 'accountId' | 'provider' | 'name' | 'last4' | 'allowsShared'> {
  /** Incremented with each new secret. */
  version: number
}

/** The account's active keys, in the order of use; the same object until one of them changes. */
export interface AccountVendorKeys {
  readonly keys: readonly SealedVendorKey[]
}
