import {
  mayGrant,
  OrganizationRefused,
  roles,
  type Changer,
  type InvitationEnd,
  type OrganizationInvitation,
  type OrganizationStore,
  type Role,
} from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import { takeFromOthers } from '../identity/sign-in.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { requireMailsLeft } from './invitation-mails.ts'
import { lockOrganization, requireRank } from './lock.ts'
import type { OrganizationInvitationTable } from './tables.ts'
import { raiseInvitationEvent, raiseMemberEvent } from './raise.ts'

type InvitationStore = Pick<
  OrganizationStore,
  'invite' | 'invitations' | 'revokeInvitation' | 'previewInvitation' | 'acceptInvitation'
>

export function invitationStore(database: Database): InvitationStore {
  return {
    invite: (invitation, nowMs) =>
      inTransaction(database, (transaction) => invite(transaction, invitation, nowMs)),
    async invitations(organizationId, { limit, cursor }) {
      const cursors = cursorsOf(`invitations:${organizationId}`, ['text'])
      const rows = await database.read
        .selectFrom('org_invitations')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursors.decode(cursor!)[0]))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toInvitation), limit, cursors, (row) => [row.id])
    },
    revokeInvitation: (organizationId, invitationId, by, nowMs) =>
      inTransaction(database, async (transaction) => {
        await lockOrganization(transaction, organizationId)
        return revoke(transaction, { organizationId, invitationId, by, nowMs })
      }),
    async previewInvitation(codeHash, nowMs) {
      const row = await selectInvitation(database.write, codeHash).executeTakeFirst()
      if (row === undefined) return undefined
      return (
        endOf(row, nowMs) ?? {
          organizationName: row.display_name ?? row.organization_id,
          role: row.role as Role,
          isForAddress: row.email !== null,
          expiresAtMs: Number(row.expires_at_ms),
        }
      )
    },
    acceptInvitation: (codeHash, personId, nowMs) =>
      inTransaction(database, (transaction) => accept(transaction, codeHash, personId, nowMs)),
  }
}

