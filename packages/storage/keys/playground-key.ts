import { randomBytes } from 'node:crypto'
import { createKey } from './create-key.ts'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'

const purpose = 'playground'
const hashBytes = 32

/** A random hash that matches no secret, so that no request can come with this key. */
export async function playgroundKeyHash(
  database: Database,
  accountId: string,
  nowMs: number,
  memberId: string | null = null,
): Promise<string> {
  const known = await readHash(database.read, accountId, memberId)
  if (known !== undefined) return known
  return inTransaction(database, async (transaction) => {
    const key = {
      accountId,
      memberId,
      purpose,
      name: 'Playground',
      keyPrefix: '',
      keyHash: randomBytes(hashBytes).toString('hex'),
      drawsOn: 'default',
      expiresAtMs: null,
      allowedModels: null,
      spendLimitPico: null,
      spendLimitPeriod: null,
    } as const
    await createKey(transaction, key, nowMs)
    return (await readHash(transaction, accountId, memberId))!
  })
}

async function readHash(
  connection: Connection,
  accountId: string,
  memberId: string | null,
): Promise<string | undefined> {
  const row = await connection
    .selectFrom('api_keys')
    .select('key_hash')
    .where('account_id', '=', accountId)
    .where('member_id', memberId === null ? 'is' : '=', memberId)
    .where('purpose', '=', purpose)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row?.key_hash
}
