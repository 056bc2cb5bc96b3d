import type { Migration } from './migration.ts'

/**
 * Prompts and answers that callers want kept, sealed before they are stored. A row without text was deleted
 * and is never filled again. Nothing is written for requests that began before `deleted_before_ms`.
 */
export const promptLogs: Migration = {
  number: 25,
  name: 'prompt-logs',
  statements: ({ engine, text, integer, bytes, tableEnd, clusteredTableEnd }) => [
    `ALTER TABLE accounts ADD COLUMN log_prompts ${integer} NOT NULL DEFAULT 0 CHECK (log_prompts IN (0, 1))`,
    `ALTER TABLE accounts ADD COLUMN log_days ${integer} CHECK (log_days > 0)`,
    `ALTER TABLE api_keys ADD COLUMN log_prompts ${integer} CHECK (log_prompts IN (0, 1))`,
    // Long columns come last, because SQLite reads a row's columns in order.
    `CREATE TABLE prompt_logs (
      request_id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      key_id ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      key_name ${text} NOT NULL,
      plain_bytes ${integer} NOT NULL,
      sealed_bytes ${integer} NOT NULL,
      sealed ${bytes}
    )${tableEnd}`,
    'CREATE INDEX prompt_logs_by_account ON prompt_logs (account_id, created_at_ms, request_id)',
    'CREATE INDEX prompt_logs_by_key ON prompt_logs (key_id)',
    `CREATE TABLE prompt_log_totals (
      account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      bytes ${integer} NOT NULL,
      deleted_before_ms ${integer} NOT NULL DEFAULT 0
    )${clusteredTableEnd}`,
    `CREATE TABLE prompt_log_deletions (
      key_id ${text} NOT NULL PRIMARY KEY,
      deleted_before_ms ${integer} NOT NULL
    )${clusteredTableEnd}`,
    // Sealed data cannot be compressed, so the server need not try.
    ...(engine === 'sqlite' ? [] : ['ALTER TABLE prompt_logs ALTER COLUMN sealed SET STORAGE EXTERNAL']),
  ],
}
