import type { RouteRecord } from '../auto/route-record.ts'
import type { Endpoint, ErrorType, Outcome, Pricing, Usage } from '@turnpike/protocol'

/**
 * What is kept of a request: one row in the outbox, then one in the database, from which its charge
 * can be recomputed. No prompt and no answer text is in it.
 */
export interface RequestRecord {
  /** `req_…`; also the reference of the charge: `usage:req_…`. */
  id: string
  accountId: string
  /** The key that asked. */
  keyId: string
  /** The key that paid, where that is another one: known once the charge is posted. */
  paidBy?: string
  /** Unix epoch milliseconds. */
  startedAtMs: number
  /** The API that it came by; the operation follows from it (`operationByEndpoint`). */
  endpoint: Endpoint
  stream: boolean
  /** As the caller wrote it; null where the body could not be read. */
  modelAsked: string | null
  /** `<provider>/<model_id>`; null where no model served. */
  modelServed: string | null
  /** The model that was asked last, answering or not; absent: none was. Only health figures keep it. */
  modelTried?: string | undefined
  provider: string | null
  /** Of auto-routing; null where the caller named the model. */
  tier: string | null
  /** How auto-routing chose. */
  route: RouteRecord | null
  /** What it would have cost at the account's baseline model; null where auto-routing did not choose. */
  baselinePico: bigint | null
  tags: string[]
  outcome: Outcome
  /** HTTP status sent, or 499 where the client had left. */
  status: number
  errorType: ErrorType | null
  /** Path of the field that the error names, as in `messages[3].content`; absent: it names none. */
  errorParam?: string | undefined
  attempts: AttemptRecord[]
  /**
   * What the vendor that was asked last was not sent, though its caller asked for it: paths in the caller's
   * own body, as its `x-turnpike-dropped` has them.
   */
  dropped: readonly string[]
  usage: Usage | null
  /** Totals of `usage`; 0 where nothing is charged. */
  tokensIn: number
  tokensOut: number
  priceVersion: string | null
  pricing: Pricing | null
  /** The operator's factor at the time, a decimal string. */
  markup: string
  holdPico: bigint
  chargePico: bigint
  /**
   * The leases of budgets that the charge was held from, with a space between them, as in `bud_…@d2026-11-23
   * bud_…@t`; absent: none. Only the writer of charges reads them.
   */
  budgetLeases?: string | undefined
  /**
   * What the vendor is owed for `usage`: the charge without the markup; nothing where nothing is charged.
   * Null: unknown, as of requests from before it was kept.
   */
  vendorCostPico: bigint | null
  /** An own vendor key of the account answered; absent: one of the operator's did, or none. */
  isByok?: true | undefined
  /**
   * What the owner of that key owes the vendor for `usage`, by our prices; null: the model has none. Absent
   * where no own key answered.
   */
  ownCostPico?: bigint | null | undefined
  /** From the request's head to the end of the answer. */
  durationMs: number
  /** From the request's head to the first token; null where none came. */
  firstTokenMs: number | null
}

export interface AttemptRecord {
  provider: string
  model: string
  /** Place of the key in the provider's list, from 1; absent where it has but one. */
  key?: number
  /** Which of the provider's regions; absent where it has none. */
  region?: string
  /** An own vendor key of the account was asked. */
  isByok?: true
  /** The upstream's HTTP status; null where it never answered. */
  status: number | null
  /**
   * `ok`, or why it failed, as in `connect-timeout` or `status-429`; or why it was not asked: one of
   * `reasonsToPassOver`.
   */
  result: string
  /** To the first token, or to the whole of a plain answer, or to the failure. */
  durationMs: number
}

/** Why a candidate was not asked, though it was its turn. */
export const reasonsToPassOver = [
  'resting',
  'unsupported',
  'context-too-short',
  'no-time-left',
  'enough-own-keys',
  'no-credential',
  'budget-used-up',
] as const
export type ReasonToPassOver = (typeof reasonsToPassOver)[number]
