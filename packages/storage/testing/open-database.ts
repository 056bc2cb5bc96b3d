import type { Database } from '../database/database.ts'
import type { DatabaseOptions } from '../open-storage.ts'
import { openPostgres } from '../postgres/open.ts'
import { openSqlite } from '../sqlite/open.ts'

/** The database itself, for tests that no store covers. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.engine === 'sqlite' ? openSqlite(options) : openPostgres(options)
}
