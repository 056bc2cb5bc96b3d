import type { ParsedChatRequest, Member } from '@turnpike/dialects'
import type { Hold } from '@turnpike/billing'
import type { ModelRequest } from '@turnpike/protocol'
import type { KnownKey } from '@turnpike/identity'
import type { Candidate } from './candidates.ts'
import type { Exchange } from './exchange.ts'
import type { RequestRecord } from './metering/request-record.ts'

/**
 * What is known of a request grows from stage to stage; each step takes the stage it needs, so that none
 * can run too early.
 */
export interface Received {
  exchange: Exchange
}

export interface Authenticated extends Received {
  key: KnownKey
  /** The request's row, filled in as the request goes on. */
  record: RequestRecord
}

export interface Parsed extends Authenticated {
  /** The body as it came: every attempt starts from it. */
  body: Buffer
  /** Where its outermost members stand in it. */
  members: readonly Member[]
  chat: ParsedChatRequest
}

/** What is a candidate's here is of the one that is being asked, or that has answered. */
export interface Routed extends Parsed, Candidate {
  /** All who may be asked, in order; at least one. */
  candidates: readonly Candidate[]
}

export interface Held extends Routed {
  hold: Hold
  /** Tokens that the hold covers. */
  heldInputTokens: number
  heldOutputTokens: number
  /** The request with the media of foreign addresses in it, once a vendor needed them. */
  withMedia?: ModelRequest
}
