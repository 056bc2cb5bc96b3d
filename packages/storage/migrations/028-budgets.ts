import { refuse, wordList, type Migration } from './migration.ts'

const scopes = ['organization', 'project', 'member', 'key', 'tag', 'model']
const periods = ['day', 'week', 'month', 'total']

/**
 * Budgets, what was spent of each by day and by its own period, and what nodes have leased of them. An
 * account's `budget_version` increases with every change to one; 0: it never had any. Nodes of an older
 * version do not count for budgets; those that do set `counts_budgets`.
 */
export const budgets: Migration = {
  number: 28,
  name: 'budgets',
  statements: (words) => {
    const { engine, text, integer, tableEnd, clusteredTableEnd } = words
    const hotTableEnd = engine === 'postgres' ? ' WITH (fillfactor = 70)' : clusteredTableEnd
    return [
      `CREATE TABLE budgets (
        id ${text} NOT NULL PRIMARY KEY,
        account_id ${text} NOT NULL REFERENCES accounts (id),
        name ${text} NOT NULL,
        scope ${text} NOT NULL CHECK (scope IN (${wordList(scopes)})),
        subject ${text} NOT NULL CHECK ((scope = 'organization') = (subject = '')),
        period ${text} NOT NULL CHECK (period IN (${wordList(periods)})),
        limit_pico ${integer} NOT NULL CHECK (limit_pico >= 0),
        is_hard ${integer} NOT NULL CHECK (is_hard IN (0, 1)),
        notify ${text} NOT NULL,
        created_at_ms ${integer} NOT NULL,
        updated_at_ms ${integer} NOT NULL,
        deleted_at_ms ${integer}
      )${tableEnd}`,
      `CREATE UNIQUE INDEX budgets_by_subject ON budgets (account_id, scope, subject, period, is_hard)
        WHERE deleted_at_ms IS NULL`,
      'CREATE INDEX budgets_by_account ON budgets (account_id, id)',
      `CREATE TABLE budget_totals (
        budget_id ${text} NOT NULL REFERENCES budgets (id),
        period ${text} NOT NULL,
        requests ${integer} NOT NULL,
        cost_high ${integer} NOT NULL,
        cost_low ${integer} NOT NULL,
        PRIMARY KEY (budget_id, period)
      )${hotTableEnd}`,
      `CREATE TABLE budget_leases (
        node_id ${text} NOT NULL REFERENCES nodes (id),
        budget_id ${text} NOT NULL REFERENCES budgets (id),
        period ${text} NOT NULL,
        amount_pico ${integer} NOT NULL CHECK (amount_pico >= 0),
        version ${integer} NOT NULL DEFAULT 0,
        PRIMARY KEY (node_id, budget_id, period)
      )${hotTableEnd}`,
      'CREATE INDEX budget_leases_by_budget ON budget_leases (budget_id, period)',
      `ALTER TABLE accounts ADD COLUMN budget_version ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE nodes ADD COLUMN counts_budgets ${integer} NOT NULL DEFAULT 0
        CHECK (counts_budgets IN (0, 1))`,
      ...refuse(words, {
        name: 'budgets_keep_what_they_are_on',
        on: 'BEFORE UPDATE OF account_id, scope, subject, period ON budgets',
        when: `NEW.account_id <> OLD.account_id OR NEW.scope <> OLD.scope OR NEW.period <> OLD.period
          OR (NEW.subject <> OLD.subject AND OLD.scope <> 'key')`,
        message: 'what a budget is on never changes',
      }),
    ]
  },
}
