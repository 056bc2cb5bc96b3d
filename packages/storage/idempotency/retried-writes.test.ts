import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { KyselyPlugin } from 'kysely'
import type { IdempotencyStore } from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import type { Engine } from '../database/engine.ts'
import { openStorage } from '../open-storage.ts'
import { uniqueText } from '../testing/fixtures.ts'
import { openDatabase } from '../testing/open-database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { idempotencyStore } from './idempotency.ts'
import { RetriedWrites } from './retried-writes.ts'

const nowMs = Date.UTC(2026, 2, 15)
const answer = { status: 201, body: 'sealed' }
const patience = { timeout: 20_000, interval: 50 }

/** Executes every statement, but loses the results while `lost` is set. */
class LossyConnection implements KyselyPlugin {
  isLost = false
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    if (this.isLost) throw new Error('Connection terminated unexpectedly')
    return result
  }
}

for (const engine of ['sqlite', 'postgres'] as const satisfies Engine[]) {
  describe.skipIf(engine === 'postgres' && inject('postgresUrl') === null)(engine, () => {
    let created: TestDatabase
    let database: Database
    let store: IdempotencyStore
    let retriedWrites: RetriedWrites
    const connection = new LossyConnection()

    beforeEach(async () => {
      connection.isLost = false
      created = await createTestDatabase(engine)
      await (await openStorage(created.options)).close()
      database = await openDatabase(created.options)
      retriedWrites = new RetriedWrites()
      store = idempotencyStore({ ...database, write: database.write.withPlugin(connection) }, retriedWrites)
    })
    afterEach(async () => {
      await retriedWrites.close()
      await database.close()
      await created.drop()
    })

    const become = (id: string, claim: object): Promise<void> =>
      vi.waitFor(async () => expect(await store.claim(id, 'body', nowMs + 1)).toMatchObject(claim), patience)

    it('releases a claim whose result was lost', async () => {
      const id = uniqueText()
      connection.isLost = true
      await expect(store.claim(id, 'body', nowMs, 'node')).rejects.toThrow('Connection terminated')
      connection.isLost = false
      await become(id, { state: 'claimed' })
    })

    it('releases failed claims and keeps answers, once the database is back', async () => {
      const [failed, answered] = [uniqueText(), uniqueText()]
      for (const id of [failed, answered]) await store.claim(id, 'body', nowMs)
      await created.execute('ALTER TABLE idempotency_claims RENAME TO away')
      await expect(store.release(failed, nowMs)).rejects.toThrow()
      await expect(store.keep(answered, nowMs, answer)).rejects.toThrow()
      await created.execute('ALTER TABLE away RENAME TO idempotency_claims')
      await become(answered, { state: 'answered', answer })
      await become(failed, { state: 'claimed' })
    })

    it('takes nothing from a request that has meanwhile taken over the id', async () => {
      const id = uniqueText()
      await store.claim(id, 'body', nowMs)
      connection.isLost = true
      await expect(store.release(id, nowMs)).rejects.toThrow('Connection terminated')
      connection.isLost = false
      expect(await store.claim(id, 'body', nowMs + 5)).toMatchObject({ state: 'claimed' })
      await retriedWrites.close()
      expect(await store.claim(id, 'body', nowMs + 6)).toEqual({ state: 'running' })
    })

    it('tries once more when it is closed', async () => {
      const id = uniqueText()
      await store.claim(id, 'body', nowMs)
      connection.isLost = true
      await expect(store.keep(id, nowMs, answer)).rejects.toThrow('Connection terminated')
      connection.isLost = false
      await retriedWrites.close()
      expect(await store.claim(id, 'body', nowMs + 1)).toEqual({ state: 'answered', answer })
    })
  })
}
