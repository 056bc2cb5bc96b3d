import { describe, expect, it } from 'vitest'
import { fundedKey, newRecord, noonMs } from '../testing/fixtures.ts'
import { openStorage } from '../open-storage.ts'
import { createTestDatabase, onEachEngine } from '../testing/test-database.ts'
import { dayMs } from './period.ts'

onEachEngine((opened) => {
  const range = { fromMs: noonMs - dayMs, toMs: noonMs + dayMs }

  describe('a vendor cost', () => {
    it('is stored with its request, and stays unknown if it is', async () => {
      const { requests, usage } = opened().storage
      const key = await fundedKey(opened().storage, 1_000_000n)
      const known = newRecord(key, { chargePico: 120n, vendorCostPico: 100n })
      const unknown = newRecord(key, { chargePico: 7n, vendorCostPico: null })
      await requests.write('node_v', [known, unknown])
      expect(await usage.request(key.accountId, known.id)).toMatchObject({ vendorCostPico: 100n })
      expect(await usage.request(key.accountId, unknown.id)).toMatchObject({ vendorCostPico: null })
      expect(await usage.summary({ accountId: key.accountId, ...range })).toMatchObject({
        totalCostPico: 127n,
        totalVendorCostPico: 100n,
        totalCostedPico: 120n,
      })
    })

    it('may exceed the charge, and its sums may exceed 64 bits', async () => {
      const { requests, usage } = opened().storage
      const key = await fundedKey(opened().storage, 1_000n)
      const vendorCostPico = 9_000_000_000_000_000_000n
      const records = [1, 2, 3].map(() => newRecord(key, { chargePico: 1n, vendorCostPico }))
      await requests.write('node_v', records)
      expect(await usage.summary({ accountId: key.accountId, ...range })).toMatchObject({
        totalVendorCostPico: 3n * vendorCostPico,
        totalCostedPico: 3n,
      })
    })

    it('is unknown for all requests from before it was recorded', async () => {
      const database = await createTestDatabase(opened().database.engine)
      const before = await openStorage(database.options)
      const key = await fundedKey(before, 1_000_000n)
      const old = newRecord(key, { chargePico: 120n, vendorCostPico: 100n })
      await before.requests.write('node_v', [old])
      await before.close()
      await database.execute('ALTER TABLE requests DROP COLUMN vendor_cost_pico')
      for (const table of ['usage_totals', 'usage_tag_totals'])
        for (const column of ['vendor_cost_high', 'vendor_cost_low', 'costed_high', 'costed_low'])
          await database.execute(`ALTER TABLE ${table} DROP COLUMN ${column}`)
      await database.execute('DELETE FROM schema_migrations WHERE number = 12')
      const storage = await openStorage(database.options)
      const filter = { accountId: key.accountId, ...range }
      expect(await storage.usage.request(key.accountId, old.id)).toMatchObject({ vendorCostPico: null })
      expect(await storage.usage.summary(filter)).toMatchObject({ totalCostPico: 120n, totalCostedPico: 0n })
      await storage.requests.write('node_v', [newRecord(key, { chargePico: 12n, vendorCostPico: 10n })])
      expect(await storage.usage.summary(filter)).toMatchObject({
        totalCostPico: 132n,
        totalVendorCostPico: 10n,
        totalCostedPico: 12n,
      })
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
      await storage.close()
      await database.drop()
    })

    it('is kept if a node of the previous version adds to the same totals', async () => {
      const { storage, database } = opened()
      const key = await fundedKey(storage, 1_000_000n)
      await storage.requests.write('node_v', [newRecord(key, { chargePico: 120n, vendorCostPico: 100n })])
      const { id } = newRecord(key)
      const columns = 'requests, tokens_in, tokens_out, cost_high, cost_low, baseline_high, baseline_low'
      const owner = `'${key.accountId}', '${key.id}', 'openai/gpt-5-mini', 'openai', '', 'completed'`
      const update = columns
        .split(', ')
        .map((column) => `${column} = stored.${column} + excluded.${column}`)
        .join(', ')
      const keys = 'account_id, key_id, model, provider, tier, outcome'
      for (const table of ['usage_totals', 'usage_tag_totals']) {
        const [set, ofSet] = table === 'usage_totals' ? ['', ''] : ['tag_set, ', "'', "]
        for (const period of ['m2026-03', 'd2026-03-15', 'h2026-03-15T12'])
          await database.execute(
            `INSERT INTO ${table} AS stored (period, ${set}${keys}, ${columns})
             VALUES ('${period}', ${ofSet}${owner}, 1, 10, 5, 0, 7, 0, 7)
             ON CONFLICT (period, account_id, ${set}key_id, model, provider, tier, outcome)
             DO UPDATE SET ${update}`,
          )
      }
      await database.execute(
        `INSERT INTO requests (id, account_id, key_id, started_at_ms, endpoint, stream, model_served,
           provider, tags, tag_set, outcome, status, attempts, tokens_in, tokens_out, markup, hold_pico,
           charge_pico, duration_ms)
         VALUES ('${id}', '${key.accountId}', '${key.id}', ${noonMs}, 'chat.completions', 0,
           'openai/gpt-5-mini', 'openai', '[]', '', 'completed', 200, '[]', 10, 5, '1.2', 0, 0, 1)`,
      )
      expect(await storage.usage.request(key.accountId, id)).toMatchObject({ vendorCostPico: null })
      const filter = { accountId: key.accountId, ...range }
      const expected = { totalCostPico: 127n, totalVendorCostPico: 100n, totalCostedPico: 120n }
      expect(await storage.usage.summary(filter)).toMatchObject(expected)
      for (const by of ['day', 'model', 'endpoint'] as const)
        expect((await storage.usage.breakdown(filter, [by])).rows).toMatchObject([expected])
    })
  })
})
