import { SqliteError } from './sqlite/worker-client.ts'

/** Thrown inside a transaction whose locks turned out not to cover what it found: it is run again. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict'
}

const primaryCodeMask = 0xff
/** https://sqlite.org/rescode.html */
const sqliteBusy = 5
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

/**
 * Whether the rows themselves are refused (a constraint, a value out of range), so that no repetition
 * helps.
 */
export function isRefusedData(error: unknown): boolean {
  if (error instanceof SqliteError) {
    const primary = error.errcode & primaryCodeMask
    return primary === sqliteConstraint || primary === sqliteMismatch
  }
  const code = postgresCode(error)
  return code !== undefined && (code.startsWith('22') || code.startsWith('23'))
}

function postgresCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
