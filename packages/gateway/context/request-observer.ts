import type { RequestRecord } from '../records/request-record.ts'
import type { Exchange } from './exchange.ts'

/** Why a request could not be attributed to a key. */
export type UnauthenticatedReason =
  /** It has no `Authorization` header. */
  | 'no-key'
  /** The header is not `Bearer` and a key. */
  | 'no-bearer'
  /** The key is mistyped or does not exist. */
  | 'unknown-key'
  /** The store was unavailable, so the key could not be looked up. */
  | 'not-looked-up'

/** What counted the tokens of a prompt: the model's vendor, or the gateway. */
export type TokenCountSource = 'vendor' | 'gateway'

/** Receives requests for metrics and traces. Must not throw, and must be fast. */
export interface RequestObserver {
  /** Called for every request once it is settled and its row is safe. */
  settled(record: RequestRecord, headers: Pick<Exchange, 'header'>): void
  /** Called for a request that belongs to no key, of which no row is kept. */
  unauthenticated?(reason: UnauthenticatedReason): void
  /** Called for every answered token count: nothing is charged, and no row is kept. */
  tokensCounted?(counter: TokenCountSource): void
}
