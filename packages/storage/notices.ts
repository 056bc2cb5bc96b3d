import { randomUUID } from 'node:crypto'
import { engineOf } from './database/engine.ts'
import { databaseNowMs } from './database/database-clock.ts'
import type { Connection } from './schema.ts'
import { notifyAtCommit } from './sqlite/notice-query.ts'

/** What one node tells all others, and itself. */
export type Notice =
  /** Revoked, replaced, or its limits changed: what is remembered of it, and its lease, are out of date. */
  | { about: 'key'; keyId: string }
  | { about: 'account'; accountId: string }
  /** More of its account's credit is leased than there is: whoever holds some that is idle gives it back. */
  | { about: 'overdrawn'; keyId: string }
  /** A budget was changed or deleted: what is leased of it is out of date. */
  | { about: 'budget'; budgetId: string }
  /** Credit of the key is wanted by the node: whoever holds some that is idle gives it back. */
  | { about: 'wanted'; keyId: string; nodeId: string; amountPico: string }
  /** The node was asked, and has given back what it could. */
  | { about: 'answered'; keyId: string; nodeId: string; givenPico: string; heldPico: string }
  /** An operator had the node read its prices again; its version is what it has now. */
  | { about: 'prices'; nodeId: string; version: string }
  /** There are deliveries that are due. */
  | { about: 'deliveries' }
  /** Notices may have been missed: all that is remembered may be out of date. Only ever told to oneself. */
  | { about: 'missed' }

/**
 * `listening`: notices come at once. `reading`: they are not heard, but read from the table, half a second
 * late at most. `deaf`: neither.
 */
export type NoticeState = 'listening' | 'reading' | 'deaf'

/** A running reception of notices. */
export interface NoticeListener {
  readonly state: NoticeState
  /** Notices that were read before, or without, being heard. */
  readonly sweptUp: number
  close(): Promise<void>
}

/** Sent with the transaction that it is about, so that nobody hears of what has not happened. */
export async function publish(connection: Connection, notice: Notice): Promise<void> {
  if (engineOf(connection) === 'sqlite') return notifyAtCommit(connection, JSON.stringify(notice))
  await connection
    .insertInto('notices')
    .values({ id: randomUUID(), notice: JSON.stringify(notice), created_at_ms: databaseNowMs(connection) })
    .execute()
}
