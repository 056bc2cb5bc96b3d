import { roles, type Role } from '../organizations/roles.ts'

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

/** What one token tells. */
export interface ToldRoles {
  roles: readonly ClaimedRole[]
  /** `iat`, Unix epoch seconds; 0 where the token has none. */
  issuedAtS: number
}

/**
 * The values of a claim: a list of texts, or one text with spaces between them, as `scope` is. A name such
 * as `realm_access.roles` is that of a claim or, where there is none, a path into one. Of all else: none.
 * @returns undefined where the token does not tell them, since they are too many for it
 */
export function claimValues(claims: Record<string, unknown>, name: string): string[] | undefined {
  if (!Object.hasOwn(claims, name) && isElsewhere(claims, name)) return undefined
  const told = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'))
  const values = typeof told === 'string' ? told.split(' ') : Array.isArray(told) ? (told as unknown[]) : []
  return values.filter((one) => typeof one === 'string' && one !== '') as string[]
}

/**
 * The token says that the claim stands elsewhere (OpenID Connect Core 1.0, section 5.6.2), as Microsoft Entra
 * does for whoever is in more than 200 groups; its implicit flow says `hasgroups`
 * (https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference#groups-overage-claim).
 */
function isElsewhere(claims: Record<string, unknown>, name: string): boolean {
  const names = claims['_claim_names']
  const isNamed = typeof names === 'object' && names !== null && Object.hasOwn(names, name)
  return isNamed || (name === 'groups' && claims['hasgroups'] === true)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return valueAt((value as Record<string, unknown>)[name], rest)
}

/** Of several roles in one organization the one that may do most. */
export function mapClaimedRoles(values: readonly string[], mappings: readonly RoleMapping[]): ClaimedRole[] {
  const told = new Set(values)
  const found = new Map<string, Role>()
  for (const { value, organizationId, role } of mappings) {
    if (!told.has(value)) continue
    const before = found.get(organizationId)
    if (before === undefined || roles.indexOf(role) < roles.indexOf(before)) found.set(organizationId, role)
  }
  return [...found].map(([organizationId, role]) => ({ organizationId, role }))
}
