import type { LedgerTransfer, TransferKind } from './ledger.ts'

export interface CreditMovement {
  accountId: string
  /** Absent: the default key (oldest active one), else the account's unassigned credit. */
  keyId?: string
  kind: 'grant' | 'refund' | 'adjustment' | 'topup'
  /** Above zero adds credit, below zero takes it (`refund` and negative `adjustment`). */
  amountPico: bigint
  /** Unique; the same reference again moves nothing and answers with the first transfer. */
  reference: string
  reason: string | null
  /**
   * The entry of this account that an `adjustment` corrects. Without `keyId` it goes to that entry's key, or
   * to where that one's credit went.
   */
  corrects?: string
}

/** Which of an account's entries; absent: all. */
export interface LedgerFilter {
  kinds?: readonly TransferKind[]
  /** From or to this key. */
  keyId?: string
  /** By `createdAtMs`. */
  fromMs?: number
  /** Exclusive. */
  toMs?: number
}

export interface LedgerDifference {
  /** What was compared, as in `balance of key:key_…`. */
  subject: string
  expected: string
  found: string
}

export interface LedgerVerification {
  ok: boolean
  /** How many ledger accounts, leases and charges were compared. */
  checked: number
  differences: LedgerDifference[]
  /** True: it was stopped on its way, and tells what it had found by then. */
  stopped?: true
}

export interface VerifyOptions {
  /** Ends it between two figures. */
  signal?: AbortSignal
  /** Told now and then how many figures were compared. */
  onProgress?: (checked: number) => void
  /** Between two queries: resolves when the next one may be asked. */
  rest?: () => Promise<void>
}

/** Why a movement was not possible. */
export type MovementRefusal =
  | 'unknown-account'
  | 'unknown-key'
  | 'key-revoked'
  /** From a key to itself. */
  | 'same-key'
  | 'unknown-transfer'
  | 'insufficient-credit'
  /** The balance would leave 64 bits (9.2 million USD). */
  | 'balance-limit'
  | 'reference-reused'

export type MovementResult = { transfer: LedgerTransfer } | { refused: MovementRefusal }

export interface LedgerStore {
  move(movement: CreditMovement, nowMs: number): Promise<MovementResult>
  /** Between two active keys of one account; of what is neither spent nor leased. */
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
