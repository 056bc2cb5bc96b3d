import { DatabaseSync } from 'node:sqlite'

/**
 * Rows that the database refuses for good, for a person to look at. Its file is held with an exclusive lock,
 * which ends with the process however it ends: two processes on one outbox would write over each other.
 */
export class SetAside {
  readonly #database: DatabaseSync

  /** @throws where another process has the outbox */
  constructor(path: string) {
    this.#database = new DatabaseSync(path)
    try {
      this.#database.exec(`
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS refused (payload TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
        BEGIN EXCLUSIVE;
        COMMIT;
      `)
    } catch (error) {
      this.#database.close()
      throw new Error(`Another process uses the outbox (${path}).`, { cause: error })
    }
  }

  add(payload: string, reason: string): void {
    this.#database.prepare('INSERT INTO refused (payload, reason) VALUES (?, ?)').run(payload, reason)
  }

  rows(): { payload: string; reason: string }[] {
    const rows = this.#database.prepare('SELECT payload, reason FROM refused ORDER BY rowid').all()
    return rows as unknown as { payload: string; reason: string }[]
  }

  close(): void {
    this.#database.close()
  }
}
