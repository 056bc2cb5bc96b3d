import type { LedgerTransfer } from '../ledger/ledger.ts'
import type { Checkout, PaymentProcessorName, Topup, TopupOrigin } from './topup.ts'

export interface NewTopup {
  accountId: string
  keyId: string | null
  processor: PaymentProcessorName
  amountPico: bigint
  /** The same one again answers the account's first top-up of it. */
  idempotencyKey: string | null
  /** Absent: somebody asked for it. */
  origin?: Exclude<TopupOrigin, 'auto'>
  /** The payment method is to be kept for later charges. Absent: it is not. */
  savesMethod?: boolean
}

/** A movement in the ledger that a top-up causes. */
export type TopupMovement = {
  /** Which of the top-up's sums it changes. */
  of: 'paid' | 'refunded' | 'disputed'
  /** Unique: what is posted already is not posted again. */
  reference: string
  reason: string
} & (
  | { kind: 'topup' | 'refund' | 'adjustment'; /** Above zero adds credit. */ amountPico: bigint }
  /** An adjustment that takes back the movement of this reference. */
  | { kind: 'reversal'; reverses: string }
)

/** What is to become of a top-up. */
export interface TopupChange {
  movements: TopupMovement[]
  paymentId?: string | null
  expired?: boolean
  /** Its payment was refused: nobody only let it expire. */
  failed?: true
  refundsAsOfMs?: number
  /** Of what is paid by this change. */
  taxPico?: bigint
}

export interface TopupChanged {
  topup: Topup
  /** What was posted now; empty where it all had been before. */
  posted: LedgerTransfer[]
}

/** One that it is time to ask the processor about. */
export type DueTopup = Topup & {
  /** Its account is closed: nobody is to pay there any more. */
  isToEnd: boolean
}

export interface TopupStore {
  /**
   * Keeps a new top-up, or answers the one that has its idempotency key. Of origin `link` there is one of an
   * account and key while it is open: that one is the answer, whatever its amount.
   */
  reserve(topup: NewTopup, nowMs: number): Promise<Topup>
  /** Keeps where a reserved top-up is paid. */
  attach(id: string, checkout: Checkout): Promise<Topup>
  find(id: string): Promise<Topup | undefined>
  /** The account's newest top-up by a link for this key; null: for its default key. */
  findLink(accountId: string, keyId: string | null): Promise<Topup | undefined>
  findBySession(sessionId: string): Promise<Topup | undefined>
  findByPayment(paymentId: string): Promise<Topup | undefined>
  /** Newest first; of those only that have a checkout. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    /** When they were opened, in Unix epoch milliseconds; from included, to not. */
    range?: { fromMs?: number; toMs?: number },
  ): Promise<{ rows: Topup[]; nextCursor: string | null }>
  /**
   * Decides on a top-up that nobody else can change meanwhile, and posts what follows, in one transaction.
   * Its credit goes to, and is taken from, the key that it names, or that it went to first; where that is
   * revoked, to where that key's credit went.
   * @returns undefined where there is no such top-up
   */
  change(id: string, decide: (topup: Topup) => TopupChange, nowMs: number): Promise<TopupChanged | undefined>
  /**
   * Open top-ups that it is time to ask the processor about, the longest overdue first. Each is given to one
   * caller, and becomes due again later.
   */
  claimDue(limit: number, nowMs: number): Promise<DueTopup[]>
  /** Takes one top-up to ask about out of its turn; false where somebody asked since `notSinceMs`. */
  claim(id: string, notSinceMs: number, nowMs: number): Promise<boolean>
  /** Forgets what was reserved before this time and never got a checkout. */
  dropAbandoned(beforeMs: number): Promise<void>
  /** All that the account ever paid, less what went back. */
  lifetimePico(accountId: string): Promise<bigint>
}
