import type { SignInClient } from '@turnpike/identity'
import type { Connection } from '../schema.ts'

/**
 * The newest usable key created for devices with this program, of this member or of the account's person.
 * Undefined if there is none.
 */
export async function keyMadeFor(
  connection: Connection,
  accountId: string,
  client: SignInClient,
  nowMs: number,
  memberId: string | null = null,
): Promise<string | undefined> {
  const row = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('made_for', '=', client)
    .where('member_id', memberId === null ? 'is' : '=', memberId)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .where((expression) =>
      expression.or([
        expression('expires_at_ms', 'is', null),
        expression('expires_at_ms', '>', BigInt(nowMs)),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
