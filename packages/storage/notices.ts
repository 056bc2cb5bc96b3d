import { randomUUID } from 'node:crypto'
import { engineOf } from './database/engine.ts'
import { databaseNowMs } from './database/database-clock.ts'
import type { Connection } from './schema.ts'
import { notifyAtCommit } from './sqlite/notice-query.ts'

/** A message from one node to all nodes, itself included. */
export type Notice =
  /** The key was revoked or replaced, or its limits changed: cached data and its lease are out of date. */
  | { about: 'key'; keyId: string }
  | { about: 'account'; accountId: string }
  /** More of the account's credit is leased than it has: nodes return what is idle. */
  | { about: 'overdrawn'; keyId: string }
  /** A budget was changed or deleted: leases of it are out of date. */
  | { about: 'budget'; budgetId: string }
  /** The node needs credit of the key: other nodes return what is idle. */
  | { about: 'wanted'; keyId: string; nodeId: string; amountPico: string }
  /** The node has answered a `wanted` notice and returned what it could. */
  | { about: 'answered'; keyId: string; nodeId: string; givenPico: string; heldPico: string }
  /** An operator made the node reload its prices; `version` is what it uses now. */
  | { about: 'prices'; nodeId: string; version: string }
  /** Deliveries are due. */
  | { about: 'deliveries' }
  /** Notices may have been missed: everything cached may be out of date. Sent only to itself. */
  | { about: 'missed' }

/**
 * `listening`: notices arrive at once. `reading`: the node polls the table for them, so they arrive up to
 * half a second late. `deaf`: neither.
 */
export type NoticeState = 'listening' | 'reading' | 'deaf'

/** A running subscription to notices. */
export interface NoticeListener {
  readonly state: NoticeState
  /** Notices that were found by polling the table before, or instead of, arriving at once. */
  readonly sweptUp: number
  close(): Promise<void>
}

/** Publishes a notice as part of the transaction, so that no node hears of a change that was rolled back. */
export async function publish(connection: Connection, notice: Notice): Promise<void> {
  if (engineOf(connection) === 'sqlite') return notifyAtCommit(connection, JSON.stringify(notice))
  await connection
    .insertInto('notices')
    .values({ id: randomUUID(), notice: JSON.stringify(notice), created_at_ms: databaseNowMs(connection) })
    .execute()
}
