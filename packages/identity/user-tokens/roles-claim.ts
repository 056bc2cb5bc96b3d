import { roles, type Role } from '../organizations/roles.ts'

/** The role that a value of the claim confers. */
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

/** The roles that one token reports. */
export interface ToldRoles {
  roles: readonly ClaimedRole[]
  /** The token's `iat`, in Unix epoch seconds; 0 if it has none. */
  issuedAtS: number
}

/**
 * The values of a claim: a list of texts, or one text with spaces between them, like `scope`. A name such as
 * `realm_access.roles` is first tried as a claim's name, then as a path into a claim. Anything else has no
 * values.
 * @returns undefined if the token leaves the values out because there are too many
 */
export function claimValues(claims: Record<string, unknown>, name: string): string[] | undefined {
  if (!Object.hasOwn(claims, name) && isElsewhere(claims, name)) return undefined
  const claim = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'))
  const values =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? (claim as unknown[]) : []
  return values.filter((one) => typeof one === 'string' && one !== '') as string[]
}

/**
 * Whether the token says that the claim is elsewhere (OpenID Connect Core 1.0, section 5.6.2), as Microsoft
 * Entra does for members of more than 200 groups; its implicit flow sends `hasgroups`
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

/** Of several roles in one organization, the most powerful one counts. */
export function mapClaimedRoles(values: readonly string[], mappings: readonly RoleMapping[]): ClaimedRole[] {
  const uniqueValues = new Set(values)
  const found = new Map<string, Role>()
  for (const { value, organizationId, role } of mappings) {
    if (!uniqueValues.has(value)) continue
    const before = found.get(organizationId)
    if (before === undefined || roles.indexOf(role) < roles.indexOf(before)) found.set(organizationId, role)
  }
  return [...found].map(([organizationId, role]) => ({ organizationId, role }))
}
