import type { Call, CallerFormat, FailedAnswer, Member } from '@turnpike/dialects'
import type { BudgetSet, Hold, PriceTable } from '@turnpike/billing'
import type { GatewayError, InputBucket, OperationRequest, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { KnownKey } from '@turnpike/identity'
import type { Allowance } from '@turnpike/limits'
import type { AutoRoute } from '../auto/auto-route.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { operations } from '../operations/registry.ts'
import type { Batch, InputSeen, OperationRules } from '../operations/rules.ts'
import type { Capture } from '../prompt-log/capture.ts'
import type { AttemptRecord, RequestRecord } from '../records/request-record.ts'
import type { Exchange } from './exchange.ts'

/** What is known about a request, stage by stage. A step takes the stage it needs, so none runs too early. */
export interface Received {
  exchange: Exchange
  /** The caller's format. */
  format: CallerFormat
  /** The rules of the operation that the caller requests. */
  operation: OperationRules
}

/** The first stage. Later steps add their fields to this object, one by one. */
export function beginRequest(exchange: Exchange, format: CallerFormat): Received {
  return { exchange, format, operation: operations[format.operation] }
}

export interface Authenticated extends Received {
  key: KnownKey
  /** The request's row, filled in step by step. */
  record: RequestRecord
  /** Set if so many requests were rejected that this one is only counted, without a row. */
  unrecorded?: true
  /** Captures the traffic for the prompt log, if the caller wants it kept; `exchange` then feeds it. */
  seen?: Capture | undefined
}

export interface Parsed extends Authenticated {
  /** The body as it arrived; every attempt starts from it. Empty once the last candidate was called. */
  body: Buffer
  /** Where the body's outermost members are. */
  members: readonly Member[]
  call: Call
  /** The kept conversation that this request continues. */
  continued?: Continued | undefined
  /** The input to keep with the answer: JSON of a list. Absent if it is not kept, or too large. */
  keptInput?: Buffer | undefined
  /** What to do with fields that a vendor does not support; undefined: the provider's setting applies. */
  unsupportedFields: UnsupportedFieldsRule | undefined
}

/** A request that continues a kept answer. Its body is the whole conversation from here on. */
export interface Continued {
  /** The kept answer's. */
  id: string
  /** What the caller sent, and the whole conversation, both parsed. Undefined once an answer has begun. */
  bodies: { own: object; whole: object } | undefined
}

export interface Routed extends Parsed {
  /** All candidates, in the order in which to try them; at least one. */
  candidates: readonly Candidate[]
  /** How auto-routing chose the candidates, if it did. */
  route?: AutoRoute
}

export interface Limited extends Routed {
  /** What the request took from its account's limits. */
  allowance: Allowance
}

/** How many output tokens each choice of the answer may have (docs/contract.md, 4.5). */
export interface OutputBound {
  /** The bound that the hold covers, per choice; a model's own limit may be lower. */
  tokens: number
  /** Whether the vendor gets the bound: because the caller named one, or the credit requires one. */
  isSent: boolean
  /** Whether the bound was lowered to what the credit covers, which the caller is informed of. */
  isLowered: boolean
}

export interface Held extends Limited {
  /** The budgets that the request counts against, whichever candidate answers. */
  budgets: BudgetSet
  hold: Hold
  /** Input tokens that the hold covers, and the buckets besides text that may price them. */
  heldInputTokens: number
  furtherInput: readonly InputBucket[]
  outputBound: OutputBound
  /** How many times each vendor-run tool may be used, if the credit limits that; undefined: as requested. */
  toolUses?: number | undefined
  /** The request with the media from remote addresses in it, once a vendor needed them. */
  withMedia?: OperationRequest | undefined
  /** Why the media could not be fetched, or not be paid. */
  mediaRefusal?: GatewayError | undefined
  /**
   * The parts answered so far of a request that is sent in parts, and the prices that they were answered at.
   */
  batch?: { parts: Batch; prices: PriceTable } | undefined
  /** What the input tokens are counted from once a stream has begun and the messages are dropped. */
  input?: InputSeen
  /** The head of a streamed response has gone out, perhaps without a token yet. */
  headSent: boolean
  /** The last attempt: the one that answered, if any did. */
  attempt?: Attempt | undefined
}

/** A candidate, and the request to send to it. */
export interface CandidateRequest {
  request: Parsed
  candidate: Candidate
}

/** One attempt: everything that applies to this candidate only. */
export interface Attempt extends CandidateRequest {
  request: Held
  /** The attempt's row, which joins the request's rows when the candidate is called. */
  row: AttemptRecord
  /** Output tokens of all choices that the hold covers at this candidate. */
  heldOutputTokens: number
  /** Paths of fields that the caller sent and this candidate does not get. */
  dropped: readonly string[]
  /** Outermost members of the body that this candidate has rejected once; the retry omits them. */
  refused: readonly string[]
  /** The candidate has rejected the proofs of earlier reasoning; the retry omits them. */
  withoutProofs: boolean
  /** From the head of an unsuccessful response; the credential may learn from it. */
  failedHead: Pick<FailedAnswer, 'errorType' | 'date'> | undefined
  /** Whether another candidate may be tried after this one. */
  othersFollow: boolean
  /** When it was called, on the monotonic clock; 0: not yet. */
  calledAtMs: number
}
