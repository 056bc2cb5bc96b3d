import type { Exchange } from '../exchange.ts'
import type { RequestRecord } from './request-record.ts'

/**
 * Told of every request once it is settled and its row is safe; for metrics and traces. Must not throw, and
 * takes no time.
 */
export interface RequestObserver {
  settled(record: RequestRecord, headers: Pick<Exchange, 'header'>): void
}
