import { refuse, type Migration } from './migration.ts'

/**
 * What nodes must know of each other: how often a node's leases were taken away, in which order a key's
 * leases changed, and which key replaced which. On PostgreSQL also the notices that reach all nodes.
 */
export const leaseTerms: Migration = {
  number: 5,
  name: 'lease-terms',
  statements: (words) => {
    const { engine, text, integer } = words
    return [
      // Per node, because nodes may be configured differently, at least during a change.
      `ALTER TABLE nodes ADD COLUMN lease_ms ${integer} NOT NULL DEFAULT 120000`,
      `ALTER TABLE nodes ADD COLUMN expiries ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE ledger_accounts ADD COLUMN version ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE api_keys ADD COLUMN replaced_by ${text} REFERENCES api_keys (id)`,
      `ALTER TABLE api_keys ADD COLUMN revokes_at_ms ${integer}`,
      'CREATE INDEX api_keys_replaced ON api_keys (replaced_by) WHERE replaced_by IS NOT NULL',
      `CREATE INDEX api_keys_to_revoke ON api_keys (revokes_at_ms)
        WHERE revokes_at_ms IS NOT NULL AND status = 'active'`,
      ...refuse(words, {
        name: 'ledger_accounts_keep_their_owner',
        on: 'BEFORE UPDATE OF id, kind, account_id, key_id ON ledger_accounts',
        when: `NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.account_id IS DISTINCT FROM OLD.account_id
          OR NEW.key_id IS DISTINCT FROM OLD.key_id`,
        message: 'a ledger account keeps its owner',
      }),
      ...refuse(words, {
        name: 'ledger_accounts_stay',
        on: 'BEFORE DELETE ON ledger_accounts',
        message: 'a ledger account is never deleted',
      }),
      ...refuse(words, {
        name: 'leases_end_empty',
        on: 'BEFORE DELETE ON leases',
        when: 'OLD.amount_pico <> 0',
        message: 'a lease is given back before it is deleted',
      }),
      ...refuse(words, {
        name: 'api_keys_stay_revoked',
        on: 'BEFORE UPDATE OF status ON api_keys',
        when: `OLD.status = 'revoked' AND NEW.status <> 'revoked'`,
        message: 'a revoked key stays revoked',
      }),
      // CHECKs of the table cover charges. Rarer kinds need the triggers below.
      ...refuse(words, {
        name: 'ledger_transfers_stay_in_their_account',
        on: 'BEFORE INSERT ON ledger_transfers',
        when: `NEW.kind <> 'usage'`,
        exists: `SELECT 1 FROM ledger_accounts WHERE id IN (NEW.debit_account, NEW.credit_account)
          AND account_id IS NOT NULL AND account_id <> NEW.account_id`,
        message: 'a transfer moves the credit of its own account only',
      }),
      ...refuse(words, {
        name: 'ledger_transfers_correct_their_own',
        on: 'BEFORE INSERT ON ledger_transfers',
        when: 'NEW.corrects_transfer_id IS NOT NULL',
        exists: `SELECT 1 FROM ledger_transfers AS corrected WHERE corrected.id = NEW.corrects_transfer_id
          AND (corrected.account_id <> NEW.account_id OR NEW.kind <> 'adjustment')`,
        message: 'a correction is an adjustment of an entry of the same account',
      }),
      ...(engine === 'postgres' ? noticeTable(text, integer) : []),
    ]
  },
}

/** Rows for nodes that could not listen at the time; the others are notified at commit. */
function noticeTable(text: string, integer: string): string[] {
  return [
    `CREATE TABLE notices (
      id ${text} NOT NULL PRIMARY KEY,
      notice ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )`,
    'CREATE INDEX notices_by_time ON notices (created_at_ms)',
    `CREATE FUNCTION notices_tell() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_notify('turnpike', NEW.id || ' ' || NEW.notice); RETURN NULL; END $$`,
    'CREATE TRIGGER notices_told AFTER INSERT ON notices FOR EACH ROW EXECUTE FUNCTION notices_tell()',
  ]
}
