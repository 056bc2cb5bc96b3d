import { describe, expect, it } from 'vitest'
import { explainDifference } from './explain-difference.ts'

describe('the explanation of a ledger difference', () => {
  it.each([
    [
      'balance of key:key_1',
      '1000000000000',
      '-5',
      'key:key_1 is -0.000000000005 USD, but its entries add up to 1 USD',
    ],
    [
      'leases of key:key_1',
      '0',
      '7',
      '0.000000000007 USD of key:key_1 is marked as leased to nodes, but nodes hold 0 USD',
    ],
    ['sum over all ledger accounts', '0', '3', 'must add up to 0, but add up to 0.000000000003 USD'],
    ['usage transfer of req_1', '5', '0', 'req_1 was charged 0.000000000005 USD, but the ledger has 0 USD'],
    ['payer of req_1', 'key:key_1', 'key:key_2', 'paid by key:key_1, but the ledger took it from key:key_2'],
    [
      'charge of req_1, set aside in outbox',
      '5',
      'none: no such key',
      'missing from the ledger: the database rejected its row (none: no such key)',
    ],
    ['charge of req_1', '5', '6', 'req_1 costs 0.000000000005 USD, but it was charged 0.000000000006 USD'],
    ['vendor cost of req_1', '5', '6', 'the vendor cost of req_1 is 0.000000000005 USD'],
    ['further differences', '0', '12', 'There are 12 further differences'],
    ['bytes that are no rows in outbox/damaged-1', '0', '4', 'In outbox/damaged-1, 4 bytes cannot be read'],
    ['what was paid of top_1', '5', '6', 'says 0.000000000006 USD (top_1, paid)'],
    [
      'state of the key that pays for key_1',
      'active,,',
      'revoked,key_2,',
      'must be active, but is revoked, replaced by key_2',
    ],
    ['usage totals of 2026-11-20 against the ledger', '1', '2', 'On 2026-11-20 the ledger charged'],
    ['usage totals by tag of 2026-11-20, acct_1', 'a', 'b', 'usage totals by tag of 2026-11-20, acct_1'],
    ['month 2026-11 in usage_totals, acct_1', 'a', 'b', 'month 2026-11 in usage_totals'],
    ['something of a later version', 'x', 'y', 'something of a later version: expected x, found y'],
  ])('%s', (subject, expected, found, words) => {
    const { meaning, remedy } = explainDifference({ subject, expected, found })
    expect(meaning).toContain(words)
    expect(remedy.length).toBeGreaterThan(20)
  })
})
