import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { openPostgres } from './open.ts'

describe.skipIf(inject('postgresUrl') === null)('a connection closed by the server', () => {
  it('inside a transaction fails only that transaction', async () => {
    const created = await createTestDatabase('postgres')
    const { options } = created
    if (options.engine !== 'postgres') throw new Error('asked for PostgreSQL, got another engine')
    const database = await openPostgres(options)
    await expect(brokenTransaction(database)).rejects.toThrow()
    const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(database.write)
    expect(rows).toEqual([{ one: 1 }])
    await database.close()
    await created.drop()
  })
})

/** Between two statements nobody waits for a response, so nobody is notified of the broken connection. */
function brokenTransaction({ write }: Database): Promise<unknown> {
  return write.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction)
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(write)
    await delay(100)
    await sql`SELECT 1`.execute(transaction)
  })
}
