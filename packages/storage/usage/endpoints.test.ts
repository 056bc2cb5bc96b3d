import { describe, expect, it } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { fundedKey, newRecord, noonMs } from '../testing/fixtures.ts'
import { createTestDatabase, onEachEngine } from '../testing/test-database.ts'
import { dayMs } from './period.ts'

const range = { fromMs: noonMs - dayMs, toMs: noonMs + dayMs }

describe('usage by endpoint', () => {
  onEachEngine((opened) => {
    it('tells endpoints apart, even if everything else is the same', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n ** 15n)
      const filter = { accountId: key.accountId, ...range }
      // The sum of their lower halves carries into the upper half.
      const records = [3_000_000_000n, 4_000_000_000n, 5_000_000_000n].map((chargePico, index) =>
        newRecord(key, { chargePico, endpoint: index === 1 ? 'chat.completions' : 'messages', tags: ['a'] }),
      )
      await storage.requests.write('node_e', records)
      const groups = [
        { groups: ['messages'], totalRequests: 2, totalCostPico: 8_000_000_000n },
        { groups: ['chat.completions'], totalRequests: 1, totalCostPico: 4_000_000_000n },
      ]
      for (const tagged of [{}, { tags: ['a'] }]) {
        const { rows } = await storage.usage.breakdown({ ...filter, ...tagged }, ['endpoint'])
        expect(rows).toMatchObject(groups)
        const first = await storage.usage.breakdown({ ...filter, ...tagged }, ['endpoint'], { limit: 1 })
        expect(first).toMatchObject({ rows: [groups[0]], others: { totalCostPico: 4_000_000_000n } })
        const second = await storage.usage.breakdown({ ...filter, ...tagged }, ['endpoint'], {
          limit: 1,
          cursor: first.nextCursor!,
        })
        expect(second).toMatchObject({ rows: [groups[1]], nextCursor: null })
      }
      const { rows } = await storage.usage.breakdown(filter, ['tag', 'operation'])
      expect(rows).toMatchObject([{ groups: ['a', 'generate'], totalRequests: 3 }])
      for (const {
        groups: [endpoint],
        ...totals
      } of groups) {
        const of = { ...filter, endpoint: endpoint as 'messages' }
        expect(await storage.usage.summary(of)).toMatchObject(totals)
        expect((await storage.usage.requests(of, { limit: 9 })).rows).toHaveLength(totals.totalRequests)
      }
      expect(await storage.usage.summary({ ...filter, operation: 'embed' })).toMatchObject({
        totalRequests: 0,
      })
    })

    it('has no group for an endpoint if a model was used by another one only', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n ** 15n)
      await storage.requests.write('node_e', [
        newRecord(key, { endpoint: 'messages', modelServed: 'anthropic/claude' }),
      ])
      const { rows } = await storage.usage.breakdown({ accountId: key.accountId, ...range }, [
        'model',
        'endpoint',
      ])
      expect(rows.map(({ groups }) => groups)).toEqual([['anthropic/claude', 'messages']])
    })

    it('is reported as wrong if totals are under the wrong endpoint', async () => {
      const database = await createTestDatabase(opened().database.engine)
      const storage = await openStorage(database.options)
      const key = await fundedKey(storage, 1_000_000n)
      await storage.requests.write('node_e', [newRecord(key, { chargePico: 7n, endpoint: 'messages' })])
      expect(await storage.ledger.verify()).toMatchObject({ ok: true })
      for (const table of ['usage_endpoint_totals', 'usage_endpoint_tag_totals'])
        await database.execute(`UPDATE ${table} SET endpoint = 'responses'`)
      const { differences } = await storage.ledger.verify()
      const { accountId } = key
      expect(differences).toMatchObject([
        { subject: `usage totals by endpoint of 2026-03-15, ${accountId} messages`, found: 'nothing' },
        { subject: `usage totals by endpoint of 2026-03-15, ${accountId} responses`, expected: 'nothing' },
      ])
      await storage.close()
      await database.drop()
    })

    it('counts totals from before endpoints were told apart as chat completions', async () => {
      const database = await createTestDatabase(opened().database.engine)
      const before = await openStorage(database.options)
      const key = await fundedKey(before, 1_000_000n)
      await before.requests.write('node_e', [newRecord(key, { chargePico: 120n })])
      await before.close()
      for (const table of ['usage_endpoint_totals', 'usage_endpoint_tag_totals'])
        await database.execute(`DROP TABLE ${table}`)
      await database.execute('DELETE FROM schema_migrations WHERE number = 14')
      const storage = await openStorage(database.options)
      await storage.requests.write('node_e', [newRecord(key, { chargePico: 7n, endpoint: 'messages' })])
      const { rows } = await storage.usage.breakdown({ accountId: key.accountId, ...range }, ['endpoint'])
      expect(rows).toMatchObject([
        { groups: ['chat.completions'], totalRequests: 1, totalCostPico: 120n },
        { groups: ['messages'], totalRequests: 1, totalCostPico: 7n },
      ])
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
      await database.execute("UPDATE usage_endpoint_totals SET tokens_in = 0 WHERE period LIKE 'd%'")
      const { differences } = await storage.ledger.verify()
      expect(differences.map(({ subject }) => subject)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^usage totals by endpoint of 2026-03-15/)]),
      )
      await storage.close()
      await database.drop()
    })
  })
})
