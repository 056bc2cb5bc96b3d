import { sql } from 'kysely'
import { databaseNowMs } from '../database/database-clock.ts'
import type { Connection } from '../schema.ts'

/** A notice becomes visible when its transaction commits, up to this long after its timestamp. */
const overlapMs = 10_000
/** Old notices are of no use: a node that was away for this long has lost its leases. */
const keptForMs = 60_000

export interface NoticeRow {
  id: string
  notice: string
}

/** The recent notices of all nodes, with all times by the database's clock. */
export class NoticeTable {
  readonly #database: Connection
  #readUpToMs = 0n

  constructor(database: Connection) {
    this.#database = database
  }

  /** Notices since the last read, with some overlap. */
  async read(): Promise<NoticeRow[]> {
    const sinceMs = this.#readUpToMs - BigInt(overlapMs)
    // Returns at least one row, for the time.
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
