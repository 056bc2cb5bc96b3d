import type { UsageFilter } from '@turnpike/gateway'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { openStorage, type Storage } from '../open-storage.ts'
import { fundedKey, newRecord, noonMs } from '../testing/fixtures.ts'
import { openDatabase } from '../testing/open-database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { dayMs } from '../usage/period.ts'
import { keepRequests } from './keep-requests.ts'
import { inTransaction } from '../database/transaction.ts'
import { dropPartition } from './partitions.ts'
import type { RetentionStore } from './retention.ts'

const midnightMs = noonMs - dayMs / 2

interface Opened {
  storage: Storage
  database: Database
  test: TestDatabase
}

/** Each test deletes what it wrote, so each gets a database of its own. */
async function withDatabase(engine: TestDatabase['engine'], body: (opened: Opened) => Promise<void>) {
  const test = await createTestDatabase(engine)
  const storage = await openStorage(test.options)
  const database = await openDatabase(test.options)
  try {
    await body({ storage, database, test })
  } finally {
    await database.close()
    await storage.close()
    await test.drop()
  }
}

const figuresOf = async ({ usage }: Storage, filter: UsageFilter) => ({
  summary: await usage.summary(filter),
  tags: await usage.breakdown(filter, ['tag', 'day']),
  models: await usage.breakdown(filter, ['model']),
})

