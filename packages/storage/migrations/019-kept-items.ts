import type { Migration } from './migration.ts'

/**
 * The kept answer that an item belongs to, if its vendor-made id does not tell. Some vendors use the same
 * item ids in two answers.
 */
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
