import type { Migration } from './migration.ts'

/**
 * Kept answers belong to one member and one project of their account; older ones to neither. Removed payment
 * methods are also removed at their processor, which is retried until it succeeds: `forget_at_ms` is the next
 * attempt, NULL once done. Those removed earlier are attempted once more.
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
