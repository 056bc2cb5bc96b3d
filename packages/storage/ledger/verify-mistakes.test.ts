import { compilePricing, rateBoth, type LedgerDifference, type Rated } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { fundedKey, newKey, newRecord } from '../testing/fixtures.ts'
import { createTestDatabase, onEachEngine } from '../testing/test-database.ts'
import { unguarded } from '../testing/unguarded.ts'

/** The state before somebody tampers with it: two charges, a grant, a transfer, a lease. */
interface Books {
  key: ApiKey
  other: ApiKey
  first: RequestRecord
  second: RequestRecord
}

/** SQL that makes a transfer of a request's charge, as it was before its row was the entry. */
const posted = ({ id }: RequestRecord): string =>
  `INSERT INTO ledger_transfers (id, kind, reference, debit_account, credit_account, amount_pico, account_id,
     request_id, created_at_ms)
   SELECT '${newIdentifier('led')}', 'usage', 'usage:' || id, 'key:' || key_id, 'revenue', charge_pico,
     account_id, id, started_at_ms FROM requests WHERE id = '${id}';
   UPDATE requests SET is_entry = 0 WHERE id = '${id}';`

const grantPico = 100_000_000n
const chargePico = 12_500_000n

/** Rows changed by hand with the database's guards off, and the difference to be listed first. */
const mistakes: {
  name: string
  statement: (books: Books) => string
  named: (books: Books) => Partial<LedgerDifference>
}[] = [
  {
    name: 'the amount of a grant changed',
    statement: () => "UPDATE ledger_transfers SET amount_pico = amount_pico + 5 WHERE kind = 'grant'",
    named: ({ key }) => ({ subject: `balance of key:${key.id}`, expected: '55000005', found: '55000000' }),
  },
  {
    name: 'the amount of a posted charge changed, and the balance with it',
    statement: ({ key, first }) =>
      `${posted(first)}
       UPDATE ledger_transfers SET amount_pico = amount_pico - 5 WHERE request_id = '${first.id}';
       UPDATE ledger_accounts SET balance_pico = balance_pico + 5 WHERE id = 'key:${key.id}'`,
    named: ({ first }) => ({
      subject: `usage transfer of ${first.id}`,
      expected: String(chargePico),
      found: String(chargePico - 5n),
    }),
  },
  {
    name: 'a transfer missing',
    statement: () => "DELETE FROM ledger_transfers WHERE kind = 'transfer'",
    named: ({ key }) => ({ subject: `balance of key:${key.id}`, expected: '75000000', found: '55000000' }),
  },
  {
    name: 'the transfer of a posted charge missing, and the balance set right',
    statement: ({ key, second }) =>
      `${posted(second)}
       DELETE FROM ledger_transfers WHERE request_id = '${second.id}';
       UPDATE ledger_accounts SET balance_pico = balance_pico + ${chargePico} WHERE id = 'key:${key.id}'`,
    named: ({ second }) => ({
      subject: `usage transfer of ${second.id}`,
      expected: String(chargePico),
      found: '0',
    }),
  },
  {
    name: 'a charge that is no entry any more, and the balance set right',
    statement: ({ key, second }) =>
      `UPDATE requests SET is_entry = 0 WHERE id = '${second.id}';
       UPDATE ledger_accounts SET balance_pico = balance_pico + ${chargePico} WHERE id = 'key:${key.id}'`,
    named: ({ second }) => ({
      subject: `usage transfer of ${second.id}`,
      expected: String(chargePico),
      found: '0',
    }),
  },
  {
    name: 'a charge posted as well, and the balance set right',
    statement: ({ key, second }) =>
      `${posted(second)}
       UPDATE requests SET is_entry = 1 WHERE id = '${second.id}';
       UPDATE ledger_accounts SET balance_pico = balance_pico - ${chargePico} WHERE id = 'key:${key.id}'`,
    named: ({ second }) => ({
      subject: `usage transfer of ${second.id}`,
      expected: String(chargePico),
      found: String(2n * chargePico),
    }),
  },
  {
    name: 'a charge taken from another account, and the balances set right',
    statement: ({ key, second }) =>
      `INSERT INTO accounts (id, status, tier, created_at_ms) VALUES ('acct_other', 'active', 'free', 1);
       INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, status, created_at_ms)
         VALUES ('key_other', 'acct_other', 'n', 'p', 'h', 'active', 1);
       INSERT INTO ledger_accounts (id, kind, account_id, key_id, balance_pico)
         VALUES ('key:key_other', 'key_credit', 'acct_other', 'key_other', -${chargePico});
       UPDATE requests SET paid_by = 'key_other' WHERE id = '${second.id}';
       UPDATE ledger_accounts SET balance_pico = balance_pico + ${chargePico} WHERE id = 'key:${key.id}'`,
    named: ({ key, second }) => ({
      subject: `account charged for ${second.id}`,
      expected: key.accountId,
      found: 'acct_other',
    }),
  },
  {
    name: 'a grant doubled under another reference',
    statement: () =>
      `INSERT INTO ledger_transfers (id, kind, reference, debit_account, credit_account, amount_pico,
         account_id, created_at_ms)
       SELECT '${newIdentifier('led')}', kind, reference || ' again', debit_account, credit_account,
         amount_pico, account_id, created_at_ms FROM ledger_transfers WHERE kind = 'grant'`,
    named: ({ key }) => ({
      subject: `balance of key:${key.id}`,
      expected: String(55_000_000n + grantPico),
      found: '55000000',
    }),
  },
  {
    name: 'a transfer turned round',
    statement: () =>
      `UPDATE ledger_transfers SET debit_account = credit_account, credit_account = debit_account
       WHERE kind = 'transfer'`,
    named: ({ key }) => ({ subject: `balance of key:${key.id}`, expected: '95000000' }),
  },
  {
    name: 'a transfer under another account',
    statement: ({ other }) =>
      `INSERT INTO accounts (id, status, tier, created_at_ms)
         VALUES ('acct_other', 'active', 'free', 1);
       UPDATE ledger_transfers SET account_id = 'acct_other' WHERE credit_account = 'key:${other.id}'`,
    named: ({ key }) => ({ subject: `balance of key:${key.id}`, expected: '75000000' }),
  },
  {
    name: 'a balance changed',
    statement: ({ other }) =>
      `UPDATE ledger_accounts SET balance_pico = balance_pico - 1 WHERE id = 'key:${other.id}'`,
    named: ({ other }) => ({
      subject: `balance of key:${other.id}`,
      expected: '20000000',
      found: '19999999',
    }),
  },
  {
    name: 'a lease changed',
    statement: () => 'UPDATE leases SET amount_pico = amount_pico + 1',
    named: ({ key }) => ({ subject: `leases of key:${key.id}`, expected: '15000001', found: '15000000' }),
  },
  {
    name: 'a lease missing',
    statement: () => 'DELETE FROM leases',
    named: ({ key }) => ({ subject: `leases of key:${key.id}`, expected: '0', found: '15000000' }),
  },
  {
    name: 'a leased sum changed',
    statement: ({ other }) => `UPDATE ledger_accounts SET leased_pico = 3 WHERE id = 'key:${other.id}'`,
    named: ({ other }) => ({ subject: `leases of key:${other.id}`, expected: '0', found: '3' }),
  },
  {
    name: 'a charge changed',
    statement: ({ second }) => `UPDATE requests SET charge_pico = charge_pico + 1 WHERE id = '${second.id}'`,
    named: ({ key }) => ({ subject: `balance of key:${key.id}`, expected: '54999999', found: '55000000' }),
  },
  {
    name: 'a charge changed that is posted',
    statement: ({ second }) =>
      `${posted(second)} UPDATE requests SET charge_pico = charge_pico + 1 WHERE id = '${second.id}'`,
    named: ({ second }) => ({ subject: `usage transfer of ${second.id}`, expected: '12500001' }),
  },
  {
    name: 'a charge changed everywhere',
    statement: ({ key, second }) =>
      `UPDATE requests SET charge_pico = charge_pico + 1 WHERE id = '${second.id}';
       UPDATE ledger_accounts SET balance_pico = balance_pico - 1 WHERE id = 'key:${key.id}'`,
    named: ({ second }) => ({ subject: `charge of ${second.id}`, expected: '12500000', found: '12500001' }),
  },
  {
    name: 'a markup changed',
    statement: ({ first }) => `UPDATE requests SET markup = '2' WHERE id = '${first.id}'`,
    named: ({ first }) => ({ subject: `charge of ${first.id}`, expected: '25000000', found: '12500000' }),
  },
  {
    name: 'a price changed',
    statement: () => `UPDATE prices SET pricing = '{"prompt":"0.0000005","completion":"0.000002"}'`,
    named: ({ first }) => ({ subject: `charge of ${first.id}`, expected: '15000000' }),
  },
  {
    name: 'the usage of a request changed',
    statement: ({ second }) =>
      `UPDATE requests SET usage = '{"inputTokens":10,"outputTokens":6}' WHERE id = '${second.id}'`,
    named: ({ second }) => ({ subject: `charge of ${second.id}`, expected: '14500000' }),
  },
  {
    name: 'the vendor cost of a request changed',
    statement: ({ second }) => `UPDATE requests SET vendor_cost_pico = 1 WHERE id = '${second.id}'`,
    named: ({ second }) => ({
      subject: `vendor cost of ${second.id}`,
      expected: '12500000',
      found: '1',
    }),
  },
  {
    name: 'the vendor cost of a total changed',
    statement: () => `UPDATE usage_totals SET vendor_cost_low = vendor_cost_low - 1 WHERE period LIKE 'd%'`,
    named: ({ key }) => ({
      subject: `usage totals by tag of 2026-03-15, ${key.accountId}`,
      expected:
        '2 requests, 20 + 10 tokens, 25000000 pico-USD (of it 25000000 for a vendor cost of 24999999)',
      found: '2 requests, 20 + 10 tokens, 25000000 pico-USD',
    }),
  },
  {
    name: 'a request missing',
    statement: ({ first }) => `DELETE FROM requests WHERE id = '${first.id}'`,
    named: ({ key }) => ({ subject: `balance of key:${key.id}`, expected: '67500000', found: '55000000' }),
  },
  {
    name: 'a request missing whose charge is posted',
    statement: ({ first }) => `${posted(first)} DELETE FROM requests WHERE id = '${first.id}'`,
    named: () => ({ subject: expect.stringMatching(/^request of led_/) as string, found: 'false' }),
  },
]

