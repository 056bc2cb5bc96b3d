import {
  OrganizationRefused,
  type Member,
  type MemberSource,
  type OrganizationStore,
  type Role,
} from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { revokeInvitationsAbove } from './invitations.ts'
import { lockOrganization, requireOtherOwner, requireRank } from './lock.ts'
import { raiseMemberEvent, type MemberFacts } from './raise.ts'

type MemberStore = Pick<OrganizationStore, 'members' | 'member' | 'addService' | 'changeMember'>

export function memberStore(database: Database): MemberStore {
  return {
    async members(organizationId, { limit, cursor }) {
      const cursors = cursorsOf(`members:${organizationId}`, ['text'])
      const rows = await membersWithNames(database.read)
        .where('organization_id', '=', organizationId)
        .where('memberships.status', '<>', 'removed')
        .$if(cursor !== undefined, (query) => query.where('memberships.id', '>', cursors.decode(cursor!)[0]))
        .orderBy('memberships.id')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toMember), limit, cursors, (row) => [row.id])
    },
    member: (organizationId, memberId) => findMember(database.write, organizationId, memberId),
    addService: (organizationId, { name, by }, nowMs) =>
      inTransaction(database, async (transaction) => {
        await lockOrganization(transaction, organizationId)
        await requireRank(transaction, organizationId, by, ['developer'])
        const id = newIdentifier('mem', nowMs)
        await transaction
          .insertInto('memberships')
          .values({
            id,
            organization_id: organizationId,
            kind: 'service',
            person_id: null,
            name,
            role: 'developer',
            status: 'active',
            source: by === null ? 'operator' : 'admin',
            invited_by: by?.memberId ?? null,
            created_at_ms: nowMs,
            removed_at_ms: null,
          })
          .execute()
        const member = (await findMember(transaction, organizationId, id))!
        await raiseMemberEvent(
          transaction,
          'member.joined',
          { ...factsOf(member), by: by?.memberId ?? null },
          nowMs,
        )
        return member
      }),
    changeMember: (organizationId, memberId, { role, name, by }, nowMs) =>
      inTransaction(database, async (transaction) => {
        await lockOrganization(transaction, organizationId)
        const member = await activeMember(transaction, organizationId, memberId)
        await requireRank(transaction, organizationId, by, [
          member.role,
          ...(role === undefined ? [] : [role]),
        ])
        if (member.kind === 'service' ? role !== undefined && role !== member.role : name !== undefined)
          throw new OrganizationRefused('service')
        if (role !== undefined && role !== member.role) {
          if (member.role === 'owner') await requireOtherOwner(transaction, organizationId, memberId)
          await transaction.updateTable('memberships').set({ role }).where('id', '=', memberId).execute()
          await revokeInvitationsAbove(transaction, { organizationId, memberId, role, nowMs })
          const change = { ...factsOf(member), role, previousRole: member.role, by: by?.memberId ?? null }
          await raiseMemberEvent(transaction, 'member.role_changed', change, nowMs)
        }
        if (name !== undefined)
          await transaction.updateTable('memberships').set({ name }).where('id', '=', memberId).execute()
        return (await findMember(transaction, organizationId, memberId))!
      }),
  }
}

function factsOf({ organizationId, id, kind, role, source }: Member): Omit<MemberFacts, 'by'> {
  return { organizationId, memberId: id, kind, role, source }
}

/** @throws {OrganizationRefused} */
export async function activeMember(
  transaction: Connection,
  organizationId: string,
  memberId: string,
): Promise<Member> {
  const member = await findMember(transaction, organizationId, memberId)
  if (member === undefined) throw new OrganizationRefused('unknown')
  if (member.status !== 'active') throw new OrganizationRefused('over')
  return member
}

async function findMember(
  connection: Connection,
  organizationId: string,
  memberId: string,
): Promise<Member | undefined> {
  const row = await membersWithNames(connection)
    .where('organization_id', '=', organizationId)
    .where('memberships.id', '=', memberId)
    .executeTakeFirst()
  return row && toMember(row)
}

function membersWithNames(connection: Connection) {
  return connection
    .selectFrom('memberships')
    .leftJoin('accounts', 'accounts.id', 'memberships.person_id')
    .selectAll('memberships')
    .select(['accounts.display_name', 'accounts.email', 'accounts.email_verified'])
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof membersWithNames>['execute']>>[number]

function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    organizationId: row.organization_id,
    kind: row.kind as Member['kind'],
    personId: row.person_id,
    name: row.name ?? row.display_name,
    email: row.email,
    emailVerified: row.email !== null && row.email_verified === 1n,
    role: row.role as Role,
    status: row.status as Member['status'],
    source: row.source as MemberSource,
    createdAtMs: Number(row.created_at_ms),
    removedAtMs: row.removed_at_ms === null ? null : Number(row.removed_at_ms),
  }
}
