import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isConflict } from './database-error.ts'
import type { Connection } from '../schema.ts'

const maxAttempts = 20
const longestFirstDelayMs = 10

/**
 * Runs `work` in a transaction of the writing connection, and retries it on a conflict with another
 * transaction. `work` must use only the given transaction: SQLite has one writing connection, and a query
 * outside the transaction would wait for it forever.
 */
export async function inTransaction<Result>(
  database: Pick<Database, 'write'>,
  work: (transaction: Connection) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.write.transaction().execute((transaction) => work(transaction))
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error
      await delay(Math.random() * longestFirstDelayMs * attempt)
    }
  }
}
