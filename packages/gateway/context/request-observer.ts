import type { RequestRecord } from '../records/request-record.ts'
import type { Exchange } from './exchange.ts'

/** Why it is not known whose a request is. */
export type UnauthenticatedReason =
  /** It has no `Authorization`. */
  | 'no-key'
  /** That is not `Bearer` and a key. */
  | 'no-bearer'
  /** The key has a typo or does not exist. */
  | 'unknown-key'
  /** The store could not be asked whether it exists. */
  | 'not-looked-up'

/** Who counted the tokens of a prompt: its model's vendor, or we. */
export type TokenCountSource = 'vendor' | 'gateway'

/** For metrics and traces. Must not throw, and takes no time. */
export interface RequestObserver {
  /** Told of every request once it is settled and its row is safe. */
  settled(record: RequestRecord, headers: Pick<Exchange, 'header'>): void
  /** Told of a request of which no row is kept, since it is nobody's. */
  unauthenticated?(reason: UnauthenticatedReason): void
  /** Told of every answered count of tokens: nothing is charged, and no row is kept. */
  tokensCounted?(counter: TokenCountSource): void
}
