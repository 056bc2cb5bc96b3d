import type { LedgerTransfer, TransferKind } from './ledger.ts'

export interface CreditMovement {
  accountId: string
  /** Absent: the default key (oldest active one), else the account's unassigned credit. */
  keyId?: string
  kind: 'grant' | 'refund' | 'adjustment' | 'topup'
  /** Above zero adds credit, below zero takes it (`refund` and negative `adjustment`). */
  amountPico: bigint
  /** Unique. The same reference again moves nothing and returns the first transfer. */
  reference: string
  reason: string | null
  /**
   * The entry of this account that an `adjustment` corrects. Without `keyId` the correction goes to that
   * entry's key or that key's heir.
   */
  corrects?: string
}

/** Filter for an account's entries; absent: all. */
export interface LedgerFilter {
  kinds?: readonly TransferKind[]
  /** Entries from or to this key. */
  keyId?: string
  /** By `createdAtMs`. */
  fromMs?: number
  /** Exclusive. */
  toMs?: number
}

export interface LedgerDifference {
  /** The compared object, such as `balance of key:key_…`. */
  subject: string
  expected: string
  found: string
}

export interface LedgerVerification {
  ok: boolean
  /** The number of ledger accounts, leases and charges that were compared. */
  checked: number
  differences: LedgerDifference[]
  /** Set if it was stopped early. The result contains what was found by then. */
  stopped?: true
}

export interface VerifyOptions {
  /** Stops it between two comparisons. */
  signal?: AbortSignal
  /** Called now and then with the number of comparisons. */
  onProgress?: (checked: number) => void
  /** Awaited between two queries. */
  rest?: () => Promise<void>
}

/** Why a movement was refused. */
export type MovementRefusal =
  | 'unknown-account'
  | 'unknown-key'
  | 'key-revoked'
  /** From a key to itself. */
  | 'same-key'
  | 'unknown-transfer'
  | 'insufficient-credit'
  /** The balance would exceed 64 bits (9.2 million USD). */
  | 'balance-limit'
  | 'reference-reused'

export type MovementResult = { transfer: LedgerTransfer } | { refused: MovementRefusal }

export interface LedgerStore {
  move(movement: CreditMovement, nowMs: number): Promise<MovementResult>
  /** Between two active keys of one account, of credit that is neither spent nor leased. */
  transferBetweenKeys(
    transfer: {
      accountId: string
      fromKeyId: string
      toKeyId: string
      amountPico: bigint
      reference: string
    },
    nowMs: number,
  ): Promise<MovementResult>
  /** Newest first. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    filter?: LedgerFilter,
  ): Promise<{ rows: LedgerTransfer[]; nextCursor: string | null }>
  /** Recomputes every balance, lease and charge from the rows, in bounded memory. */
  verify(options?: VerifyOptions): Promise<LedgerVerification>
}
