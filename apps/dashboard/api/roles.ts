import type { Role } from './role-names.ts'

/** From the most permissions to the fewest. */
export const roles: readonly Role[] = ['owner', 'admin', 'developer', 'billing', 'viewer']

/** What a role may do, in a sentence. */
export const roleWords: Record<Role, string> = {
  owner: 'Full access, including adding owners and closing the organization.',
  admin: 'Members, projects, budgets and all keys. No payments, and cannot manage owners.',
  developer: 'Their own keys, the usage of those keys, and the playground.',
  billing: 'Credit, receipts and budgets. Sees all usage but no keys.',
  viewer: 'Read-only access to usage and keys.',
}

const ranks: Record<Role, number> = { owner: 2, admin: 1, developer: 0, billing: 0, viewer: 0 }

/** The roles that a member with this role may assign: none above their own. */
export function rolesGivenBy(role: Role | undefined): Role[] {
  if (role === undefined || ranks[role] === 0) return []
  return roles.filter((one) => ranks[one] <= ranks[role])
}
