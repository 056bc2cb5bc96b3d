import type { RouteRecord } from '../auto/route-record.ts'
import type { Endpoint, ErrorType, Outcome, Pricing, Usage } from '@turnpike/protocol'

/**
 * What is kept of a request: one row in the outbox, then one in the database, from which its charge can be
 * recomputed. Contains no text of the prompt or the answer.
 */
export interface RequestRecord {
  /** `req_…`; also the reference of the charge: `usage:req_…`. */
  id: string
  accountId: string
  /** The key of the request. */
  keyId: string
  /** The key that paid, if it is another one; known once the charge is posted. */
  paidBy?: string
  /** Unix epoch milliseconds. */
  startedAtMs: number
  /** The API that was called; it determines the operation (`operationByEndpoint`). */
  endpoint: Endpoint
  stream: boolean
  /** As the caller wrote it; null if the body could not be read. */
  modelAsked: string | null
  /** `<provider>/<model_id>`; null if no model answered. */
  modelServed: string | null
  /** The last model that was tried, successfully or not; absent if none was. Only kept in health figures. */
  modelTried?: string | undefined
  provider: string | null
  /** Of auto-routing; null if the caller named the model. */
  tier: string | null
  /** How auto-routing chose. */
  route: RouteRecord | null
  /** The cost at the account's baseline model; null if auto-routing did not choose. */
  baselinePico: bigint | null
  tags: string[]
  outcome: Outcome
  /** The HTTP status that was sent, or 499 if the client had left. */
  status: number
  errorType: ErrorType | null
  /** The path of the field that the error names, as in `messages[3].content`; absent if it names none. */
  errorParam?: string | undefined
  attempts: AttemptRecord[]
  /** The caller's fields that the last vendor did not get, as in the header `x-turnpike-dropped`. */
  dropped: readonly string[]
  usage: Usage | null
  /** Totals of `usage`; 0 if nothing is charged. */
  tokensIn: number
  tokensOut: number
  priceVersion: string | null
  pricing: Pricing | null
  /** The operator's factor at the time, as a decimal string. */
  markup: string
  holdPico: bigint
  chargePico: bigint
  /**
   * The budget leases that the charge was held from, separated by spaces, as in `bud_…@d2026-11-23 bud_…@t`;
   * absent if there are none. Only the writer of charges reads them.
   */
  budgetLeases?: string | undefined
  /**
   * What the vendor is owed for `usage`: the charge without the markup, 0 if nothing is charged. Null if
   * unknown, as for requests from before it was recorded.
   */
  vendorCostPico: bigint | null
  /** One of the account's own vendor keys answered; absent if one of the operator's did, or none. */
  isByok?: true | undefined
  /** What the key's owner owes the vendor, by our prices; null without a price, absent without own key. */
  ownCostPico?: bigint | null | undefined
  /** From the request's head to the end of the answer. */
  durationMs: number
  /** From the request's head to the first token; null if there was none. */
  firstTokenMs: number | null
}

export interface AttemptRecord {
  provider: string
  model: string
  /** The key's position in the provider's list, from 1; absent if it has only one. */
  key?: number
  /** The provider's region; absent if it has none. */
  region?: string
  /** One of the account's own vendor keys was used. */
  isByok?: true
  /** The upstream's HTTP status; null if it never responded. */
  status: number | null
  /** `ok`; why it failed, such as `connect-timeout` or `status-429`; or one of `reasonsToPassOver`. */
  result: string
  /** To the first token, to the end of a plain answer, or to the failure. */
  durationMs: number
}

/** Why a candidate was passed over. */
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
