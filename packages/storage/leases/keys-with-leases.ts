import type { Connection } from '../schema.ts'

/**
 * Keys that use this key's credit and still have leases: with `replaced_by`, the keys that it replaced; with
 * `draws_on`, those that draw on it. Revoked keys count, because their running requests still hold credit.
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
