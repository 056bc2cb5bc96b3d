import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { OutboxFile } from '@turnpike/gateway'

/** `process`: rows survive a killed process. `power`: also a power cut, for a sync to disk a commit. */
export type Durability = 'process' | 'power'

/**
 * The outbox in a SQLite file of its own, on the thread that serves requests: a commit takes tens of
 * microseconds, and is shared by all requests that end in one turn of the event loop.
 */
export class SqliteOutboxFile implements OutboxFile {
  readonly #database: DatabaseSync
  readonly #begin: StatementSync
  readonly #insert: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #select: StatementSync
  readonly #delete: StatementSync
  /** Numbers grow while this file is open; AUTOINCREMENT would write a second page for each commit. */
  #lastSequence: number

  constructor(path: string, durability: Durability) {
    this.#database = new DatabaseSync(path)
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'OFF'};
      PRAGMA locking_mode = EXCLUSIVE;
      CREATE TABLE IF NOT EXISTS outbox (
        sequence INTEGER PRIMARY KEY,
        payload TEXT NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS refused (payload TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
    `)
    this.#begin = this.#database.prepare('BEGIN IMMEDIATE')
    this.#insert = this.#database.prepare('INSERT INTO outbox (sequence, payload) VALUES (?, ?)')
    this.#commit = this.#database.prepare('COMMIT')
    this.#rollback = this.#database.prepare('ROLLBACK')
    this.#select = this.#database.prepare(
      'SELECT sequence, payload FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT ?',
    )
    this.#delete = this.#database.prepare('DELETE FROM outbox WHERE sequence <= ?')
    const { last } = this.#database.prepare('SELECT max(sequence) AS last FROM outbox').get() as {
      last: number | null
    }
    this.#lastSequence = last ?? 0
  }

  append(payloads: readonly string[]): number {
    let last = this.#lastSequence
    // A statement by itself is a commit.
    if (payloads.length === 1) this.#insert.run(++last, payloads[0]!)
    else if (payloads.length > 1) last = this.#appendAll(payloads, last)
    this.#lastSequence = last
    return last
  }

  #appendAll(payloads: readonly string[], above: number): number {
    this.#begin.run()
    try {
      let last = above
      for (const payload of payloads) this.#insert.run(++last, payload)
      this.#commit.run()
      return last
    } catch (error) {
      if (this.#database.isTransaction) this.#rollback.run()
      throw error
    }
  }

  read(above: number, limit: number): { sequence: number; payload: string }[] {
    return this.#select.all(above, limit) as unknown as { sequence: number; payload: string }[]
  }

  remove(through: number): void {
    this.#delete.run(through)
  }

  setAside(payload: string, reason: string): void {
    this.#database.prepare('INSERT INTO refused (payload, reason) VALUES (?, ?)').run(payload, reason)
  }

  /** What was set aside so far. */
  setAsideRows(): { payload: string; reason: string }[] {
    const rows = this.#database.prepare('SELECT payload, reason FROM refused ORDER BY rowid').all()
    return rows as unknown as { payload: string; reason: string }[]
  }

  count(): number {
    const row = this.#database.prepare('SELECT count(*) AS rows FROM outbox').get() as { rows: number }
    return row.rows
  }

  close(): void {
    this.#database.close()
  }
}
