import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { openSqlite } from '../sqlite/open-sqlite.ts'

const fileName = 'refused.db'
const idLength = 32
const damagedName = /^damaged-/

/** A row that the database refused for good. */
export interface SetAsideRow {
  /** A hash of the payload, so that it is always the same. */
  id: string
  payload: string
  reason: string
  /** Null if the payload cannot be parsed. */
  requestId: string | null
  /** 0 if the payload cannot be parsed. */
  chargePico: bigint
}

/** What an outbox could not write to the database, and is therefore in no ledger. */
export interface SetAsideTotals {
  rows: number
  /** The sum of the charges that can be parsed. */
  chargePico: bigint
  /** Damaged bytes in its files. */
  damagedBytes: number
}

/**
 * Rows that the database refuses for good, for an operator to look at. The file is locked exclusively for as
 * long as the process lives, because two processes on one outbox would overwrite each other.
 */
export class SetAside {
  readonly #database: DatabaseSync
  readonly totals: Omit<SetAsideTotals, 'damagedBytes'> = { rows: 0, chargePico: 0n }

  /** @throws if another process uses the outbox */
  constructor(folder: string) {
    const path = join(folder, fileName)
    this.#database = openSqlite(path)
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
      throw new Error(`Another process is using the outbox (${path}).`, { cause: error })
    }
    for (const row of this.rows()) this.#count(row)
  }

  /** Adds a row. A row that exists already, as after a crash in between, is not added twice. */
  add(payload: string, reason: string): void {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO refused (payload, reason)
         SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM refused WHERE payload = ?)`,
      )
      .run(payload, reason, payload)
    if (Number(changes) > 0) this.#count(toRow({ payload, reason }))
  }

  rows(): SetAsideRow[] {
    return rowsOf(this.#database)
  }

  /** Removes a row for good: it is in the database now, or was settled by hand. */
  remove(id: string): void {
    for (const row of this.rows()) {
      if (row.id !== id) continue
      this.#database.prepare('DELETE FROM refused WHERE payload = ?').run(row.payload)
      this.totals.rows--
      this.totals.chargePico -= row.chargePico
    }
  }

  /** Stores why the row was refused the last time. */
  keepReason(id: string, reason: string): void {
    const payload = this.rows().find((row) => row.id === id)?.payload
    if (payload !== undefined)
      this.#database.prepare('UPDATE refused SET reason = ? WHERE payload = ?').run(reason, payload)
  }

  close(): void {
    this.#database.close()
  }

  #count({ chargePico }: SetAsideRow): void {
    this.totals.rows++
    this.totals.chargePico += chargePico
  }
}

/** Reads what an outbox has set aside, even while another process uses it. */
export function readSetAside(folder: string): {
  rows: SetAsideRow[]
  damaged: { path: string; bytes: number }[]
} {
  if (!existsSync(folder)) return { rows: [], damaged: [] }
  const path = join(folder, fileName)
  return { rows: existsSync(path) ? readRows(path) : [], damaged: listDamagedFiles(folder) }
}

export function listDamagedFiles(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder)
    .filter((name) => damagedName.test(name))
    .toSorted()
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }))
}

/** Ignores the writer's lock, which is safe because each row is one small transaction. */
function readRows(path: string): SetAsideRow[] {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  const database = openSqlite(url, { readOnly: true })
  try {
    return rowsOf(database)
  } finally {
    database.close()
  }
}

function rowsOf(database: DatabaseSync): SetAsideRow[] {
  const rows = database.prepare('SELECT payload, reason FROM refused ORDER BY rowid').all()
  return (rows as unknown as StoredRow[]).map(toRow)
}

type StoredRow = Pick<SetAsideRow, 'payload' | 'reason'>

/** A payload as `recordToPayload` writes it, or a line of the outbox that could not be read. */
const idPatterns = [/"id":"(req_[0-9a-z]{26})"/, /^\[\d+,"(req_[0-9a-z]{26})"/]
const chargePatterns = [/"chargePico":"(\d{1,30})"/, /^\[\d+,"req_[0-9a-z]{26}","(\d{1,30})"/]

/** Uses regular expressions, because the payload may be no valid JSON. */
function toRow({ payload, reason }: StoredRow): SetAsideRow {
  return {
    id: createHash('sha256').update(payload).digest('hex').slice(0, idLength),
    payload,
    reason,
    requestId: firstMatch(payload, idPatterns) ?? null,
    chargePico: BigInt(firstMatch(payload, chargePatterns) ?? '0'),
  }
}

function firstMatch(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}
