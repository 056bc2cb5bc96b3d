import { GatewayError } from '@turnpike/protocol'
import type { SignedInAccount } from '../accounts/account.ts'
import type { OrganizationStore } from './organization-store.ts'
import { reachOf, type Permission, type Role } from './roles.ts'

/** The header that names the organization a person's request acts for; absent: the person's own account. */
export const organizationHeader = 'x-turnpike-org'

const accountPattern = /^acct_[0-9a-hjkmnp-tv-z]{26}$/

/** Who acts, and for which account. */
export interface Acting {
  person: SignedInAccount
  accountId: string
  role: Role
  /** Null: the person acts for their own account. */
  memberId: string | null
}

/**
 * Determines the account that a person's request acts for.
 * @param header the request's `X-Turnpike-Org`, if any
 * @throws {GatewayError} 403 if the person's account is not active; 404 for an organization that the person
 * is not a member of, that is closed, or that does not exist
 */
export async function actingFor(
  person: SignedInAccount,
  header: string | string[] | undefined,
  organizations: Pick<OrganizationStore, 'actingMember'> | undefined,
): Promise<Acting> {
  if (person.status !== 'active')
    throw new GatewayError('permission_error', `The account is ${person.status}.`)
  if (header === undefined || header === person.id)
    return { person, accountId: person.id, role: 'owner', memberId: null }
  const isWellFormed = typeof header === 'string' && accountPattern.test(header)
  const member = isWellFormed ? await organizations?.actingMember(header, person.id) : undefined
  if (!isWellFormed || member === undefined) throw noSuchOrganization()
  return { person, accountId: header, ...member }
}

export function noSuchOrganization(): GatewayError {
  return new GatewayError('not_found_error', 'Organization not found.')
}

/** @throws {GatewayError} 403 */
export function requirePermission(acting: Pick<Acting, 'role'>, permission: Permission, what: string): void {
  if (reachOf(acting.role, permission) !== undefined) return
  throw new GatewayError('permission_error', `The role \`${acting.role}\` may not use \`${what}\`.`)
}
