import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isConflict } from './database-error.ts'
import type { Connection } from '../schema.ts'

const maxAttempts = 20
const longestFirstDelayMs = 10

/**
 * Runs `work` in a transaction of the writing connection, and again where another transaction got in its
 * way. `work` must use nothing but the transaction it is given: on SQLite there is one writing connection,
 * and a query beside the transaction would wait for it for ever.
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
