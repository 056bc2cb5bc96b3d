import {
  OrganizationRefused,
  type ActingMember,
  type NewOrganization,
  type OrganizationOfPerson,
  type OrganizationStore,
  type Role,
} from '@turnpike/identity'
import { nameOfRoles, type ToldRole } from '@turnpike/notify'
import { newIdentifier } from '@turnpike/protocol'
import { insertAccount } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { insertTarget } from '../events/targets.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { claimStore } from './claims.ts'
import { invitationStore } from './invitations.ts'
import { memberStore } from './members.ts'
import { removalStore } from './removals.ts'

export function organizationStore(database: Database): OrganizationStore {
  const { engine, read, write } = database
  return {
    ...memberStore(database),
    ...removalStore(database),
    ...invitationStore(database),
    ...claimStore(database),
    create: (organization, nowMs) =>
      inTransaction(database, async (transaction) => {
        const { personId } = organization
        // Locks the person, so that concurrent creations count each other.
        const person = await transaction
          .selectFrom('accounts')
          .select('status')
          .where('id', '=', personId)
          .$if(engine === 'postgres', (query) => query.forNoKeyUpdate())
          .executeTakeFirst()
        if (person?.status !== 'active') throw new OrganizationRefused('unknown')
        await requireRoom(transaction, personId, organization.mostOfPerson)
        return create(transaction, organization, nowMs)
      }),
    ofPerson: (personId) => ofPerson(read, personId),
    actingMember: (organizationId, personId) => actingMember(write, organizationId, personId),
  }
}

async function create(
  transaction: Connection,
  { name, personId, tier, toldRoles }: NewOrganization,
  nowMs: number,
): Promise<string> {
  const id = await insertAccount(transaction, { displayName: name, tier, kind: 'organization' }, null, nowMs)
  await transaction
    .insertInto('organizations')
    .values({ account_id: id, created_by: personId, created_at_ms: nowMs })
    .execute()
  await transaction
    .insertInto('memberships')
    .values({
      id: newIdentifier('mem', nowMs),
      organization_id: id,
      kind: 'person',
      person_id: personId,
      name: null,
      role: 'owner',
      status: 'active',
      source: 'founder',
      invited_by: null,
      created_at_ms: nowMs,
      removed_at_ms: null,
    })
    .execute()
  if (toldRoles.length > 0) await addDefaultTarget(transaction, id, toldRoles, nowMs)
  return id
}

/** Creates the default mail target for its events. */
async function addDefaultTarget(
  transaction: Connection,
  accountId: string,
  roles: readonly ToldRole[],
  nowMs: number,
): Promise<void> {
  await insertTarget(
    transaction,
    {
      id: newIdentifier('tgt', nowMs),
      accountId,
      kind: 'mail',
      name: nameOfRoles(roles),
      url: null,
      email: null,
      roles,
      types: ['*'],
      secret: null,
      status: 'active',
      confirmHash: null,
    },
    nowMs,
  )
}

/** Closed organizations do not count. */
async function requireRoom(transaction: Connection, personId: string, most: number): Promise<void> {
  const { count } = await transaction
    .selectFrom('organizations')
    .innerJoin('accounts', 'accounts.id', 'organizations.account_id')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('organizations.created_by', '=', personId)
    .where('accounts.status', '<>', 'closed')
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) throw new OrganizationRefused('too-many')
}

async function ofPerson(connection: Connection, personId: string): Promise<OrganizationOfPerson[]> {
  const rows = await connection
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.organization_id')
    .select(['memberships.id', 'memberships.role', 'memberships.created_at_ms', 'organization_id'])
    .select(['accounts.display_name', 'accounts.status'])
    .select((expression) =>
      expression
        .selectFrom('memberships as other')
        .innerJoin('accounts as owner', 'owner.id', 'other.person_id')
        .whereRef('other.organization_id', '=', 'memberships.organization_id')
        .whereRef('other.id', '<>', 'memberships.id')
        .where('other.role', '=', 'owner')
        .where('other.status', '=', 'active')
        .where('owner.status', '=', 'active')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .as('other_owners'),
    )
    .where('person_id', '=', personId)
    .where('memberships.status', '=', 'active')
    .where('accounts.status', '<>', 'closed')
    .orderBy('memberships.id')
    .execute()
  return rows.map((row) => ({
    id: row.organization_id,
    name: row.display_name ?? row.organization_id,
    status: row.status as OrganizationOfPerson['status'],
    role: row.role as Role,
    memberId: row.id,
    isOnlyOwner: row.role === 'owner' && Number(row.other_owners) === 0,
    joinedAtMs: Number(row.created_at_ms),
  }))
}

async function actingMember(
  connection: Connection,
  organizationId: string,
  personId: string,
): Promise<ActingMember | undefined> {
  const row = await connection
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.organization_id')
    .select(['memberships.id', 'memberships.role'])
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .where('memberships.status', '=', 'active')
    .where('accounts.status', '<>', 'closed')
    .executeTakeFirst()
  return row && { memberId: row.id, role: row.role as Role }
}
