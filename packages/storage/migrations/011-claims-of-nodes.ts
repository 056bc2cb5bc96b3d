import type { Migration } from './migration.ts'

/** The node of a claim, so that nobody waits for a node that is gone. */
export const claimsOfNodes: Migration = {
  number: 11,
  name: 'claims-of-nodes',
  statements: ({ text }) => [
    `ALTER TABLE idempotency_claims ADD COLUMN node_id ${text}`,
    `CREATE INDEX idempotency_claims_under_way ON idempotency_claims (node_id) WHERE status IS NULL`,
  ],
}