const recompute = ({ usage, pricing, markup }: RequestRecord): Rated =>
  usage === null || pricing === null
    ? { chargePico: 0n, vendorCostPico: 0n }
    : rateBoth(usage, compilePricing(pricing, markup))

describe('wrong rows, written by hand into a copy of the database', () => {
  onEachEngine((opened) => {
    it.each(mistakes)('$name: found and listed', async ({ statement, named }) => {
      const { engine } = opened().database
      const database = await createTestDatabase(engine)
      const storage = await openStorage(database.options, { recompute })
      try {
        const key = await fundedKey(storage, grantPico)
        const other = await newKey(storage, key.accountId, Date.now() + 1_000)
        await storage.leases.take('node_m', key.id, 40_000_000n, 40_000_000n, Date.now())
        const [first, second] = [newRecord(key), newRecord(key)].toSorted((left, right) =>
          left.id < right.id ? -1 : 1,
        )
        await storage.requests.write('node_m', [first!, second!])
        await storage.ledger.transferBetweenKeys(
          {
            accountId: key.accountId,
            fromKeyId: key.id,
            toKeyId: other.id,
            amountPico: 20_000_000n,
            reference: 'between',
          },
          Date.now(),
        )
        const books = { key, other, first: first!, second: second! }
        expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
        await expect(database.execute('UPDATE ledger_transfers SET amount_pico = 1')).rejects.toThrow()
        await database.execute(`${unguarded(engine)} ${statement(books)}`)
        const { ok, differences } = await storage.ledger.verify()
        expect(ok).toBe(false)
        expect(differences[0]).toMatchObject(named(books))
      } finally {
        await storage.close()
        await database.drop()
      }
    })
  })
})
