import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import type { Notice, NoticeListener } from '../notices.ts'
import { openStorage } from '../open-storage.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { openPostgres } from './open.ts'

const patience = { timeout: 10_000, interval: 20 }

describe.skipIf(inject('postgresUrl') === null)('notices', () => {
  let created: TestDatabase
  let database: Database
  let listener: NoticeListener
  const received: Notice[] = []
  const errors: Error[] = []

  beforeAll(async () => {
    created = await createTestDatabase('postgres')
    const { options } = created
    if (options.engine !== 'postgres') throw new Error('asked for PostgreSQL, got another engine')
    await (await openStorage(options)).close()
    await send('before')
    database = await openPostgres(options)
    listener = await database.listen(
      (notice) => void received.push(notice),
      (error) => void errors.push(error),
    )
  })
  afterAll(async () => {
    await listener.close()
    await database.close()
    await created.drop()
  })

  const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
  const send = (keyId: string, atMs = now): Promise<void> =>
    created.execute(`INSERT INTO notices VALUES ('${keyId}', '{"about":"key","keyId":"${keyId}"}', ${atMs})`)
  const hears = (keyId: string): Promise<void> =>
    vi.waitFor(() => expect(received).toContainEqual({ about: 'key', keyId }), patience)

  it('arrive once, even if they are also read from the table', async () => {
    const keyIds = ['heard', 'heard too', 'heard three', 'heard four']
    for (const keyId of keyIds) {
      await send(keyId)
      await hears(keyId)
    }
    await delay(1_200)
    expect(received).toEqual(keyIds.map((keyId) => ({ about: 'key', keyId })))
    expect(listener.state).toBe('listening')
    // A notice may be read in the very moment in which it arrives.
    expect(listener.sweptUp).toBeLessThan(keyIds.length)
  })

  it('that did not arrive are read from the table', async () => {
    const before = listener.sweptUp
    await created.execute('ALTER TABLE notices DISABLE TRIGGER notices_told')
    await send('silent')
    // From a transaction that took some seconds to commit.
    await send('late', `${now} - 5000`)
    await hears('silent')
    await hears('late')
    await created.execute('ALTER TABLE notices ENABLE TRIGGER notices_told')
    expect(listener.sweptUp - before).toBe(2)
  })

  it('are read while no connection listens, and arrive again once one does', async () => {
    await created.execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'turnpike notices' AND datname = current_database()`,
    )
    await vi.waitFor(() => expect(errors).toHaveLength(1), patience)
    await send('between')
    await hears('between')
    await vi.waitFor(() => expect(listener.state).toBe('listening'), patience)
    const before = listener.sweptUp
    await send('after')
    await hears('after')
    expect(received.filter((notice) => 'keyId' in notice && notice.keyId === 'after')).toHaveLength(1)
    expect(listener.sweptUp - before).toBeLessThanOrEqual(1)
  })

  it('stop once the listener is closed, even during an attempt to reconnect', async () => {
    const name = `application_name = 'turnpike notices' AND datname = current_database()`
    const lost: Error[] = []
    const other = await database.listen(
      () => undefined,
      (error) => void lost.push(error),
    )
    await created.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${name}`)
    await vi.waitFor(() => expect(lost).toHaveLength(1), patience)
    await other.close()
    await vi.waitFor(() => expect(listener.state).toBe('listening'), patience)
    // Only the connection that is still open remains; the query fails if there are more.
    await vi.waitFor(
      () => created.execute(`SELECT 1 / (count(*) = 1)::int FROM pg_stat_activity WHERE ${name}`),
      patience,
    )
  })
})
