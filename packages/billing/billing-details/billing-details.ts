/** The name and address for receipts, as set by the account's owner. */
export interface BillingDetails {
  /** The name of the company or person. */
  name: string
  line1: string
  line2: string | null
  postalCode: string | null
  city: string
  region: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** As formatted by `vatIdOf`. */
  vatId: string | null
}

/** Who paid a top-up, as of that time. Its receipt never changes. */
export interface PaidBy {
  displayName: string | null
  email: string | null
  billing: BillingDetails | null
}

export interface StoredBillingDetails extends BillingDetails {
  updatedAtMs: number
}

export interface BillingDetailsStore {
  find(accountId: string): Promise<StoredBillingDetails | undefined>
  /** Sets the details for future receipts. Earlier receipts stay as they are. */
  keep(accountId: string, details: BillingDetails, nowMs: number): Promise<void>
  /** Returns false if there were none. */
  remove(accountId: string): Promise<boolean>
}
