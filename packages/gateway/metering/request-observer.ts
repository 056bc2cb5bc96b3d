import type { RequestRecord } from './request-record.ts'

/**
 * Told of every request once it is settled and its row is safe; for metrics. Must not throw, and takes no
 * time.
 */
export interface RequestObserver {
  settled(record: RequestRecord): void
}
