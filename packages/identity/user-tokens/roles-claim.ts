import { roles, type Role } from '../organizations/roles.ts'

/** Nobody has more; a token is bounded besides. */
const maxValues = 500

/** What a value of the claim makes of whoever has it. */
export interface RoleMapping {
  value: string
  /** `acct_…` */
  organizationId: string
  role: Role
}

/** A role in an organization. */
export interface ClaimedRole {
  organizationId: string
  role: Role
}

/**
 * The values of a claim: a list of texts, or one text with spaces between them, as `scope` is. A name such
 * as `realm_access.roles` is that of a claim or, where there is none, a path into one. Of all else: none.
 */
export function claimValues(claims: Record<string, unknown>, name: string): string[] {
  const told = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'))
  const values = typeof told === 'string' ? told.split(' ') : Array.isArray(told) ? (told as unknown[]) : []
  return values.filter((one) => typeof one === 'string' && one !== '').slice(0, maxValues) as string[]
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return valueAt((value as Record<string, unknown>)[name], rest)
}

/** Of several roles in one organization the one that may do most. */
export function claimedRoles(values: readonly string[], mappings: readonly RoleMapping[]): ClaimedRole[] {
  const found = new Map<string, Role>()
  for (const { value, organizationId, role } of mappings) {
    if (!values.includes(value)) continue
    const before = found.get(organizationId)
    if (before === undefined || roles.indexOf(role) < roles.indexOf(before)) found.set(organizationId, role)
  }
  return [...found].map(([organizationId, role]) => ({ organizationId, role }))
}
