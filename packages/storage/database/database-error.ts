import { SqliteError } from '../sqlite/worker-client.ts'

/** Thrown inside a transaction whose locks do not cover everything it found: the transaction is run again. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict'
}

/** A row must not be stored, for a reason that no constraint of the database covers. */
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

/** Whether the same transaction may succeed on a retry, after a deadlock or a concurrent change. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflict) return true
  if (error instanceof SqliteError)
    return (error.errcode & primaryCodeMask) === sqliteBusy || error.errcode === sqliteUnique
  const code = postgresCode(error)
  return code !== undefined && (postgresConflicts.has(code) || code === postgresUnique)
}

/** Codes of `node:sqlite` for a value that it cannot bind. */
const bindErrors = new Set(['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ERR_OUT_OF_RANGE'])
/** Data exceptions, constraints, and limits such as the length of indexed text. */
const postgresRefused = /^(?:22|23|54)/

/**
 * Whether the database refuses the rows themselves (a constraint, a value out of range or of an unknown
 * type), so that a retry cannot help. Errors that a retry may resolve (a full disk, a lock, a server that is
 * away) do not count.
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
