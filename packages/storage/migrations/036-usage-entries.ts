import { refuse, type Migration } from './migration.ts'

/**
 * The row of a charged request is its own ledger entry (`is_entry`), because it has all fields of a `usage`
 * transfer. A transfer is only posted when the row is deleted or the charge is corrected. Older requests, and
 * those that nodes of an older version write, have `is_entry = 0` and a transfer.
 */
export const usageEntries: Migration = {
  number: 36,
  name: 'usage-entries',
  statements: (words) => [
    `ALTER TABLE requests ADD COLUMN is_entry ${words.integer} NOT NULL DEFAULT 0`,
    ...refuse(words, {
      name: 'requests_keep_their_charge',
      on: 'BEFORE UPDATE OF id, account_id, key_id, paid_by, started_at_ms, charge_pico ON requests',
      when: `OLD.is_entry = 1 AND (NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id
        OR NEW.key_id <> OLD.key_id OR NEW.started_at_ms <> OLD.started_at_ms
        OR NEW.charge_pico <> OLD.charge_pico
        OR (OLD.paid_by IS NOT NULL AND NEW.paid_by IS DISTINCT FROM OLD.paid_by))`,
      message: 'the charge of a request is a ledger entry, which never changes',
    }),
    ...refuse(words, {
      name: 'requests_leave_their_entry',
      on: 'BEFORE DELETE ON requests',
      when: 'OLD.is_entry = 1',
      exists: `SELECT 1 WHERE NOT EXISTS
        (SELECT 1 FROM ledger_transfers WHERE reference = 'usage:' || OLD.id)`,
      message: 'the charge of a request is posted as a transfer before its row is deleted',
    }),
  ],
}
