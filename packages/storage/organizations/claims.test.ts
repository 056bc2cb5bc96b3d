import type { Role } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { newOrganization } from './testing/organization.ts'

onEachEngine((opened) => {
  const store = () => opened().storage.organizations

  async function world() {
    const { storage } = opened()
    const organization = await newOrganization(storage)
    const { id: personId } = await newAccount(storage)
    const followAt = (issuedAtS: number, ...names: Role[]) => {
      const roles = names.map((role) => ({ organizationId: organization.id, role }))
      return store().followClaims(personId, { roles, issuedAtS }, Date.now())
    }
    const follow = (...names: Role[]) => followAt(0, ...names)
    const acting = () => store().actingMember(organization.id, personId)
    return { organization, personId, follow, followAt, acting }
  }

  describe('roles from the identity provider', () => {
    it('are given, changed and ended as the token says', async () => {
      const { organization, follow, acting } = await world()
      expect(await follow('developer')).toEqual([organization.id])
      expect(await follow('developer')).toEqual([])
      const first = (await acting())!
      expect(first.role).toBe('developer')
      await follow('admin')
      expect(await acting()).toEqual({ memberId: first.memberId, role: 'admin' })
      const key = await organization.key(first.memberId)
      expect(await follow()).toEqual([organization.id])
      expect(await acting()).toBeUndefined()
      // While keys are being handed over, nobody comes back.
      await follow('viewer')
      expect(await acting()).toBeUndefined()
      await store().finishRemovals(Date.now())
      const { secret } = key
      const known = (await opened().storage.apiKeys.findByHashes([secret])).get(secret)
      expect(known).toMatchObject({ memberId: null, status: 'active' })
      await follow('viewer')
      expect(await acting()).toEqual({ memberId: first.memberId, role: 'viewer' })
    })

    it('change nothing for members who joined in another way, and keep an owner', async () => {
      const { organization, follow, acting, personId } = await world()
      const { id, founder } = organization
      const roles = [{ organizationId: id, role: 'viewer' as const }]
      const apply = (one: typeof roles) =>
        store().followClaims(founder.personId, { roles: one, issuedAtS: 0 }, Date.now())
      expect(await apply(roles)).toEqual([])
      expect(await apply([])).toEqual([])
      await follow('owner')
      const owner = (await acting())!
      const leaving = { keysGo: 'organization' as const, by: 'self' as const }
      await store().removeMember(id, founder.memberId, leaving, Date.now())
      expect(await follow('viewer')).toEqual([])
      expect(await follow()).toEqual([])
      expect(await acting()).toEqual(owner)
      expect(await store().ofPerson(personId)).toMatchObject([{ id, isOnlyOwner: true }])
    })

    it('are those of the latest token: an older one restores nothing', async () => {
      const { organization, followAt, acting } = await world()
      await followAt(100, 'admin')
      await followAt(200, 'developer')
      const { memberId } = (await acting())!
      const key = await organization.key(memberId)
      for (const roles of [['admin'], ['owner'], []] as const) {
        expect(await followAt(199, ...roles)).toEqual([])
        expect(await acting()).toEqual({ memberId, role: 'developer' })
      }
      expect((await opened().storage.apiKeys.findByHashes([key.secret])).get(key.secret)).toMatchObject({
        memberId,
      })
      await followAt(200, 'viewer')
      expect(await acting()).toEqual({ memberId, role: 'viewer' })
      await followAt(300)
      await followAt(200, 'owner')
      expect(await acting()).toBeUndefined()
    })

    it('are those of the latest token, even concurrently', async () => {
      const { followAt, acting } = await world()
      const followed = (['viewer', 'developer', 'billing', 'admin'] as const).map((role, at) =>
        followAt(at, role),
      )
      await Promise.all([...followed, ...followed.map((_, at) => followAt(3 - at, 'admin'))])
      expect((await acting())!.role).toBe('admin')
    })

    it('create one membership, even with concurrent first requests', async () => {
      const { organization, follow } = await world()
      const results = await Promise.all(Array.from({ length: 8 }, () => follow('developer')))
      expect(results.flat()).toEqual([organization.id])
      expect((await store().members(organization.id, { limit: 10 })).rows).toHaveLength(2)
    })

    it('have no effect in an unknown or closed organization', async () => {
      const { organization, follow, acting, personId } = await world()
      for (const organizationId of [`acct_${'0'.repeat(26)}`, personId]) {
        const roles = [{ organizationId, role: 'owner' as const }]
        expect(await store().followClaims(personId, { roles, issuedAtS: 0 }, Date.now())).toEqual([])
      }
      await opened().storage.accounts.close(organization.id, Date.now())
      await follow('owner')
      expect(await acting()).toBeUndefined()
    })
  })
})
