import type { WrittenRequests } from '@turnpike/gateway'

/**
 * The messages between the event loop and the worker thread of an SQLite connection, or the database process
 * that several workers share.
 */

export type SqliteValue = string | number | bigint | Uint8Array | null

export interface WorkerSettings {
  path: string
  /** Allows only reads on this connection. */
  queryOnly: boolean
  /** SQLite's `synchronous`: FULL also survives a power cut. */
  synchronous: 'NORMAL' | 'FULL'
}

export type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never

export type WorkerRequest =
  | { id: number; kind: 'query'; sql: string; parameters: readonly SqliteValue[] }
  /** One statement, run once for each row of `width` values. */
  | { id: number; kind: 'bulk'; sql: string; width: number; values: readonly SqliteValue[] }
  /** An insert of rows of `width` values, which come between `into` and `conflict` in the statement. */
  | {
      id: number
      kind: 'insert'
      into: string
      conflict: string
      width: number
      /** Indexes of the columns in which many rows have the same value. */
      shared: readonly number[]
      values: readonly SqliteValue[]
    }
  /** Finished requests, one row of the outbox per line, for one transaction. The bytes are transferred. */
  | { id: number; kind: 'batch'; nodeId: string; lines: Uint8Array<ArrayBuffer> }
  /** Sent to all clients once its transaction is committed; outside of one, at once. */
  | { id: number; kind: 'notice'; notice: string }
  | { id: number; kind: 'close' }

export type WorkerAnswer =
  | { id: number; kind: 'rows'; rows: Record<string, SqliteValue>[] }
  | { id: number; kind: 'changes'; changes: bigint }
  /** Indexes of the rows for which the statement changed nothing. */
  | { id: number; kind: 'bulk'; unchanged: number[] }
  | { id: number; kind: 'batch'; written: WrittenRequests }
  | { id: number; kind: 'closed' }
  | { id: number; kind: 'error'; message: string; errcode: number | null }

/** The first message from the database process: from here on the client receives all notices. */
export interface Greeting {
  kind: 'greeting'
}

/** Not a response to a request. */
export interface ToldNotice {
  kind: 'notice'
  notice: string
}
