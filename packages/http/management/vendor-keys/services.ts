import type { SealedSecret, VendorKeyStore } from '@turnpike/identity'

/** Accounts' own keys of vendors. */
export interface VendorKeyServices {
  store: VendorKeyStore
  seal(secret: string, of: { id: string; accountId: string }): SealedSecret
  /** The providers that are called with them. */
  providers: readonly { name: string; title: string }[]
  /** What of the list price is charged where one answers: a factor, a decimal string. */
  fee: string
}
