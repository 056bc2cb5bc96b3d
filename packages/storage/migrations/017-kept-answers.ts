import type { Migration } from './migration.ts'

/**
 * Answers that later requests may continue, sealed before they are stored. The total size per account is
 * stored beside them, so that nothing has to be summed per answer.
 */
export const keptAnswers: Migration = {
  number: 17,
  name: 'kept-answers',
  statements: ({ engine, text, integer, bytes, tableEnd, clusteredTableEnd }) => [
    // Long columns come last, because SQLite reads a row's columns in order.
    `CREATE TABLE kept_answers (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      key_name ${text} NOT NULL,
      plain_bytes ${integer} NOT NULL,
      sealed_bytes ${integer} NOT NULL,
      answer ${bytes} NOT NULL,
      input ${bytes} NOT NULL
    )${tableEnd}`,
    'CREATE INDEX kept_answers_by_account ON kept_answers (account_id, created_at_ms, id)',
    'CREATE INDEX kept_answers_by_expiry ON kept_answers (expires_at_ms)',
    `CREATE TABLE kept_answer_totals (
      account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      bytes ${integer} NOT NULL
    )${clusteredTableEnd}`,
    // Sealed data cannot be compressed, so the server need not try.
    ...(engine === 'sqlite'
      ? []
      : ['answer', 'input'].map(
          (column) => `ALTER TABLE kept_answers ALTER COLUMN ${column} SET STORAGE EXTERNAL`,
        )),
  ],
}
