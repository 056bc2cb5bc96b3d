/** A key of a vendor that an account brought along. Its secret is not among this: it is kept sealed. */
export interface VendorKey {
  /** `vky_…` */
  id: string
  accountId: string
  /** The provider of the gateway that is called with it. */
  provider: string
  /** No two keys of a provider have one name. */
  name: string
  /** Of the secret: its last characters. */
  last4: string
  status: VendorKeyStatus
  /** Whether requests may go on to the gateway's own keys where this one gives no answer. */
  allowsShared: boolean
  /** Keys are asked by this number, the lowest first. */
  position: number
  createdAtMs: number
  updatedAtMs: number
  /** Within a minute or so; null: never. */
  lastUsedAtMs: number | null
  /** When the vendor last refused it; null: not since its secret was set. */
  refusedAtMs: number | null
}

export const vendorKeyStatuses = ['active', 'disabled'] as const
export type VendorKeyStatus = (typeof vendorKeyStatuses)[number]

/** A secret as the database has it. */
export interface SealedSecret {
  /** Of the sealing key. */
  keyName: string
  sealed: Uint8Array
}

/** What the request path needs to know of an active key. */
export interface SealedVendorKey
  extends SealedSecret, Pick<VendorKey, 'id' | 'accountId' | 'provider' | 'name' | 'last4' | 'allowsShared'> {
  /** Grows with each secret that it is given. */
  version: number
}

/**
 * The active keys of an account in the order in which they are asked: one object as long as none of them
 * changes.
 */
export interface AccountVendorKeys {
  readonly keys: readonly SealedVendorKey[]
}
