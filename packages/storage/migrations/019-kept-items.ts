import type { Migration } from './migration.ts'

/** The answer of a kept item, if its vendor-made id does not tell. Two answers may share an item id. */
export const keptItems: Migration = {
  number: 19,
  name: 'kept-items',
  statements: ({ text, clusteredTableEnd }) => [
    `CREATE TABLE kept_items (
      account_id ${text} NOT NULL,
      item_id ${text} NOT NULL,
      answer_id ${text} NOT NULL REFERENCES kept_answers (id) ON DELETE CASCADE,
      PRIMARY KEY (account_id, item_id, answer_id)
    )${clusteredTableEnd}`,
    'CREATE INDEX kept_items_by_answer ON kept_items (answer_id)',
  ],
}
