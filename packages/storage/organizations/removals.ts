import type { KeyFate, OrganizationStore } from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import { dropOwnAddress } from '../events/member-targets.ts'
import { handOverKey } from '../keys/hand-over-key.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { revokeInvitationsAbove } from './invitations.ts'
import { lockOrganization, requireOtherOwner, requireRank } from './lock.ts'
import { activeMember } from './members.ts'
import { raiseMemberEvent } from './raise.ts'

type RemovalStore = Pick<OrganizationStore, 'removeMember' | 'finishRemovals'>

/** Leaving members processed per run. */
const membersAtOnce = 20

export function removalStore(database: Database): RemovalStore {
  return {
    removeMember: (organizationId, memberId, { keysGo, by }, nowMs) =>
      inTransaction(database, async (transaction) => {
        await lockOrganization(transaction, organizationId)
        const member = await activeMember(transaction, organizationId, memberId)
        if (by !== 'self') await requireRank(transaction, organizationId, by, [member.role])
        if (member.role === 'owner') await requireOtherOwner(transaction, organizationId, memberId)
        const keyIds = await beginRemoval(transaction, { organizationId, memberId, keysGo, nowMs })
        const { kind, role, source } = member
        const facts = { organizationId, memberId, kind, role, source, keysGo }
        const [type, who] =
          by === 'self'
            ? (['member.left', null] as const)
            : (['member.removed', by?.memberId ?? null] as const)
        await raiseMemberEvent(transaction, type, { ...facts, by: who }, nowMs)
        return keyIds
      }),
    async finishRemovals(nowMs, memberId) {
      const leaving = await database.write
        .selectFrom('memberships')
        .select(['id', 'organization_id'])
        .where('status', '=', 'leaving')
        .$if(memberId !== undefined, (query) => query.where('id', '=', memberId!))
        .orderBy('id')
        .limit(membersAtOnce)
        .execute()
      const changed: string[] = []
      const failures: unknown[] = []
      // If one member cannot be processed, the others still are.
      for (const member of leaving) {
        try {
          changed.push(...(await finish(database, member, nowMs)))
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
      return changed
    },
  }
}

interface Removal {
  organizationId: string
  memberId: string
  keysGo: KeyFate
  nowMs: number
}

/**
 * Ends everything that works without a raw key: device sessions, pending device codes, the playground. Keys
 * that go to the organization follow one by one, because each needs locks of the ledger.
 */
export async function beginRemoval(
  transaction: Connection,
  { organizationId, memberId, keysGo, nowMs }: Removal,
): Promise<string[]> {
  // Waits for key creations in progress for this member; later ones find the member gone.
  await transaction
    .updateTable('memberships')
    .set({
      status: keysGo === 'organization' ? 'leaving' : 'removed',
      keys_go: keysGo,
      removed_at_ms: nowMs,
    })
    .where('id', '=', memberId)
    .execute()
  const keyIds = await liveKeys(transaction, organizationId, memberId)
  const everyId = [...keyIds, ...(await secretsOf(transaction, keyIds))]
  if (everyId.length > 0) {
    await transaction.deleteFrom('sign_ins').where('key_id', 'in', everyId).execute()
    await transaction.deleteFrom('device_requests').where('key_id', 'in', everyId).execute()
  }
  const hidden = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('purpose', 'is not', null)
    .where('status', '=', 'active')
    .execute()
  const ending = [...hidden.map(({ id }) => id), ...(keysGo === 'revoked' ? everyId : [])]
  if (ending.length > 0)
    await transaction
      .updateTable('api_keys')
      .set({ revokes_at_ms: nowMs })
      .where('id', 'in', ending)
      .where('status', '=', 'active')
      .execute()
  await dropOwnAddress(transaction, organizationId, memberId, nowMs)
  await revokeInvitationsAbove(transaction, { organizationId, memberId, role: null, nowMs })
  await publish(transaction, { about: 'account', accountId: organizationId })
  return keyIds
}

/** Active keys of a member, without replaced ones and those that the gateway created for itself. */
async function liveKeys(connection: Connection, organizationId: string, memberId: string): Promise<string[]> {
  const rows = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('purpose', 'is', null)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The rows whose secrets stand for these keys, whoever owned them. */
async function secretsOf(connection: Connection, keyIds: readonly string[]): Promise<string[]> {
  if (keyIds.length === 0) return []
  const rows = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('replaced_by', 'in', keyIds)
    .where('status', '=', 'active')
    .execute()
  return rows.map(({ id }) => id)
}

async function finish(
  database: Database,
  { id: memberId, organization_id: accountId }: { id: string; organization_id: string },
  nowMs: number,
): Promise<string[]> {
  const keyIds = await liveKeys(database.write, accountId, memberId)
  for (const keyId of keyIds)
    await inTransaction(database, (transaction) =>
      handOverKey(transaction, { accountId, keyId, memberId: null }, nowMs),
    )
  await database.write
    .updateTable('memberships')
    .set({ status: 'removed' })
    .where('id', '=', memberId)
    .where('status', '=', 'leaving')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('api_keys')
            .select('api_keys.id')
            .whereRef('api_keys.member_id', '=', 'memberships.id')
            .where('purpose', 'is', null)
            .where('api_keys.status', '=', 'active')
            .where('replaced_by', 'is', null),
        ),
      ),
    )
    .execute()
  return keyIds
}
