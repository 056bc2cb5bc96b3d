import type { SealedSecret, VendorKeyStore } from '@turnpike/identity'

/** Accounts' own keys of vendors. */
export interface VendorKeyServices {
  store: VendorKeyStore
  seal(secret: string, of: { id: string; accountId: string }): SealedSecret
  /** The providers that accept own keys. */
  providers: readonly { name: string; title: string }[]
  /** The fraction of the list price that is charged for a request with an own key; a decimal string. */
  fee: string
}
