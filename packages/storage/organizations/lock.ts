import { mayGrant, OrganizationRefused, type Changer, type Role } from '@turnpike/identity'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

/**
 * Locks an organization's row. Every change to its members takes this lock, so that the last owner stays even
 * if two leave at once.
 * @throws {OrganizationRefused} if the organization does not exist or is closed
 */
export async function lockOrganization(transaction: Connection, organizationId: string): Promise<void> {
  const row = await transaction
    .selectFrom('organizations')
    .select('account_id')
    .where('account_id', '=', organizationId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (row === undefined) throw new OrganizationRefused('unknown')
  const account = await transaction
    .selectFrom('accounts')
    .select('status')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (account.status === 'closed') throw new OrganizationRefused('unknown')
}

/**
 * Checks the current rank of the acting member, which may have changed since the request came.
 * @throws {OrganizationRefused}
 */
export async function requireRank(
  transaction: Connection,
  organizationId: string,
  by: Changer,
  touched: readonly Role[],
): Promise<void> {
  if (by === null) return
  const row = await transaction
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('id', '=', by.memberId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  const role = row?.role as Role | undefined
  if (role === undefined || touched.some((one) => !mayGrant(role, one)))
    throw new OrganizationRefused('above-rank')
}

/** @throws {OrganizationRefused} if no other owner can sign in */
export async function requireOtherOwner(
  transaction: Connection,
  organizationId: string,
  memberId: string,
): Promise<void> {
  const other = await transaction
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.person_id')
    .select('memberships.id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('memberships.status', '=', 'active')
    .where('accounts.status', '=', 'active')
    .where('memberships.id', '<>', memberId)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw new OrganizationRefused('last-owner')
}
