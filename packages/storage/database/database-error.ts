import { SqliteError } from '../sqlite/worker-client.ts'

/** Thrown inside a transaction whose locks turned out not to cover what it found: it is run again. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict'
}

/** Thrown for a row that cannot be stored, for a reason that no constraint knows. */
export class RefusedRow extends Error {
  override readonly name = 'RefusedRow'
}

const primaryCodeMask = 0xff
/** https://sqlite.org/rescode.html */
const sqliteBusy = 5
const sqliteTooBig = 18
const sqliteConstraint = 19
const sqliteMismatch = 20
const sqliteUnique = 2067

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresConflicts = new Set(['40001', '40P01'])
const postgresUnique = '23505'

/** Whether the same transaction may well succeed when run again: a deadlock, or another one came first. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflict) return true
  if (error instanceof SqliteError)
    return (error.errcode & primaryCodeMask) === sqliteBusy || error.errcode === sqliteUnique
  const code = postgresCode(error)
  return code !== undefined && (postgresConflicts.has(code) || code === postgresUnique)
}

/** What `node:sqlite` says of a value that it cannot bind. */
const bindErrors = new Set(['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ERR_OUT_OF_RANGE'])
/** Data exceptions, constraints, and limits such as the length of what is indexed. */
const postgresRefused = /^(?:22|23|54)/

/**
 * Whether the rows themselves are refused (a constraint, a value out of range, one that is of no type of the
 * database's), so that no repetition helps. What only a repetition can tell (a full disk, a lock, a server
 * that is away) is none of them.
 */
export function isRefusedData(error: unknown): boolean {
  if (error instanceof RefusedRow) return true
  if (error instanceof SqliteError) {
    const primary = error.errcode & primaryCodeMask
    return primary === sqliteConstraint || primary === sqliteMismatch || primary === sqliteTooBig
  }
  const code = postgresCode(error)
  return code !== undefined && (postgresRefused.test(code) || bindErrors.has(code))
}

function postgresCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
