import { ledgerAccountKinds, type TransferKind } from '@turnpike/billing'
import { appendOnly, wordList, type Migration } from './migration.ts'

const operatorKinds = ledgerAccountKinds.filter((kind) => !kind.endsWith('_credit'))

const operatorRows = operatorKinds.map((kind) => `('${kind}', '${kind}')`).join(', ')

/** Whether a side of a transfer is a customer's credit. */
const isCustomer = (column: string): string =>
  `(substr(${column}, 1, 4) = 'key:' OR substr(${column}, 1, 11) = 'unassigned:')`

const betweenCustomers = `${isCustomer('debit_account')} AND ${isCustomer('credit_account')}`

/** What a transfer of each kind must satisfy. */
const sides: Record<TransferKind, string> = {
  usage: `request_id IS NOT NULL AND reference = 'usage:' || request_id AND credit_account = 'revenue'
    AND ${isCustomer('debit_account')}`,
  topup: `debit_account = 'payments' AND ${isCustomer('credit_account')}`,
  grant: `debit_account = 'grants' AND ${isCustomer('credit_account')}`,
  refund: `credit_account = 'refunds' AND ${isCustomer('debit_account')}`,
  adjustment: `(debit_account = 'adjustments' AND ${isCustomer('credit_account')})
    OR (${isCustomer('debit_account')} AND credit_account = 'adjustments')`,
  transfer: betweenCustomers,
  sweep: betweenCustomers,
}

/** One branch per kind, the most frequent first, because every charged row is checked. */
const sidesByKind = Object.entries(sides)
  .map(([kind, rule]) => `WHEN '${kind}' THEN ${rule}`)
  .join(' ')

/**
 * The ledger and the leases. Whatever a CHECK can refuse is refused here: a transfer whose sides do not fit
 * its kind, a lease below zero, a ledger account whose identifier contradicts its owner.
 */
export const ledger: Migration = {
  number: 3,
  name: 'ledger',
  statements: (words) => {
    const { text, integer, tableEnd, clusteredTableEnd } = words
    return [
      `CREATE TABLE ledger_accounts (
        id ${text} NOT NULL PRIMARY KEY,
        kind ${text} NOT NULL CHECK (kind IN (${wordList(ledgerAccountKinds)})),
        account_id ${text} REFERENCES accounts (id),
        key_id ${text} UNIQUE,
        balance_pico ${integer},
        leased_pico ${integer} NOT NULL DEFAULT 0 CHECK (leased_pico >= 0),
        FOREIGN KEY (account_id, key_id) REFERENCES api_keys (account_id, id),
        CHECK (kind <> 'key_credit' OR (account_id IS NOT NULL AND key_id IS NOT NULL
          AND balance_pico IS NOT NULL AND id = 'key:' || key_id)),
        CHECK (kind <> 'unassigned_credit' OR (account_id IS NOT NULL AND key_id IS NULL
          AND balance_pico IS NOT NULL AND id = 'unassigned:' || account_id)),
        CHECK (kind NOT IN (${wordList(operatorKinds)}) OR (account_id IS NULL AND key_id IS NULL
          AND balance_pico IS NULL AND id = kind)),
        CHECK (kind = 'key_credit' OR leased_pico = 0)
      )${tableEnd}`,
      'CREATE INDEX ledger_accounts_by_account ON ledger_accounts (account_id)',
      `INSERT INTO ledger_accounts (id, kind) VALUES ${operatorRows}`,
      `CREATE TABLE ledger_transfers (
        id ${text} NOT NULL PRIMARY KEY,
        kind ${text} NOT NULL,
        reference ${text} NOT NULL UNIQUE,
        debit_account ${text} NOT NULL REFERENCES ledger_accounts (id),
        credit_account ${text} NOT NULL REFERENCES ledger_accounts (id),
        amount_pico ${integer} NOT NULL CHECK (amount_pico > 0),
        account_id ${text} NOT NULL REFERENCES accounts (id),
        -- No reference: requests are dropped after a time, what they cost stays.
        request_id ${text},
        reason ${text},
        corrects_transfer_id ${text} REFERENCES ledger_transfers (id),
        created_at_ms ${integer} NOT NULL,
        CHECK (debit_account <> credit_account),
        CHECK (CASE kind ${sidesByKind} ELSE FALSE END)
      )${tableEnd}`,
      ...appendOnly('ledger_transfers', words),
      'CREATE INDEX ledger_transfers_by_account ON ledger_transfers (account_id, id)',
      `CREATE TABLE nodes (
        id ${text} NOT NULL PRIMARY KEY,
        heartbeat_at_ms ${integer} NOT NULL
      )${tableEnd}`,
      `CREATE TABLE leases (
        node_id ${text} NOT NULL REFERENCES nodes (id),
        key_id ${text} NOT NULL REFERENCES ledger_accounts (key_id),
        amount_pico ${integer} NOT NULL CHECK (amount_pico >= 0),
        PRIMARY KEY (node_id, key_id)
      )${clusteredTableEnd}`,
      'CREATE INDEX leases_by_key ON leases (key_id)',
    ]
  },
}
