/** The roles of an organization's members, from most to least powerful. */
export const roles = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const
export type Role = (typeof roles)[number]

const ranks: Record<Role, number> = { owner: 2, admin: 1, developer: 0, billing: 0, viewer: 0 }

/** Nobody may grant, change or take away a role above their own rank. */
export function mayGrant(granting: Role, role: Role): boolean {
  return ranks[granting] > 0 && ranks[role] <= ranks[granting]
}

/** What a member may be permitted to do for an account. */
export const permissions = [
  'member',
  'usage:read',
  'keys:read',
  'keys:write',
  'keys:hand-over',
  'credit:move',
  'logs',
  'playground:use',
  'billing:read',
  'billing:write',
  'budgets:write',
  'vendor-keys',
  'members:write',
  'alerts:write',
  'settings',
  'owner',
] as const
export type Permission = (typeof permissions)[number]

/** All of the account's things, or only those of the member. */
export type Reach = 'all' | 'own'

const own: Readonly<Partial<Record<Permission, Reach>>> = {
  'usage:read': 'own',
  'keys:read': 'own',
  'keys:write': 'own',
  logs: 'own',
}

const granted: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  admin: new Set(permissions.filter((one) => one !== 'billing:write' && one !== 'owner')),
  developer: new Set(['member', 'usage:read', 'keys:read', 'keys:write', 'logs', 'playground:use']),
  billing: new Set([
    'member',
    'usage:read',
    'credit:move',
    'billing:read',
    'billing:write',
    'budgets:write',
    'alerts:write',
  ]),
  viewer: new Set(['member', 'usage:read', 'keys:read']),
}

/** Undefined: not permitted at all. */
export function reachOf(role: Role, permission: Permission): Reach | undefined {
  if (!granted[role].has(permission)) return undefined
  return role === 'developer' ? (own[permission] ?? 'all') : 'all'
}

export function permissionsOf(role: Role): Permission[] {
  return permissions.filter((one) => granted[role].has(one))
}
