import type { ParsedChatRequest, Member } from '@turnpike/dialects'
import type { Hold, PriceTable } from '@turnpike/billing'
import type { KnownKey } from '@turnpike/identity'
import type { CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'
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

export interface Routed extends Parsed {
  model: CatalogModel
  /** All zero for a model that the configuration says is free. */
  prices: PriceTable
  upstream: ModelUpstream
  provider: Provider
}

export interface Held extends Routed {
  hold: Hold
  /** Tokens that the hold covers. */
  heldInputTokens: number
  heldOutputTokens: number
}
