import {
  OrganizationRefused,
  type ClaimedRole,
  type OrganizationStore,
  type ToldRoles,
} from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { revokeInvitationsAbove } from './invitations.ts'
import { lockOrganization, requireOtherOwner } from './lock.ts'
import { beginRemoval } from './removals.ts'
import { raiseMemberEvent } from './raise.ts'

interface Known {
  id: string
  organization_id: string
  role: string
  status: string
  source: string
}

/** Applies the roles that the identity provider reports for a person. */
export function claimStore(database: Database): Pick<OrganizationStore, 'followClaims'> {
  return {
    async followClaims(personId, claims, nowMs) {
      if (!(await isLatest(database, personId, claims))) return []
      const roles = new Map(claims.roles.map((one) => [one.organizationId, one]))
      const known = await membershipsOf(database.write, personId)
      const named = new Set([...roles.keys(), ...known.map((one) => one.organization_id)])
      const changed: string[] = []
      for (const organizationId of named) {
        const before = known.find((one) => one.organization_id === organizationId)
        if (isAsClaimed(before, roles.get(organizationId))) continue
        const { issuedAtS } = claims
        const change = { organizationId, personId, claimed: roles.get(organizationId), issuedAtS, nowMs }
        if (await follow(database, change)) changed.push(organizationId)
      }
      return changed
    },
  }
}

/** Whether this is the person's latest token. If so, older tokens have no effect from now on. */
async function isLatest(database: Database, personId: string, { issuedAtS }: ToldRoles): Promise<boolean> {
  const before = await readLastIssuedAt(database.write, personId)
  if (before === issuedAtS) return true
  if (before !== undefined && before > issuedAtS) return false
  await database.write
    .insertInto('claim_tokens')
    .values({ person_id: personId, issued_at_s: issuedAtS })
    .onConflict((conflict) =>
      conflict
        .column('person_id')
        .doUpdateSet({ issued_at_s: issuedAtS })
        .where('claim_tokens.issued_at_s', '<', BigInt(issuedAtS)),
    )
    .execute()
  return true
}

/** The issue time of the latest token, in Unix epoch seconds. */
async function readLastIssuedAt(
  connection: Connection,
  personId: string,
  locks = false,
): Promise<number | undefined> {
  const row = await connection
    .selectFrom('claim_tokens')
    .select('issued_at_s')
    .where('person_id', '=', personId)
    .$if(locks && engineOf(connection) === 'postgres', (query) => query.forShare())
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.issued_at_s)
}

function membershipsOf(connection: Connection, personId: string): Promise<Known[]> {
  return connection
    .selectFrom('memberships')
    .select(['id', 'organization_id', 'role', 'status', 'source'])
    .where('person_id', '=', personId)
    .execute()
}

/** Members who joined in another way are left as they are. */
function isAsClaimed(known: Known | undefined, claimed: ClaimedRole | undefined): boolean {
  if (known?.status === 'leaving') return true
  if (known?.status !== 'active') return claimed === undefined
  return known.source !== 'claims' || known.role === claimed?.role
}

interface Following {
  organizationId: string
  personId: string
  /** Undefined: the token no longer gives a role in it. */
  claimed: ClaimedRole | undefined
  issuedAtS: number
  nowMs: number
}

/** Returns false if it cannot be applied: the organization does not exist, or would have no owner. */
async function follow(database: Database, change: Following): Promise<boolean> {
  try {
    return await inTransaction(database, (transaction) => followIn(transaction, change))
  } catch (error) {
    if (error instanceof OrganizationRefused) return false
    throw error
  }
}

async function followIn(
  transaction: Connection,
  { organizationId, personId, claimed, issuedAtS, nowMs }: Following,
): Promise<boolean> {
  await lockOrganization(transaction, organizationId)
  // A later token may have changed the role since. One that arrives now waits for this change.
  if ((await readLastIssuedAt(transaction, personId, true))! > issuedAtS) return false
  const known = await membershipsOf(transaction, personId)
  const before = known.find((one) => one.organization_id === organizationId)
  if (isAsClaimed(before, claimed)) return false
  const common = { organizationId, kind: 'person', source: 'claims', by: null }
  if (before === undefined) {
    const id = newIdentifier('mem', nowMs)
    await transaction
      .insertInto('memberships')
      .values({
        id,
        organization_id: organizationId,
        kind: 'person',
        person_id: personId,
        name: null,
        role: claimed!.role,
        status: 'active',
        source: 'claims',
        invited_by: null,
        created_at_ms: nowMs,
        removed_at_ms: null,
      })
      .execute()
    const joined = { ...common, memberId: id, role: claimed!.role }
    await raiseMemberEvent(transaction, 'member.joined', joined, nowMs)
    return true
  }
  const { id: memberId } = before
  if (before.status === 'active' && before.role === 'owner')
    await requireOtherOwner(transaction, organizationId, memberId)
  if (claimed === undefined) {
    const keysGo = 'organization'
    await beginRemoval(transaction, { organizationId, memberId, keysGo, nowMs })
    const removed = { ...common, memberId, role: before.role, keysGo } as const
    await raiseMemberEvent(transaction, 'member.removed', removed, nowMs)
    return true
  }
  const { role } = claimed
  await transaction
    .updateTable('memberships')
    .set({ role, status: 'active', source: 'claims', keys_go: null, removed_at_ms: null })
    .where('id', '=', memberId)
    .execute()
  await revokeInvitationsAbove(transaction, { organizationId, memberId, role, nowMs })
  const facts = { ...common, memberId, role }
  if (before.status === 'active')
    await raiseMemberEvent(transaction, 'member.role_changed', { ...facts, previousRole: before.role }, nowMs)
  else await raiseMemberEvent(transaction, 'member.joined', facts, nowMs)
  return true
}
