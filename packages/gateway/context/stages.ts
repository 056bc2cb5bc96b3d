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

/**
 * What is known of a request grows from stage to stage; each step takes the stage it needs, so that none
 * can run too early.
 */
export interface Received {
  exchange: Exchange
  /** The format that its caller speaks. */
  format: CallerFormat
  /** What its caller asks for. */
  operation: OperationRules
}

/**
 * A request of which nothing is known yet. All that will be has its place already: an object that grows to so
 * many fields becomes a hash table on its way (V8's dictionary mode), slow for every step that looks into it.
 */
export function beginRequest(exchange: Exchange, format: CallerFormat): Received {
  const request: Received & Record<Exclude<keyof Held, keyof Received>, undefined> = {
    exchange,
    format,
    operation: operations[format.operation],
    key: undefined,
    record: undefined,
    unrecorded: undefined,
    seen: undefined,
    body: undefined,
    members: undefined,
    call: undefined,
    continued: undefined,
    keptInput: undefined,
    unsupportedFields: undefined,
    candidates: undefined,
    route: undefined,
    allowance: undefined,
    budgets: undefined,
    hold: undefined,
    heldInputTokens: undefined,
    furtherInput: undefined,
    outputBound: undefined,
    toolUses: undefined,
    withMedia: undefined,
    mediaRefusal: undefined,
    batch: undefined,
    input: undefined,
    headSent: undefined,
    attempt: undefined,
  }
  return request
}

export interface Authenticated extends Received {
  key: KnownKey
  /** The request's row, filled in as the request goes on. */
  record: RequestRecord
  /** One of so many refused requests that they are only counted: no row is kept of it. */
  unrecorded?: true
  /** What goes by, where its caller wants it kept; `exchange` tells it. */
  seen?: Capture | undefined
}

export interface Parsed extends Authenticated {
  /** The body as it came: every attempt starts from it. Empty once the last candidate was asked. */
  body: Buffer
  /** Where its outermost members stand in it. */
  members: readonly Member[]
  call: Call
  /** Where the conversation before it was kept. */
  continued?: Continued | undefined
  /** What the answer is kept with: JSON of a list. Absent: it is not kept, or too large. */
  keptInput?: Buffer | undefined
  /** What is to become of fields that a vendor cannot honour; undefined: what its provider says. */
  unsupportedFields: UnsupportedFieldsRule | undefined
}

/** A request that goes on from a kept answer: its body is the whole conversation from here on. */
export interface Continued {
  /** Of the answer. */
  id: string
  /** What its caller sent, and the whole of it, parsed; until an answer has begun. */
  bodies: { own: object; whole: object } | undefined
}

export interface Routed extends Parsed {
  /** All who may be asked, in order; at least one. */
  candidates: readonly Candidate[]
  /** Where auto-routing chose them: how. */
  route?: AutoRoute
}

export interface Limited extends Routed {
  /** What it has taken of its account's limits. */
  allowance: Allowance
}

/** How many output tokens a choice of the answer may have (docs/contract.md, 4.5). */
export interface OutputBound {
  /** What is held for a choice; a model's own limit may be lower. */
  tokens: number
  /** The vendor is told: the caller named a bound, or the credit needs one. */
  isSent: boolean
  /** It was lowered to what the credit covers: the caller is told. */
  isLowered: boolean
}

export interface Held extends Limited {
  /** Those that it falls under, whichever of its candidates answers. */
  budgets: BudgetSet
  hold: Hold
  /** Input tokens that the hold covers, and which prices they may have besides that of text. */
  heldInputTokens: number
  furtherInput: readonly InputBucket[]
  outputBound: OutputBound
  /**
   * Uses of each tool that a vendor runs, where the credit covers no more; undefined: as many as asked for.
   */
  toolUses?: number | undefined
  /** The request with the media of foreign addresses in it, once a vendor needed them. */
  withMedia?: OperationRequest | undefined
  /** Why they could not be read, or not be paid. */
  mediaRefusal?: GatewayError | undefined
  /** Where it is asked in parts: what was answered of it, at these prices. */
  batch?: { parts: Batch; prices: PriceTable } | undefined
  /** What its input is counted from, once a stream has begun: the messages are no longer there. */
  input?: InputSeen
  /** The head of a streamed answer has gone out, though maybe not a token of it. */
  headSent: boolean
  /** The candidate that was asked last: the one that answered, if one did. */
  attempt?: Attempt | undefined
}

/** A candidate, and the request that it is asked. */
export interface CandidateRequest {
  request: Parsed
  candidate: Candidate
}

/** One candidate's turn: what is of the one that is asked, or has answered, and of no other one. */
export interface Attempt extends CandidateRequest {
  request: Held
  /** Its row; among the request's from its call on. */
  row: AttemptRecord
  /** Output tokens of all choices that the hold covers at this candidate. */
  heldOutputTokens: number
  /** Paths of what it is not sent, though the caller asked for it. */
  dropped: readonly string[]
  /** Outermost members of the body that it has refused once, and is asked without. */
  refused: readonly string[]
  /** It has refused what proves earlier reasoning, and is asked without. */
  withoutProofs: boolean
  /** What the head of its answer said, where that was no success: its credential may learn of it. */
  failedHead: Pick<FailedAnswer, 'errorType' | 'date'> | undefined
  /** Whether another candidate may be asked after it. */
  othersFollow: boolean
  /** When it was called, on the monotonic clock; 0: not yet. */
  calledAtMs: number
}