async function count(database: Database, table: string, condition = sql`true`): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n from ${sql.table(table)} where ${condition}
  `.execute(database.read)
  return Number(rows[0]!.n)
}

describe.each(['sqlite', 'postgres'] as const)('%s', (engine) => {
  const test = (name: string, body: (opened: Opened) => Promise<void>): void =>
    it.skipIf(engine === 'postgres' && inject('postgresUrl') === null)(name, () => withDatabase(engine, body))

  test('deleting requests leaves figures and the ledger as they were, and verifiable', async (opened) => {
    const { storage, database } = opened
    const key = await fundedKey(storage, 10n ** 15n)
    const filter = { accountId: key.accountId, fromMs: midnightMs - 9 * dayMs, toMs: midnightMs + dayMs }
    await storage.retention.prepare(noonMs - 4 * dayMs)
    const records = Array.from({ length: 1_300 }, (_, index) =>
      newRecord(key, {
        startedAtMs: noonMs - (index % 9) * dayMs + index,
        tags: index % 3 === 0 ? [] : ['a', `t${index % 5}`],
        outcome: index % 7 === 0 ? 'failed' : 'completed',
        endpoint: index % 2 === 0 ? 'messages' : 'chat.completions',
        chargePico: index % 7 === 0 ? 0n : BigInt(index),
      }),
    )
    for (let start = 0; start < records.length; start += 500)
      await storage.requests.write('node_r', records.slice(start, start + 500))
    const before = await figuresOf(storage, filter)
    await storage.retention.dropBefore(noonMs - 3 * dayMs)
    expect(await figuresOf(storage, filter)).toEqual(before)
    const kept = records.filter((record) => record.startedAtMs >= midnightMs - 3 * dayMs)
    expect(await count(database, 'requests')).toBe(kept.length)
    const listed = await storage.usage.requests(filter, { limit: 2_000 })
    expect(listed.rows.map((row) => row.id)).toEqual(
      kept
        .map((record) => record.id)
        .sort()
        .toReversed(),
    )
    for (const table of ['', 'tag_', 'endpoint_', 'endpoint_tag_'].map((kind) => `usage_${kind}totals`)) {
      expect(await count(database, table, sql`period >= 'h' and period < 'h2026-03-12'`)).toBe(0)
      expect(await count(database, table, sql`period >= 'h2026-03-12'`)).toBeGreaterThan(0)
    }
    expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  })

  test('late requests count, and are deleted the next time', async ({ storage, database }) => {
    const key = await fundedKey(storage, 10n ** 15n)
    await storage.retention.dropBefore(noonMs)
    const late = newRecord(key, { startedAtMs: noonMs - 20 * dayMs, chargePico: 5n })
    await storage.requests.write('node_r', [late, newRecord(key, { chargePico: 7n })])
    expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    await storage.retention.dropBefore(noonMs)
    await storage.retention.dropBefore(noonMs - 30 * dayMs)
    expect(await count(database, 'requests')).toBe(1)
    const filter = { accountId: key.accountId, fromMs: midnightMs - 30 * dayMs, toMs: midnightMs + dayMs }
    expect(await storage.usage.summary(filter)).toMatchObject({ totalRequests: 2, totalCostPico: 12n })
    expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    // If it is sent again after all, its charge is recognized.
    await storage.requests.write('node_r', [late])
    expect(await storage.usage.summary(filter)).toMatchObject({ totalRequests: 2, totalCostPico: 12n })
  })

  test('the verification finds totals that were changed by hand', async ({ storage, test }) => {
    const key = await fundedKey(storage, 10n ** 15n)
    const record = newRecord(key, { startedAtMs: noonMs - 20 * dayMs, chargePico: 5n })
    await storage.requests.write('node_r', [record])
    await storage.retention.dropBefore(noonMs)
    const subjects = async () => (await storage.ledger.verify()).differences.map(({ subject }) => subject)
    expect(await subjects()).toEqual([])
    await test.execute("UPDATE usage_totals SET cost_low = cost_low + 1 WHERE period = 'd2026-02-23'")
    expect(await subjects()).toEqual([
      `usage totals by tag of 2026-02-23, ${key.accountId}`,
      'usage totals of 2026-02-23 against the ledger',
      `month 2026-02 in usage_totals, ${key.accountId}`,
    ])
    await test.execute("DELETE FROM usage_totals WHERE period = 'd2026-02-23'")
    expect(await subjects()).toContain('usage totals of 2026-02-23 against the ledger')
  })

  test('a job deletes old requests, and survives failures', async ({ storage, database }) => {
    const key = await fundedKey(storage, 10n ** 15n)
    await storage.requests.write('node_r', [
      newRecord(key, { startedAtMs: noonMs - 3 * dayMs }),
      newRecord(key, { startedAtMs: noonMs - 2 * dayMs }),
    ])
    const failures: unknown[] = []
    const onFailure = (error: unknown) => failures.push(error)
    const settings = { days: 2, logDays: undefined, clock: () => noonMs, onFailure }
    await keepRequests(storage, settings).stop()
    await runOnce(storage, settings)
    expect(await count(database, 'requests')).toBe(1)
    expect(failures).toEqual([])
    const broken = { ...storage.retention, prepare: () => Promise.reject(new Error('away')) }
    await keepRequests({ ...storage, retention: broken }, settings).stop()
    expect(failures).toEqual([new Error('away')])
  })
})

/** Runs the job once. */
async function runOnce(
  { retention: store, keptAnswers, promptLogs, events }: Storage,
  settings: Parameters<typeof keepRequests>[1],
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const observed: RetentionStore = {
    prepare: (nowMs) => store.prepare(nowMs),
    dropHealthHoursBefore: (timeMs, signal) => store.dropHealthHoursBefore(timeMs, signal),
    dropBefore: (timeMs, signal) => store.dropBefore(timeMs, signal).finally(resolve),
  }
  const job = keepRequests({ retention: observed, keptAnswers, promptLogs, events }, settings)
  await promise
  await job.stop()
}

describe.skipIf(inject('postgresUrl') === null)('partitions', () => {
  const namesIn = async (database: Database): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from requests order by id
    `.execute(database.read)
    return rows.map((row) => row.name)
  }

  it('are created ahead, even by many nodes at once', () =>
    withDatabase('postgres', async ({ storage, database, test }) => {
      const other = await openStorage(test.options)
      await Promise.all([storage, other, storage, other].map((one) => one.retention.prepare(noonMs)))
      await other.close()
      const { rows } = await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'requests'::regclass
        order by 1
      `.execute(database.read)
      expect(rows.map((row) => row.name)).toEqual([
        ...['14', '15', '16', '17', '18', '19', '20', '21', '22'].map((day) => `requests_202603${day}`),
        'requests_default',
      ])
      const key = await fundedKey(storage, 10n ** 15n)
      await storage.requests.write('node_p', [
        newRecord(key, { startedAtMs: midnightMs - 1 }),
        newRecord(key, { startedAtMs: midnightMs }),
        newRecord(key, { startedAtMs: midnightMs + 9 * dayMs }),
      ])
      expect(await namesIn(database)).toEqual(['requests_20260314', 'requests_20260315', 'requests_default'])
    }))

  it('take over rows that came before they were created', () =>
    withDatabase('postgres', async ({ storage, database }) => {
      const key = await fundedKey(storage, 10n ** 15n)
      const records = [noonMs, midnightMs, midnightMs + dayMs - 1, noonMs + 40 * dayMs].map((startedAtMs) =>
        newRecord(key, { startedAtMs, tags: ['x'] }),
      )
      await storage.requests.write('node_p', records)
      expect(new Set(await namesIn(database))).toEqual(new Set(['requests_default']))
      await storage.retention.prepare(noonMs)
      const day = 'requests_20260315'
      expect(await namesIn(database)).toEqual([day, day, day, 'requests_default'])
      await storage.requests.write('node_p', records)
      expect(await count(database, 'requests')).toBe(4)
      for (const record of records) expect(await storage.usage.request(undefined, record.id)).toEqual(record)
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    }))

  it('are dropped by several nodes at once, and every charge stays in the ledger', () =>
    withDatabase('postgres', async ({ storage, database, test }) => {
      const key = await fundedKey(storage, 10n ** 15n)
      await storage.retention.prepare(noonMs)
      const records = Array.from({ length: 400 }, (_, index) =>
        newRecord(key, {
          startedAtMs: midnightMs + (index % 3) * dayMs + index,
          chargePico: BigInt(index % 4),
        }),
      )
      await storage.requests.write('node_p', records)
      const listed = await storage.ledger.list(key.accountId, { limit: 1_000 })
      const other = await openStorage(test.options)
      await Promise.all([storage, other, storage].map((one) => one.retention.dropBefore(noonMs + 2 * dayMs)))
      await other.close()
      expect(new Set(await namesIn(database))).toEqual(new Set(['requests_20260317']))
      expect(await storage.ledger.list(key.accountId, { limit: 1_000 })).toEqual(listed)
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    }))

  it('are not dropped with a charge that came meanwhile', () =>
    withDatabase('postgres', async ({ storage, database }) => {
      const key = await fundedKey(storage, 10n ** 15n)
      await storage.retention.prepare(noonMs)
      await storage.requests.write('node_p', [newRecord(key)])
      const drop = () => inTransaction(database, (transaction) => dropPartition(transaction, midnightMs))
      await expect(drop()).rejects.toThrow('came while its day was being dropped')
      await storage.retention.dropBefore(noonMs + dayMs)
      expect(await count(database, 'requests')).toBe(0)
      await drop()
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    }))

  it('are not created while that would make requests wait', () =>
    withDatabase('postgres', async ({ storage, database }) => {
      await database.snapshot(async (transaction) => {
        await transaction.selectFrom('requests').select('id').execute()
        await expect(storage.retention.prepare(noonMs)).rejects.toThrow('lock timeout')
      })
      await storage.retention.prepare(noonMs)
    }))
})
