import { outcomes } from '@turnpike/protocol'
import { appendOnly, isOneOf, type Migration } from './migration.ts'

/**
 * One row per request, and the prices it was charged at. Identifiers are ordered by time, so they suffice to
 * find the requests of a day, of a range, and of an account in it. On PostgreSQL each day is a partition by
 * identifier, which keeps identifiers unique; rows of days without a partition are in the default one.
 */
export const requests: Migration = {
  number: 2,
  name: 'requests',
  statements: (words) => {
    const { engine, text, integer, tableEnd } = words
    const requestsEnd = engine === 'postgres' ? ' PARTITION BY RANGE (id)' : tableEnd
    return [
      `CREATE TABLE prices (
        version ${text} NOT NULL PRIMARY KEY,
        pricing ${text} NOT NULL,
        created_at_ms ${integer} NOT NULL
      )${tableEnd}`,
      ...appendOnly('prices', words),
      `CREATE TABLE requests (
        id ${text} NOT NULL PRIMARY KEY,
        account_id ${text} NOT NULL,
        key_id ${text} NOT NULL,
        started_at_ms ${integer} NOT NULL,
        endpoint ${text} NOT NULL,
        stream ${integer} NOT NULL CHECK (stream = 0 OR stream = 1),
        model_asked ${text},
        model_served ${text},
        provider ${text},
        tier ${text},
        tags ${text} NOT NULL,
        tag_set ${text} NOT NULL,
        outcome ${text} NOT NULL CHECK (${isOneOf('outcome', outcomes)}),
        status ${integer} NOT NULL,
        error_type ${text},
        attempts ${text} NOT NULL,
        usage ${text},
        tokens_in ${integer} NOT NULL CHECK (tokens_in >= 0),
        tokens_out ${integer} NOT NULL CHECK (tokens_out >= 0),
        price_version ${text} REFERENCES prices (version),
        markup ${text} NOT NULL,
        hold_pico ${integer} NOT NULL CHECK (hold_pico >= 0),
        charge_pico ${integer} NOT NULL CHECK (charge_pico >= 0),
        duration_ms ${integer} NOT NULL,
        first_token_ms ${integer},
        FOREIGN KEY (account_id, key_id) REFERENCES api_keys (account_id, id),
        -- Failed requests cost nothing; a charge without a price could not be recomputed.
        CHECK (outcome <> 'failed' OR charge_pico = 0),
        CHECK (charge_pico = 0 OR price_version IS NOT NULL)
      )${requestsEnd}`,
      'CREATE INDEX requests_by_account ON requests (account_id, id)',
      ...(engine === 'postgres' ? ['CREATE TABLE requests_default PARTITION OF requests DEFAULT'] : []),
    ]
  },
}