async function invite(
  transaction: Connection,
  invitation: Parameters<InvitationStore['invite']>[0],
  nowMs: number,
): Promise<OrganizationInvitation> {
  const { organizationId, codeHash, email, role, by, expiresAtMs, mostOpen } = invitation
  const mail = email === null ? null : invitation.mail
  await lockOrganization(transaction, organizationId)
  await requireRank(transaction, organizationId, by, [role])
  await requireRoom(transaction, organizationId, mostOpen, nowMs)
  if (email !== null && mail !== null) {
    const { limits } = mail
    await requireMailsLeft(transaction, { organizationId, email, by, limits, nowMs })
  }
  const row = await transaction
    .insertInto('org_invitations')
    .values({
      id: newIdentifier('oin', nowMs),
      organization_id: organizationId,
      code_hash: codeHash,
      mail_code_hash: mail?.codeHash ?? null,
      email,
      role,
      mailed: mail === null ? 0 : 1,
      created_by: by?.memberId ?? null,
      created_at_ms: nowMs,
      expires_at_ms: expiresAtMs,
      used_at_ms: null,
      used_by: null,
      revoked_at_ms: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const made = toInvitation(row)
  await raiseInvitationEvent(transaction, 'invitation.created', made, nowMs)
  return made
}

async function revoke(
  transaction: Connection,
  {
    organizationId,
    invitationId,
    by,
    nowMs,
  }: { organizationId: string; invitationId: string; by: Changer; nowMs: number },
): Promise<OrganizationInvitation> {
  const row = await transaction
    .selectFrom('org_invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', invitationId)
    .executeTakeFirst()
  if (row === undefined) throw new OrganizationRefused('unknown')
  await requireRank(transaction, organizationId, by, [row.role as Role])
  if (row.revoked_at_ms !== null) return toInvitation(row)
  if (row.used_at_ms !== null) throw new OrganizationRefused('over')
  const revoked = await transaction
    .updateTable('org_invitations')
    .set({ revoked_at_ms: nowMs })
    .where('id', '=', invitationId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const invitation = toInvitation(revoked)
  await raiseInvitationEvent(transaction, 'invitation.revoked', invitation, nowMs)
  return invitation
}

/**
 * Revokes the invitations of a member who no longer has the rank to give their role.
 * @param role the member's role from now on; null: the member has left
 */
export async function revokeInvitationsAbove(
  transaction: Connection,
  {
    organizationId,
    memberId,
    role,
    nowMs,
  }: { organizationId: string; memberId: string; role: Role | null; nowMs: number },
): Promise<void> {
  const above = roles.filter((one) => role === null || !mayGrant(role, one))
  // An owner may give any role. PostgreSQL accepts no empty list.
  if (above.length === 0) return
  const rows = await transaction
    .updateTable('org_invitations')
    .set({ revoked_at_ms: nowMs })
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', memberId)
    .where('role', 'in', above)
    .where('used_at_ms', 'is', null)
    .where('revoked_at_ms', 'is', null)
    .returningAll()
    .execute()
  for (const row of rows)
    if (Number(row.expires_at_ms) > nowMs)
      await raiseInvitationEvent(transaction, 'invitation.revoked', toInvitation(row), nowMs)
}

async function requireRoom(
  transaction: Connection,
  organizationId: string,
  mostOpen: number,
  nowMs: number,
): Promise<void> {
  const { count } = await transaction
    .selectFrom('org_invitations')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('organization_id', '=', organizationId)
    .where('used_at_ms', 'is', null)
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '>', BigInt(nowMs))
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostOpen) throw new OrganizationRefused('too-many')
}

/** Finds an invitation in any state. */
function selectInvitation(connection: Connection, codeHash: string) {
  return connection
    .selectFrom('org_invitations')
    .innerJoin('accounts', 'accounts.id', 'org_invitations.organization_id')
    .leftJoin('memberships as giver', 'giver.id', 'org_invitations.created_by')
    .leftJoin('accounts as giver_account', 'giver_account.id', 'giver.person_id')
    .selectAll('org_invitations')
    .select(['accounts.display_name', 'accounts.status', 'giver_account.status as giver_status'])
    .where((row) => row.or([row('code_hash', '=', codeHash), row('mail_code_hash', '=', codeHash)]))
}

/** Undefined if the invitation can be accepted. */
function endOf(
  row: Pick<Selectable<OrganizationInvitationTable>, 'used_at_ms' | 'revoked_at_ms' | 'expires_at_ms'> & {
    status: string
    giver_status: string | null
  },
  nowMs: number,
): InvitationEnd | undefined {
  if (row.used_at_ms !== null) return 'used'
  // A suspended person cannot come back through a link that they made for themselves before.
  if (row.revoked_at_ms !== null || row.giver_status === 'suspended') return 'revoked'
  if (Number(row.expires_at_ms) <= nowMs) return 'expired'
  return row.status === 'closed' || row.status === 'suspended' ? row.status : undefined
}

/**
 * @throws {OrganizationRefused} with the state of the invitation; a person who joined by it is a member
 * already
 */
async function openInvitation(
  connection: Connection,
  codeHash: string,
  { personId, nowMs }: { personId: string; nowMs: number },
) {
  const row = await selectInvitation(connection, codeHash).executeTakeFirst()
  if (row === undefined) throw new OrganizationRefused('unknown')
  const end = endOf(row, nowMs)
  if (end === undefined) return row
  if (row.used_by !== null && (await isMember(connection, row.used_by, personId)))
    throw new OrganizationRefused('already-member')
  throw new OrganizationRefused(`invitation-${end}`)
}

/** A client whose response was lost may send the request again. */
async function isMember(connection: Connection, memberId: string, personId: string): Promise<boolean> {
  const row = await connection
    .selectFrom('memberships')
    .select('id')
    .where('id', '=', memberId)
    .where('person_id', '=', personId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

async function accept(
  transaction: Connection,
  codeHash: string,
  personId: string,
  nowMs: number,
): Promise<string> {
  const attempt = { personId, nowMs }
  const { organization_id: organizationId } = await openInvitation(transaction, codeHash, attempt)
  await lockOrganization(transaction, organizationId)
  // Read again: another request may have used it while this one waited.
  const invitation = await openInvitation(transaction, codeHash, attempt)
  // Locked, so that an account that is being closed has either left before or sees this membership.
  const person = await transaction
    .selectFrom('accounts')
    .select(['kind', 'status', 'subject', 'email', 'email_verified'])
    .where('id', '=', personId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forShare())
    .executeTakeFirst()
  if (person?.kind !== 'person' || person.status !== 'active') throw new OrganizationRefused('unknown')
  const { email } = invitation
  if (email !== null && person.email !== email) throw new OrganizationRefused('other-address')
  if (email !== null && person.email_verified !== 1n) {
    // Only the mailbox received this code: neither the inviter nor the caller of the API knows it.
    const isMailed = invitation.mail_code_hash === codeHash
    const isTheirs = isMailed && (await verifyByMail(transaction, { personId, ...person, email }))
    if (!isTheirs) throw new OrganizationRefused('other-address')
  }
  const memberId = await join(transaction, { ...invitation, personId, nowMs })
  await transaction
    .updateTable('org_invitations')
    .set({ used_at_ms: nowMs, used_by: memberId })
    .where('id', '=', invitation.id)
    .where('used_at_ms', 'is', null)
    .execute()
  const { role, created_by: by } = invitation
  const joined = { organizationId, memberId, kind: 'person', role, source: 'invitation', by }
  await raiseMemberEvent(transaction, 'member.joined', joined, nowMs)
  return organizationId
}

/** Returns false if another issuer signs them in: only its word counts. */
async function verifyByMail(
  transaction: Connection,
  { personId, subject, email }: { personId: string; subject: string | null; email: string },
): Promise<boolean> {
  if (subject === null) return false
  const user = await transaction
    .updateTable('identity_users')
    .set({ email_verified: 1 })
    .where('id', '=', subject)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst()
  if (user === undefined) return false
  await transaction.updateTable('accounts').set({ email_verified: 1 }).where('id', '=', personId).execute()
  await takeFromOthers(transaction, personId, email)
  return true
}

interface Joining extends Pick<
  Selectable<OrganizationInvitationTable>,
  'organization_id' | 'created_by' | 'role'
> {
  personId: string
  nowMs: number
}

/** A returning member gets the same row again. */
async function join(transaction: Connection, joining: Joining): Promise<string> {
  const { organization_id: organizationId, personId, role, nowMs } = joining
  const before = await transaction
    .selectFrom('memberships')
    .select(['id', 'status'])
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (before?.status === 'active') throw new OrganizationRefused('already-member')
  if (before?.status === 'leaving') throw new OrganizationRefused('leaving')
  const columns = {
    role,
    status: 'active',
    keys_go: null,
    source: 'invitation',
    invited_by: joining.created_by,
    removed_at_ms: null,
  }
  if (before !== undefined) {
    await transaction.updateTable('memberships').set(columns).where('id', '=', before.id).execute()
    return before.id
  }
  const id = newIdentifier('mem', nowMs)
  await transaction
    .insertInto('memberships')
    .values({
      ...columns,
      id,
      organization_id: organizationId,
      kind: 'person',
      person_id: personId,
      name: null,
      created_at_ms: nowMs,
    })
    .execute()
  return id
}

function toInvitation(row: Selectable<OrganizationInvitationTable>): OrganizationInvitation {
  const timeOf = (time: bigint | null): number | null => (time === null ? null : Number(time))
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    role: row.role as Role,
    createdBy: row.created_by,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
    usedAtMs: timeOf(row.used_at_ms),
    usedBy: row.used_by,
    revokedAtMs: timeOf(row.revoked_at_ms),
  }
}
