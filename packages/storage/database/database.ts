import type { WrittenRequests } from '@turnpike/gateway'
import type { Engine } from './engine.ts'
import type { Notice, NoticeListener } from '../notices.ts'
import type { Connection } from '../schema.ts'

/** What the stores see of an engine. Everything else about it is in its own folder. */
export interface Database {
  readonly engine: Engine
  /** Whether other nodes may use it, too. */
  readonly isShared: boolean
  /** Changes, and reads of single rows, which must not wait for long queries. */
  readonly write: Connection
  /** Lists, usage and exports: sees all that is committed, never delays a change. */
  readonly read: Connection
  /** Runs a long read on one unchanging state of the whole database, without delaying other reads. */
  snapshot<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>
  /**
   * Where the database is a thread of this process, or a process beside it, it takes a batch of requests as
   * one text and writes it there: what the rows are made of is no work for the event loop.
   */
  readonly writeBatch?: (nodeId: string, lines: Uint8Array<ArrayBuffer>) => Promise<WrittenRequests>
  readonly listen: (
    onNotice: (notice: Notice) => void,
    onError: (error: Error) => void,
  ) => Promise<NoticeListener>
  close(): Promise<void>
}
