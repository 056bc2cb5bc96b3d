import type { Migration } from './migration.ts'

/** Which node a claim is of, so that one whose node is gone need not be waited for. */
export const claimsOfNodes: Migration = {
  number: 11,
  name: 'claims-of-nodes',
  statements: ({ text }) => [
    `ALTER TABLE idempotency_claims ADD COLUMN node_id ${text}`,
    `CREATE INDEX idempotency_claims_under_way ON idempotency_claims (node_id) WHERE status IS NULL`,
  ],
}
