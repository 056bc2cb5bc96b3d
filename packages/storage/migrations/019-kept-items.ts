import type { Migration } from './migration.ts'

/**
 * Which kept answer an item is of, where its id does not tell: its vendor made it. Some vendors call items of
 * two answers alike.
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
