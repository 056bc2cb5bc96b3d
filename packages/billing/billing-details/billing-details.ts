/** Whom receipts are made out to, as the account's owner says it. */
export interface BillingDetails {
  /** Of the company or person. */
  name: string
  line1: string
  line2: string | null
  postalCode: string | null
  city: string
  region: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** As `vatIdOf` writes it. */
  vatId: string | null
}

/** Who paid a top-up, as it was when it was paid: its receipt never says anything else. */
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
  /** Receipts from then on show these; those of before stay as they are. */
  keep(accountId: string, details: BillingDetails, nowMs: number): Promise<void>
  /** False where there were none. */
  remove(accountId: string): Promise<boolean>
}
