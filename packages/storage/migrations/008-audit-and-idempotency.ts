import { appendOnly, type Migration } from './migration.ts'

/**
 * What operators and users did, and the answers to POSTs that may be repeated. An audit entry refers to no
 * other table, because it also records refused actions and accounts that do not exist.
 */
export const auditAndIdempotency: Migration = {
  number: 8,
  name: 'audit-and-idempotency',
  statements: (words) => {
    const { text, integer, tableEnd } = words
    return [
      `CREATE TABLE audit_entries (
        request_id ${text} NOT NULL PRIMARY KEY,
        at_ms ${integer} NOT NULL,
        actor ${text} NOT NULL CHECK (actor IN ('operator', 'user')),
        subject ${text},
        action ${text} NOT NULL,
        account_id ${text},
        target ${text},
        status ${integer} NOT NULL CHECK (status BETWEEN 100 AND 599),
        details ${text},
        address ${text} NOT NULL
      )${tableEnd}`,
      'CREATE INDEX audit_entries_by_account ON audit_entries (account_id, request_id)',
      'CREATE INDEX audit_entries_by_target ON audit_entries (target, request_id)',
      ...appendOnly('audit_entries', words),
      `CREATE TABLE idempotency_claims (
        id ${text} NOT NULL PRIMARY KEY,
        fingerprint ${text} NOT NULL,
        claimed_at_ms ${integer} NOT NULL,
        status ${integer},
        body ${text},
        CHECK ((status IS NULL) = (body IS NULL))
      )${tableEnd}`,
      'CREATE INDEX idempotency_claims_by_time ON idempotency_claims (claimed_at_ms)',
    ]
  },
}
