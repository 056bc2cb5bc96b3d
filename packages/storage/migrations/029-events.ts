import { isOneOf, type EngineWords, type Migration } from './migration.ts'

/**
 * Notifications for accounts and operators, their recipients, and the result of each delivery. An event and
 * its deliveries are written in the transaction of what they report, so that none is lost or made up.
 */
export const events: Migration = {
  number: 29,
  name: 'events',
  statements: (words) => [...eventRows(words), ...targets(words), ...deliveries(words), ...rules(words)],
}

/** Without an account: the operator's. */
function eventRows({ text, integer, tableEnd }: EngineWords): string[] {
  return [
    `CREATE TABLE events (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} REFERENCES accounts (id),
      type ${text} NOT NULL,
      dedupe_key ${text} UNIQUE,
      occurred_at_ms ${integer} NOT NULL,
      data ${text} NOT NULL
    )${tableEnd}`,
    'CREATE INDEX events_by_account ON events (account_id, id)',
  ]
}

function targets({ text, integer, tableEnd }: EngineWords): string[] {
  return [
    `CREATE TABLE event_targets (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} REFERENCES accounts (id),
      kind ${text} NOT NULL,
      name ${text} NOT NULL,
      url ${text},
      member_id ${text},
      email ${text},
      types ${text} NOT NULL,
      secret ${text},
      previous_secret ${text},
      previous_until_ms ${integer},
      status ${text} NOT NULL CHECK (${isOneOf('status', ['active', 'unconfirmed', 'disabled'])}),
      disabled_reason ${text},
      confirm_hash ${text},
      confirm_sent_ms ${integer},
      failures_in_row ${integer} NOT NULL DEFAULT 0,
      failing_since_ms ${integer},
      created_at_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      CHECK ((kind = 'webhook' AND url IS NOT NULL AND secret IS NOT NULL AND email IS NULL)
        OR (kind = 'mail' AND url IS NULL AND secret IS NULL
          AND (email IS NOT NULL OR member_id IS NOT NULL)))
    )${tableEnd}`,
    'CREATE INDEX event_targets_by_account ON event_targets (account_id, id)',
    `CREATE UNIQUE INDEX event_targets_by_code ON event_targets (confirm_hash)
      WHERE confirm_hash IS NOT NULL`,
  ]
}

/** `tries` counts the attempts since the delivery began or was restarted by hand; `attempts` counts all. */
function deliveries({ text, integer, tableEnd, clusteredTableEnd }: EngineWords): string[] {
  return [
    `CREATE TABLE event_deliveries (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text},
      event_id ${text} NOT NULL REFERENCES events (id) ON DELETE CASCADE,
      target_id ${text} NOT NULL REFERENCES event_targets (id) ON DELETE CASCADE,
      state ${text} NOT NULL CHECK (${isOneOf('state', ['pending', 'delivered', 'failed', 'cancelled'])}),
      attempts ${integer} NOT NULL DEFAULT 0,
      tries ${integer} NOT NULL DEFAULT 0,
      next_at_ms ${integer} NOT NULL,
      claimed_by ${text},
      claim_until_ms ${integer},
      deadline_ms ${integer} NOT NULL,
      delivered_at_ms ${integer},
      UNIQUE (event_id, target_id)
    )${tableEnd}`,
    "CREATE INDEX event_deliveries_due ON event_deliveries (next_at_ms) WHERE state = 'pending'",
    'CREATE INDEX event_deliveries_by_account ON event_deliveries (account_id, id)',
    'CREATE INDEX event_deliveries_by_target ON event_deliveries (target_id, id)',
    `CREATE TABLE delivery_attempts (
      delivery_id ${text} NOT NULL REFERENCES event_deliveries (id) ON DELETE CASCADE,
      number ${integer} NOT NULL,
      at_ms ${integer} NOT NULL,
      node_id ${text} NOT NULL,
      status ${integer},
      duration_ms ${integer} NOT NULL,
      error ${text},
      answer_start ${text},
      PRIMARY KEY (delivery_id, number)
    )${clusteredTableEnd}`,
  ]
}

/** `episode` increases each time that a rule is raised, and is part of its event's dedupe key. */
function rules({ text, integer, clusteredTableEnd }: EngineWords): string[] {
  const kinds = ['balance', 'runway', 'unusual_spend', 'key_expiry']
  return [
    `CREATE TABLE alert_rules (
      account_id ${text} NOT NULL REFERENCES accounts (id),
      kind ${text} NOT NULL CHECK (${isOneOf('kind', kinds)}),
      enabled ${integer} NOT NULL CHECK (enabled IN (0, 1)),
      threshold_pico ${integer},
      days ${integer},
      state ${text} NOT NULL CHECK (${isOneOf('state', ['armed', 'raised'])}),
      episode ${integer} NOT NULL DEFAULT 0,
      next_check_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      PRIMARY KEY (account_id, kind)
    )${clusteredTableEnd}`,
    'CREATE INDEX alert_rules_due ON alert_rules (next_check_ms) WHERE enabled = 1',
  ]
}
