import { expect, test } from 'vitest'
import { claimedRoles, claimValues } from './roles-claim.ts'

test.each<[Record<string, unknown>, string, string[]]>([
  [{ roles: ['a', 'b'] }, 'roles', ['a', 'b']],
  [{ roles: 'a b' }, 'roles', ['a', 'b']],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [{ 'https://x.example/roles': ['a'], https: 1 }, 'https://x.example/roles', ['a']],
  [{ roles: [1, null, '', {}, 'a'] }, 'roles', ['a']],
  [{ roles: { a: true } }, 'roles', []],
  [{}, 'roles', []],
  [{}, 'constructor.name', []],
  [{ a: 'x' }, 'a.length', []],
])('%j tells by %s: %j', (claims, name, expected) => {
  expect(claimValues(claims, name)).toEqual(expected)
})

test('of several roles in one organization the one that may do most counts', () => {
  const mappings = [
    { value: 'all', organizationId: 'acct_1', role: 'viewer' as const },
    { value: 'dev', organizationId: 'acct_1', role: 'developer' as const },
    { value: 'dev', organizationId: 'acct_2', role: 'viewer' as const },
    { value: 'boss', organizationId: 'acct_1', role: 'owner' as const },
  ]
  expect(claimedRoles(['all', 'dev', 'else'], mappings)).toEqual([
    { organizationId: 'acct_1', role: 'developer' },
    { organizationId: 'acct_2', role: 'viewer' },
  ])
  expect(claimedRoles([], mappings)).toEqual([])
})
