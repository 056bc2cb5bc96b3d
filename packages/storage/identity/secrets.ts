import type { ProviderSecret, ProviderSecretStore } from '@turnpike/identity'
import type { Database } from '../database/database.ts'

/** Signing keys and cookie secrets, shared by all nodes on the database. */
export function secretStore({ write }: Database): ProviderSecretStore {
  return {
    async list() {
      const rows = await write
        .selectFrom('identity_secrets')
        .selectAll()
        .orderBy('purpose')
        .orderBy('number', 'desc')
        .execute()
      return rows.map((row) => ({
        purpose: row.purpose as ProviderSecret['purpose'],
        number: Number(row.number),
        secret: row.secret,
        createdAtMs: Number(row.created_at_ms),
      }))
    },
    async add({ purpose, number, secret, createdAtMs }) {
      const { numInsertedOrUpdatedRows } = await write
        .insertInto('identity_secrets')
        .values({ purpose, number, secret, created_at_ms: createdAtMs })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },
  }
}
