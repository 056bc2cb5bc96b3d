import type { WrittenRequests } from '@turnpike/gateway'
import type { Engine } from './engine.ts'
import type { Notice, NoticeListener } from '../notices.ts'
import type { Connection } from '../schema.ts'

/** What the stores use of a database engine. Everything else about an engine is in its own folder. */
export interface Database {
  readonly engine: Engine
  /** Whether other nodes may use the database too. */
  readonly isShared: boolean
  /** For changes, and for reads of single rows that must not wait for long queries. */
  readonly write: Connection
  /** For lists, usage and exports. It sees everything that is committed, and never delays a change. */
  readonly read: Connection
  /** Runs a long read on one consistent snapshot of the whole database, without delaying other reads. */
  snapshot<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>
  /**
   * Writes a batch of requests that is passed as one text. Present if the database is a thread of this
   * process or a separate process: the rows are then built there and not on the event loop.
   */
  readonly writeBatch?: (nodeId: string, lines: Uint8Array<ArrayBuffer>) => Promise<WrittenRequests>
  readonly listen: (
    onNotice: (notice: Notice) => void,
    onError: (error: Error) => void,
  ) => Promise<NoticeListener>
  close(): Promise<void>
}
