import { expect, test } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { fundedKey, newRecord } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  test('an older database counts health from the migration on, and its books agree', async () => {
    const { storage, database } = opened()
    const key = await fundedKey(storage, 10n ** 15n)
    const before = newRecord(key, { tags: ['a'] })
    await storage.requests.write('node_a', [before])
    // As the previous release left it: nothing has counted health.
    for (const statement of [
      'DROP TABLE health_totals',
      'DROP TABLE health_errors',
      'DELETE FROM schema_migrations WHERE number = 21',
    ])
      await database.execute(statement)

    const appliedFromMs = Date.now()
    const upgraded = await openStorage(database.options)
    try {
      const after = newRecord(key, { tags: ['a'] })
      // An older request that the outbox sends again, because its response was lost, is not counted now.
      await upgraded.requests.write('node_a', [before, after])
      const filter = { accountId: key.accountId, fromMs: 0, toMs: Date.UTC(2027, 0) }
      expect(await upgraded.usageHealth.summary(filter)).toMatchObject({ requests: 1, completed: 1 })
      expect((await upgraded.usage.summary(filter)).totalRequests).toBe(2)
      expect(await upgraded.usageHealth.countedSinceMs()).toBeGreaterThanOrEqual(appliedFromMs)
      expect(await upgraded.ledger.verify()).toMatchObject({ differences: [] })
    } finally {
      await upgraded.close()
    }
  })
})
