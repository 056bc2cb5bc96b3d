import type { Migration } from './migration.ts'

/** Accounts whose users may administer the gateway with their own tokens. */
export const operators: Migration = {
  number: 10,
  name: 'operators',
  statements: ({ integer }) => [
    `ALTER TABLE accounts ADD COLUMN operator ${integer} NOT NULL DEFAULT 0 CHECK (operator IN (0, 1))`,
  ],
}
