import type { Migration } from './migration.ts'

/**
 * Kept answers are of one member and one project of their account; those from before, of neither. Payment
 * methods that were removed are let go at their processor, which is asked again until it has answered:
 * `forget_at_ms` is when, NULL once it is done. Those that were removed before are asked about once more.
 */
export const ownersAndRemovals: Migration = {
  number: 32,
  name: 'owners-and-removals',
  statements: ({ text, integer }) => [
    `ALTER TABLE kept_answers ADD COLUMN owner ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE payment_methods ADD COLUMN removed_at_ms ${integer}`,
    `ALTER TABLE payment_methods ADD COLUMN forget_at_ms ${integer}`,
    `UPDATE payment_methods SET removed_at_ms = created_at_ms, forget_at_ms = created_at_ms
      WHERE status = 'removed'`,
    `CREATE INDEX payment_methods_to_forget ON payment_methods (forget_at_ms)
      WHERE forget_at_ms IS NOT NULL`,
  ],
}
