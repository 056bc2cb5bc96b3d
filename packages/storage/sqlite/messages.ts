import type { WrittenRequests } from '@turnpike/gateway'

/**
 * What travels between the event loop's side of an SQLite connection and its worker thread, or the process
 * that has it for several workers.
 */

export type SqliteValue = string | number | bigint | Uint8Array | null

export interface WorkerSettings {
  path: string
  /** Only reads are possible on this connection. */
  queryOnly: boolean
  /** SQLite's `synchronous`: FULL also survives a power cut. */
  synchronous: 'NORMAL' | 'FULL'
}

export type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never

export type WorkerRequest =
  | { id: number; kind: 'query'; sql: string; parameters: readonly SqliteValue[] }
  /** One statement, run once for each row of `width` values. */
  | { id: number; kind: 'bulk'; sql: string; width: number; values: readonly SqliteValue[] }
  /** Rows of `width` values: `into` and `conflict` stand before and behind them in the statement. */
  | {
      id: number
      kind: 'insert'
      into: string
      conflict: string
      width: number
      values: readonly SqliteValue[]
    }
  /**
   * Finished requests, one of the outbox's payloads a line: written in one transaction. The bytes are handed
   * over.
   */
  | { id: number; kind: 'batch'; nodeId: string; lines: Uint8Array<ArrayBuffer> }
  /** Told to all once the transaction that it stands in is committed; outside of one, at once. */
  | { id: number; kind: 'notice'; notice: string }
  | { id: number; kind: 'close' }

export type WorkerAnswer =
  | { id: number; kind: 'rows'; rows: Record<string, SqliteValue>[] }
  | { id: number; kind: 'changes'; changes: bigint }
  /** Numbers of the rows for which the statement changed nothing. */
  | { id: number; kind: 'bulk'; unchanged: number[] }
  | { id: number; kind: 'batch'; written: WrittenRequests }
  | { id: number; kind: 'closed' }
  | { id: number; kind: 'error'; message: string; errcode: number | null }

/** The first message of a connection to the database process: from here on it is told of all notices. */
export interface Greeting {
  kind: 'greeting'
}

/** Answers no request. */
export interface ToldNotice {
  kind: 'notice'
  notice: string
}
