import { isOneOf, type Migration } from './migration.ts'

/**
 * Credit being bought. The row is written before the payment processor is asked for a session. Its sums are
 * those of its entries in the ledger, and change only in their transactions.
 */
export const topups: Migration = {
  number: 7,
  name: 'topups',
  statements: ({ text, integer, tableEnd }) => [
    `CREATE TABLE topups (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      key_id ${text},
      processor ${text} NOT NULL CHECK (${isOneOf('processor', ['stripe', 'sandbox'])}),
      amount_pico ${integer} NOT NULL CHECK (amount_pico > 0),
      idempotency_key ${text},
      session_id ${text} UNIQUE,
      checkout_url ${text},
      expires_at_ms ${integer},
      payment_id ${text} UNIQUE,
      expired ${integer} NOT NULL DEFAULT 0 CHECK (expired IN (0, 1)),
      paid_pico ${integer} NOT NULL DEFAULT 0 CHECK (paid_pico >= 0),
      refunded_pico ${integer} NOT NULL DEFAULT 0 CHECK (refunded_pico >= 0),
      disputed_pico ${integer} NOT NULL DEFAULT 0 CHECK (disputed_pico >= 0),
      refunds_as_of_ms ${integer} NOT NULL DEFAULT 0,
      created_at_ms ${integer} NOT NULL,
      paid_at_ms ${integer},
      asked_at_ms ${integer} NOT NULL,
      ask_at_ms ${integer} NOT NULL,
      FOREIGN KEY (account_id, key_id) REFERENCES api_keys (account_id, id),
      UNIQUE (account_id, idempotency_key),
      CHECK ((session_id IS NULL) = (expires_at_ms IS NULL)),
      CHECK ((paid_pico = 0) = (paid_at_ms IS NULL)),
      CHECK (paid_pico > 0 OR refunded_pico + disputed_pico = 0)
    )${tableEnd}`,
    'CREATE INDEX topups_by_account ON topups (account_id, id)',
    `CREATE INDEX topups_to_ask_about ON topups (ask_at_ms) WHERE paid_pico = 0 AND expired = 0`,
  ],
}
