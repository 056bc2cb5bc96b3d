import { expect, test } from 'vitest'
import { mapClaimedRoles, claimValues } from './roles-claim.ts'

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

test.each([
  [
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x.example' } } },
    'groups',
  ],
  [{ hasgroups: true }, 'groups'],
])('%j does not tell by %s: they are too many for it', (claims, name) => {
  expect(claimValues(claims, name)).toBeUndefined()
})

test.each([
  [{ _claim_names: { groups: 'src1' }, groups: ['a'] }, 'groups', ['a']],
  [{ hasgroups: true }, 'roles', []],
  [{ _claim_names: 'groups' }, 'groups', []],
])('%j tells by %s: %j', (claims, name, expected) => {
  expect(claimValues(claims, name)).toEqual(expected)
})

test('all values of a token count, however many there are', () => {
  const roles = Array.from({ length: 2_000 }, (_, index) => `role ${index}`)
  expect(claimValues({ roles }, 'roles')).toEqual(roles)
})

test('of several roles in one organization, the most powerful one counts', () => {
  const mappings = [
    { value: 'all', organizationId: 'acct_1', role: 'viewer' as const },
    { value: 'dev', organizationId: 'acct_1', role: 'developer' as const },
    { value: 'dev', organizationId: 'acct_2', role: 'viewer' as const },
    { value: 'boss', organizationId: 'acct_1', role: 'owner' as const },
  ]
  expect(mapClaimedRoles(['all', 'dev', 'else'], mappings)).toEqual([
    { organizationId: 'acct_1', role: 'developer' },
    { organizationId: 'acct_2', role: 'viewer' },
  ])
  expect(mapClaimedRoles([], mappings)).toEqual([])
})
