import { sql } from 'kysely'
import { databaseNowMs } from '../database/database-clock.ts'
import type { Connection } from '../schema.ts'

/** A notice is seen when its transaction commits, which may be so long after the time that it bears. */
const overlapMs = 10_000
/** Old notices are of no use to any node: whoever was away for so long has lost its leases. */
const keptForMs = 60_000

export interface NoticeRow {
  id: string
  notice: string
}

/** What nodes have told each other of late, all times by the database's clock. */
export class NoticeTable {
  readonly #database: Connection
  #readUpToMs = 0n

  constructor(database: Connection) {
    this.#database = database
  }

  /** What was told since the last read, and for a while before it. */
  async read(): Promise<NoticeRow[]> {
    const sinceMs = this.#readUpToMs - BigInt(overlapMs)
    // One row at least, for the time.
    const { rows } = await sql<{ now_ms: bigint; id: string | null; notice: string | null }>`
      SELECT clock.now_ms, notices.id, notices.notice
      FROM (SELECT ${databaseNowMs(this.#database)} AS now_ms) AS clock
      LEFT JOIN notices ON notices.created_at_ms > ${sinceMs}
      ORDER BY notices.created_at_ms`.execute(this.#database)
    this.#readUpToMs = rows[0]!.now_ms
    return rows.flatMap(({ id, notice }) => (id === null || notice === null ? [] : [{ id, notice }]))
  }

  async dropOld(): Promise<void> {
    await this.#database
      .deleteFrom('notices')
      .where('created_at_ms', '<', sql<bigint>`${databaseNowMs(this.#database)} - ${BigInt(keptForMs)}`)
      .execute()
  }
}
