import type { LedgerTransfer } from '../ledger/ledger.ts'
import type { Checkout, PaymentProcessorName, Topup, TopupOrigin } from './topup.ts'

export interface NewTopup {
  accountId: string
  keyId: string | null
  processor: PaymentProcessorName
  amountPico: bigint
  /** The same key again returns the account's first top-up with it. */
  idempotencyKey: string | null
  /** Default: `checkout`. */
  origin?: Exclude<TopupOrigin, 'auto'>
  /** Whether the payment method is saved for later charges. Default: no. */
  savesMethod?: boolean
}

/** A ledger movement caused by a top-up. */
export type TopupMovement = {
  /** The sum of the top-up that it changes. */
  of: 'paid' | 'refunded' | 'disputed'
  /** Unique: a reference that was posted before is skipped. */
  reference: string
  reason: string
} & (
  | { kind: 'topup' | 'refund' | 'adjustment'; /** Above zero adds credit. */ amountPico: bigint }
  /** An adjustment that takes back the movement of this reference. */
  | { kind: 'reversal'; reverses: string }
)

/** The change to apply to a top-up. */
export interface TopupChange {
  movements: TopupMovement[]
  paymentId?: string | null
  expired?: boolean
  /** The payment was refused, rather than left to expire. */
  failed?: true
  refundsAsOfMs?: number
  /** The tax of the payment in this change. */
  taxPico?: bigint
}

export interface TopupChanged {
  topup: Topup
  /** What was posted now; empty if everything had been posted before. */
  posted: LedgerTransfer[]
}

/** A top-up whose processor should be queried. */
export type DueTopup = Topup & {
  /** Its account is closed, so its checkout must be ended. */
  isToEnd: boolean
}

export interface TopupStore {
  /**
   * Stores a new top-up, or returns the one with its idempotency key. With origin `link` there is only one
   * open top-up per account and key, which is returned whatever its amount.
   */
  reserve(topup: NewTopup, nowMs: number): Promise<Topup>
  /** Stores the checkout of a reserved top-up. */
  attach(id: string, checkout: Checkout): Promise<Topup>
  find(id: string): Promise<Topup | undefined>
  /** The account's newest top-up through a link for this key; null: for its default key. */
  findLink(accountId: string, keyId: string | null): Promise<Topup | undefined>
  findBySession(sessionId: string): Promise<Topup | undefined>
  findByPayment(paymentId: string): Promise<Topup | undefined>
  /** Newest first; only top-ups that have a checkout. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    /** When they were opened, in Unix epoch milliseconds; from inclusive, to exclusive. */
    range?: { fromMs?: number; toMs?: number },
  ): Promise<{ rows: Topup[]; nextCursor: string | null }>
  /**
   * Locks a top-up, calls `decide` and posts the resulting change, in one transaction. Its credit goes to,
   * and is taken from, the key that it names or that got the credit first; if that is revoked, that key's
   * heir.
   * @returns undefined if there is no such top-up
   */
  change(id: string, decide: (topup: Topup) => TopupChange, nowMs: number): Promise<TopupChanged | undefined>
  /** Open top-ups to query, longest overdue first. Each goes to one caller, and is due again later. */
  claimDue(limit: number, nowMs: number): Promise<DueTopup[]>
  /** Claims one top-up out of turn; false if it was claimed since `notSinceMs`. */
  claim(id: string, notSinceMs: number, nowMs: number): Promise<boolean>
  /** Deletes top-ups that were reserved before this time and never got a checkout. */
  dropAbandoned(beforeMs: number): Promise<void>
  /** Everything that the account ever paid, minus what went back. */
  lifetimePico(accountId: string): Promise<bigint>
}
