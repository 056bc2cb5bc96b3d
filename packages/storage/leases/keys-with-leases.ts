import type { Connection } from '../schema.ts'

/**
 * The keys that lead to this one and still have leases: `replaced_by`, those that it has replaced;
 * `draws_on`, those that use its credit. Revoked ones too: what their requests hold is its credit still.
 */
export async function keysWithLeases(
  connection: Connection,
  column: 'replaced_by' | 'draws_on',
  keyId: string,
): Promise<string[]> {
  const rows = await connection
    .selectFrom('api_keys')
    .innerJoin('leases', 'leases.key_id', 'api_keys.id')
    .select('api_keys.id')
    .distinct()
    .where(column, '=', keyId)
    .where('amount_pico', '>', 0n)
    .orderBy('api_keys.id')
    .execute()
  return rows.map(({ id }) => id)
}
