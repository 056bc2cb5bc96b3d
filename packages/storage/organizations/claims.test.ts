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
    const follow = (...roles: Role[]) =>
      store().followClaims(
        personId,
        roles.map((role) => ({ organizationId: organization.id, role })),
        Date.now(),
      )
    const acting = () => store().actingMember(organization.id, personId)
    return { organization, personId, follow, acting }
  }

  describe('roles that the identity provider tells', () => {
    it('are had, changed and ended as it tells them', async () => {
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
      // While keys are handed over, nobody comes back.
      await follow('viewer')
      expect(await acting()).toBeUndefined()
      await store().finishRemovals(Date.now())
      const { secret } = key
      const known = (await opened().storage.apiKeys.findByHashes([secret])).get(secret)
      expect(known).toMatchObject({ memberId: null, status: 'active' })
      await follow('viewer')
      expect(await acting()).toEqual({ memberId: first.memberId, role: 'viewer' })
    })

    it('change nothing for whoever came in another way, and leave an owner', async () => {
      const { organization, follow, acting, personId } = await world()
      const { id, founder } = organization
      const claimed = [{ organizationId: id, role: 'viewer' as const }]
      expect(await store().followClaims(founder.personId, claimed, Date.now())).toEqual([])
      expect(await store().followClaims(founder.personId, [], Date.now())).toEqual([])
      await follow('owner')
      const owner = (await acting())!
      const leaving = { keysGo: 'organization' as const, by: 'self' as const }
      await store().removeMember(id, founder.memberId, leaving, Date.now())
      expect(await follow('viewer')).toEqual([])
      expect(await follow()).toEqual([])
      expect(await acting()).toEqual(owner)
      expect(await store().ofPerson(personId)).toMatchObject([{ id, isOnlyOwner: true }])
    })

    it('are one membership, however many requests come with the first token', async () => {
      const { organization, follow } = await world()
      const results = await Promise.all(Array.from({ length: 8 }, () => follow('developer')))
      expect(results.flat()).toEqual([organization.id])
      expect((await store().members(organization.id, { limit: 10 })).rows).toHaveLength(2)
    })

    it('in an organization that there is not, or that is closed, are none', async () => {
      const { organization, follow, acting, personId } = await world()
      const claimed = [{ organizationId: `acct_${'0'.repeat(26)}`, role: 'owner' as const }]
      expect(await store().followClaims(personId, claimed, Date.now())).toEqual([])
      const own = [{ organizationId: personId, role: 'owner' as const }]
      expect(await store().followClaims(personId, own, Date.now())).toEqual([])
      await opened().storage.accounts.close(organization.id, Date.now())
      await follow('owner')
      expect(await acting()).toBeUndefined()
    })
  })
})
