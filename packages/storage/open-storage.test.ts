import { tmpdir } from 'node:os'
import { Client } from 'pg'
import { describe, expect, inject, it, vi } from 'vitest'
import { advisoryLockKey as migrationLock } from './migrations/migrate.ts'
import { openStorage } from './open-storage.ts'
import { fundedKey, newAccount } from './testing/fixtures.ts'
import { createTestDatabase, onEachEngine } from './testing/test-database.ts'

onEachEngine((opened) => {
  describe('opening a database', () => {
    it('creates the schema once, even if many nodes open it at once', async () => {
      const database = await createTestDatabase(opened().database.engine)
      const storages = await Promise.all(Array.from({ length: 4 }, () => openStorage(database.options)))
      const account = await newAccount(storages[0]!)
      expect(await storages[3]!.accounts.find(account.id)).toEqual(account)
      await Promise.all(storages.map((storage) => storage.close()))
      const again = await openStorage(database.options)
      await again.ping()
      expect(await again.accounts.find(account.id)).toEqual(account)
      await again.close()
      await database.drop()
    })

    it('refuses a database of a newer version', async () => {
      const database = await createTestDatabase(opened().database.engine)
      const storage = await openStorage(database.options)
      await storage.close()
      await database.execute("INSERT INTO schema_migrations VALUES (9999, 'future', 1)")
      await expect(openStorage(database.options)).rejects.toThrow('by a newer version of Turnpike')
      await database.drop()
    })

    it('leaves a closed storage unusable', async () => {
      const database = await createTestDatabase(opened().database.engine)
      const storage = await openStorage(database.options)
      const key = await fundedKey(storage, 5n)
      await storage.close()
      await expect(storage.apiKeys.find(key.accountId, key.id)).rejects.toThrow()
      await database.drop()
    })
  })
})

describe.skipIf(inject('postgresUrl') === null)('opening a database while another node migrates it', () => {
  it('waits for the other node', async () => {
    const database = await createTestDatabase('postgres')
    const { options } = database
    if (options.engine !== 'postgres') throw new Error('asked for PostgreSQL, got another engine')
    const other = new Client({ connectionString: options.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
    let isOpen = false
    const opening = openStorage(options).then((storage) => {
      isOpen = true
      return storage
    })
    await vi.waitFor(async () => {
      const { rowCount } = await other.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      )
      expect(rowCount).toBe(1)
    }, 20_000)
    expect(isOpen).toBe(false)
    // Other connections cannot see what the running migration has done so far.
    const { rows } = await other.query(`SELECT to_regclass('schema_migrations') AS made`)
    expect(rows).toEqual([{ made: null }])
    await other.query('COMMIT')
    const storage = await opening
    await storage.ping()
    await storage.close()
    await other.end()
    await database.drop()
  })
})

describe('opening a database that does not exist', () => {
  it('rejects with the reason', async () => {
    await expect(openStorage({ engine: 'sqlite', path: '/dev/null/no.sqlite' })).rejects.toThrow()
    await expect(openStorage({ engine: 'sqlite', path: tmpdir() })).rejects.toThrow('unable to open')
    await expect(
      openStorage({ engine: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' }),
    ).rejects.toThrow()
  })
})
