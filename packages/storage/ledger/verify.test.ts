import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { fundedKey, newRecord } from '../testing/fixtures.ts'
import { createTestDatabase, onEachEngine } from '../testing/test-database.ts'
import { unguarded } from '../testing/unguarded.ts'
import type { ApiKey } from '@turnpike/identity'

const charged = 1_000n
const rated = { chargePico: charged, vendorCostPico: charged }

onEachEngine(
  (opened) => {
    /** Each mistake gets a database of its own, because it stays there. */
    const afterMistake = async (mistake: (key: ApiKey, requestId: string) => string) => {
      const database = await createTestDatabase(opened().database.engine)
      const storage = await openStorage(database.options, { recompute: () => rated })
      try {
        const key = await fundedKey(storage, 10_000n)
        await storage.leases.take('node_v', key.id, 5_000n, 5_000n, Date.now())
        const record = newRecord(key, { chargePico: charged })
        await storage.requests.write('node_v', [record])
        expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
        await database.execute(mistake(key, record.id))
        return { key, record, result: await storage.ledger.verify() }
      } finally {
        await storage.close()
        await database.drop()
      }
    }

    describe('verify', () => {
      it('counts what it compared', async () => {
        const { ledger } = opened().storage
        await fundedKey(opened().storage, 5n)
        const { ok, checked, differences } = await ledger.verify()
        expect({ ok, differences }).toEqual({ ok: true, differences: [] })
        expect(checked).toBeGreaterThan(3)
      })

      it('finds a balance that was changed by hand', async () => {
        const { key, result } = await afterMistake(
          () => "UPDATE ledger_accounts SET balance_pico = balance_pico + 7 WHERE kind = 'key_credit'",
        )
        expect(result.ok).toBe(false)
        expect(result.differences).toContainEqual({
          subject: `balance of key:${key.id}`,
          expected: '9000',
          found: '9007',
        })
      })

      it('finds a transfer that was posted by hand', async () => {
        const { key, result } = await afterMistake(
          (key) =>
            `INSERT INTO ledger_transfers (id, kind, reference, debit_account, credit_account, amount_pico,
               account_id, created_at_ms)
             VALUES ('${newIdentifier('led')}', 'grant', 'by-hand', 'grants', 'key:${key.id}', 11,
               '${key.accountId}', 1)`,
        )
        expect(result.differences).toContainEqual({
          subject: `balance of key:${key.id}`,
          expected: '9011',
          found: '9000',
        })
      })

      it('finds a lease that does not add up', async () => {
        const { key, result } = await afterMistake(() => 'UPDATE leases SET amount_pico = amount_pico + 1')
        expect(result.differences).toEqual([
          { subject: `leases of key:${key.id}`, expected: '4001', found: '4000' },
        ])
      })

      it('finds a charge that was changed by hand', async () => {
        const { record, key, result } = await afterMistake(
          (_key, requestId) =>
            `${unguarded(opened().database.engine)}
             UPDATE requests SET charge_pico = charge_pico + 500 WHERE id = '${requestId}'`,
        )
        const totals = (pico: number) => `1 requests, 10 + 5 tokens, ${pico} pico-USD`
        expect(result.differences).toEqual([
          { subject: `balance of key:${key.id}`, expected: '8500', found: '9000' },
          { subject: 'sum over all ledger accounts', expected: '0', found: '500' },
          { subject: `charge of ${record.id}`, expected: '1000', found: '1500' },
          {
            subject: `usage totals of 2026-03-15, ${key.accountId}`,
            expected: `${totals(1_500)} (of it 1500 for a vendor cost of 1000)`,
            found: totals(1_000),
          },
          { subject: 'usage totals of 2026-03-15 against the ledger', expected: '1500', found: '1000' },
        ])
      })

      it('finds a charge that was moved to another key', async () => {
        const other = newIdentifier('key')
        const { key, result } = await afterMistake(
          ({ accountId }, requestId) =>
            `${unguarded(opened().database.engine)}
             INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, status, created_at_ms)
               VALUES ('${other}', '${accountId}', 'n', 'p', '${other}', 'active', 1);
             INSERT INTO ledger_accounts (id, kind, account_id, key_id, balance_pico)
               VALUES ('key:${other}', 'key_credit', '${accountId}', '${other}', 0);
             UPDATE requests SET key_id = '${other}' WHERE id = '${requestId}'`,
        )
        expect(result.differences).toEqual(
          expect.arrayContaining([
            { subject: `balance of key:${key.id}`, expected: '10000', found: '9000' },
            { subject: `balance of key:${other}`, expected: '-1000', found: '0' },
          ]),
        )
        expect(result.differences).toHaveLength(2)
      })
    })
  },
  { recompute: () => rated },
)
