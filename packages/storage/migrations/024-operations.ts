import { appendOnly, type EngineWords, type Migration } from './migration.ts'

/**
 * What operators look up: indexes for accounts, actions and invitations; results of the attempts at each
 * upstream, by day and hour; price changes; and findings of ledger verifications.
 */
export const operations: Migration = {
  number: 24,
  name: 'operations',
  statements: (words) => [
    ...accountIndexes(words),
    'CREATE INDEX audit_entries_by_actor ON audit_entries (actor, request_id)',
    'CREATE INDEX audit_entries_by_subject ON audit_entries (subject, request_id)',
    'CREATE INDEX audit_entries_by_action ON audit_entries (action, request_id)',
    'CREATE INDEX audit_entries_refused ON audit_entries (request_id) WHERE status >= 400',
    'CREATE INDEX identity_invites_unused ON identity_invites (id) WHERE used_at_ms IS NULL',
    ...attempts(words),
    ...prices(words),
    ...verifications(words),
  ],
}

/** By the beginning of a name, of what follows its first space, and of an address's domain. */
function accountIndexes({ engine }: EngineWords): string[] {
  const position = engine === 'postgres' ? 'strpos' : 'instr'
  const behind = (column: string, text: string): string =>
    `substr(${column}, ${position}(${column}, '${text}') + 1)`
  return [
    'CREATE INDEX accounts_by_name ON accounts (lower(display_name))',
    `CREATE INDEX accounts_by_last_name ON accounts (lower(${behind('display_name', ' ')}))`,
    `CREATE INDEX accounts_by_domain ON accounts (${behind('email', '@')})`,
    'CREATE INDEX accounts_by_tier ON accounts (tier, id)',
    "CREATE INDEX accounts_not_active ON accounts (status, id) WHERE status <> 'active'",
    'CREATE INDEX api_keys_by_prefix ON api_keys (key_prefix)',
  ]
}

/** Each row belongs to one node, so that nodes do not wait for each other. */
function attempts({ engine, text, integer, clusteredTableEnd }: EngineWords): string[] {
  const tableEnd = engine === 'postgres' ? ' WITH (fillfactor = 70)' : clusteredTableEnd
  return [
    `CREATE TABLE attempt_totals (
      period ${text} NOT NULL,
      node_id ${text} NOT NULL,
      provider ${text} NOT NULL,
      model ${text} NOT NULL,
      result ${text} NOT NULL,
      attempts ${integer} NOT NULL,
      duration_ms ${integer} NOT NULL,
      last_request_id ${text} NOT NULL,
      last_at_ms ${integer} NOT NULL,
      PRIMARY KEY (period, node_id, provider, model, result)
    )${tableEnd}`,
  ]
}

/** `price_lists` has one row: the list that the next one is compared with. */
function prices(words: EngineWords): string[] {
  const { text, integer, tableEnd, clusteredTableEnd } = words
  return [
    `CREATE TABLE price_lists (
      number ${integer} NOT NULL PRIMARY KEY,
      version ${text} NOT NULL,
      prices ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )${clusteredTableEnd}`,
    `CREATE TABLE price_changes (
      id ${text} NOT NULL PRIMARY KEY,
      model ${text} NOT NULL,
      price ${text} NOT NULL,
      before ${text},
      after ${text},
      source ${text} NOT NULL,
      version ${text} NOT NULL,
      node_id ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )${tableEnd}`,
    'CREATE INDEX price_changes_by_model ON price_changes (model, id)',
    ...appendOnly('price_changes', words),
  ]
}

/** At most one runs at a time in the whole database. */
function verifications({ text, integer, tableEnd }: EngineWords): string[] {
  return [
    `CREATE TABLE ledger_verifications (
      id ${text} NOT NULL PRIMARY KEY,
      node_id ${text} NOT NULL,
      state ${text} NOT NULL CHECK (state IN ('running', 'finished', 'stopped', 'failed')),
      started_at_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      finished_at_ms ${integer},
      checked ${integer} NOT NULL,
      differences ${text} NOT NULL,
      CHECK ((state = 'running') = (finished_at_ms IS NULL))
    )${tableEnd}`,
    `CREATE UNIQUE INDEX ledger_verifications_running ON ledger_verifications (state)
      WHERE state = 'running'`,
  ]
}
