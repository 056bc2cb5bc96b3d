import { KeyOwnerRefused } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { grant, newRecord, noonMs, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { invite, newOrganization, refusalOf, type MadeKey } from './testing/organization.ts'

onEachEngine((opened) => {
  const store = () => opened().storage.organizations
  const known = async ({ secret }: MadeKey) =>
    (await opened().storage.apiKeys.findByHashes([secret])).get(secret)!
  /** Whether the secret works now. */
  const opens = async (key: MadeKey, nowMs = Date.now()): Promise<boolean> => {
    const found = await known(key)
    return found.status === 'active' && (found.expiresAtMs ?? Infinity) > nowMs
  }
  const expectTrueBooks = async (): Promise<void> => {
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }
  const rotate = (key: { accountId: string; id: string }, graceMs = 0) =>
    opened().storage.apiKeys.rotate(
      {
        accountId: key.accountId,
        keyId: key.id,
        keyPrefix: 'sk-turnpike-wxyz',
        keyHash: uniqueText(),
        graceMs,
      },
      Date.now(),
    )
  const handOver = async (key: { accountId: string; id: string }, memberId: string | null) => {
    const { accountId, id: keyId } = key
    const result = await opened().storage.apiKeys.handOver({ accountId, keyId, memberId }, Date.now())
    if (!('key' in result)) throw new Error(JSON.stringify(result))
    return result.key
  }

  describe('a key that is handed over', () => {
    it('becomes a new key with the same secret and credit; its charges stay with the old owner', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const other = await organization.join('developer')
      const project = await storage.projects.create({ accountId: id, name: 'p', most: 9 }, Date.now())
      const old = await organization.key(founder.memberId, { projectId: project.id })
      await grant(storage, id, 1_000n)
      await storage.requests.write('node_a', [newRecord(old, { chargePico: 100n })])
      await storage.leases.take('node_a', old.id, 50n, 50n, Date.now())
      const key = await handOver(old, other.memberId)
      expect(key).toMatchObject({ memberId: other.memberId, projectId: project.id, handedOver: true })
      expect(key).toMatchObject({ keyPrefix: old.keyPrefix, balancePico: 850n })
      expect(await known(old)).toMatchObject({ id: key.id, secretOf: old.id, memberId: other.memberId })
      expect(await opens(old)).toBe(true)
      expect(await storage.apiKeys.find(id, old.id)).toBeUndefined()
      expect((await storage.apiKeys.list(id, { limit: 10 })).rows.map((one) => one.id)).toEqual([key.id])
      // The running request still belongs to the old row, and the new one pays for it.
      await storage.requests.write('node_a', [newRecord(old, { chargePico: 30n })])
      await storage.leases.giveBackAll('node_a')
      await storage.requests.write('node_a', [newRecord(key, { chargePico: 7n })])
      expect(await storage.apiKeys.find(id, key.id)).toMatchObject({ balancePico: 863n })
      const filter = { accountId: id, fromMs: noonMs - 1e8, toMs: noonMs + 1e8 }
      const { rows } = await storage.usage.breakdown(filter, ['member'])
      const costs = rows.map(({ groups: [group], totalCostPico }) => [group, totalCostPico])
      expect(costs).toEqual([
        [founder.memberId, 130n],
        [other.memberId, 7n],
      ])
      const own = await storage.usage.summary({ ...filter, memberId: other.memberId })
      expect(own.totalCostPico).toBe(7n)
      const inProject = await storage.usage.summary({ ...filter, projectId: project.id, tags: [] })
      expect(inProject.totalCostPico).toBe(137n)
      await expectTrueBooks()
    })

    it.each([0, 60_000])(
      'and then rotated with a grace period of %d ms ends all earlier secrets',
      async (graceMs) => {
        const organization = await newOrganization(opened().storage)
        const { founder } = organization
        const first = await organization.key(founder.memberId)
        const second = await handOver(first, null)
        const third = await handOver(second, founder.memberId)
        expect(await known(first)).toMatchObject({ id: third.id })
        const rotated = await rotate(third, graceMs)
        if (!('key' in rotated)) throw new Error('refused')
        expect(rotated.key).toMatchObject({ handedOver: false, memberId: founder.memberId })
        expect(await opens(first, Date.now() + graceMs)).toBe(false)
        expect(await opens(first)).toBe(graceMs > 0)
        await opened().storage.apiKeys.revokeDue(Date.now() + graceMs)
        expect(await known(first)).toMatchObject({ status: 'revoked' })
        await expectTrueBooks()
      },
    )

    it('keeps no key from drawing on another once its successor draws on none', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const payer = await organization.key()
      await grant(storage, id, 100n)
      const old = await organization.key(founder.memberId, { drawsOn: payer.id })
      await storage.leases.take('node_d', old.id, 20n, 20n, Date.now())
      const key = await handOver(old, null)
      expect(key.drawsOn).toBe(payer.id)
      const other = await organization.key()
      const move = () => storage.apiKeys.update(id, payer.id, { drawsOn: other.id })
      await expect(move()).rejects.toThrow(/is-payer/)
      await storage.apiKeys.update(id, key.id, { drawsOn: null })
      await expect(move()).rejects.toThrow(/is-payer/)
      // The credit of its requests is returned; a late charge may still come.
      await storage.leases.giveBackAll('node_d')
      expect(await move()).toMatchObject({ drawsOn: other.id })
      await storage.requests.write('node_d', [newRecord(old, { chargePico: 3n })])
      expect((await storage.accounts.find(id))!.balancePico).toBe(97n)
      await expectTrueBooks()
    })

    it('ends when it is revoked, whoever knows the secret', async () => {
      const organization = await newOrganization(opened().storage)
      const first = await organization.key(organization.founder.memberId)
      const second = await handOver(first, null)
      await opened().storage.apiKeys.revoke(organization.id, second.id, Date.now())
      expect(await opens(first)).toBe(false)
    })

    it('cannot go to a stranger, and nobody can change the owner of a row', async () => {
      const { storage, database } = opened()
      const organization = await newOrganization(storage)
      const other = await newOrganization(storage)
      const key = await organization.key(organization.founder.memberId)
      await expect(handOver(key, other.founder.memberId)).rejects.toThrow(KeyOwnerRefused)
      await expect(organization.key(other.founder.memberId)).rejects.toThrow(KeyOwnerRefused)
      const foreign = await storage.projects.create({ accountId: other.id, name: 'p', most: 9 }, Date.now())
      await expect(organization.key(null, { projectId: foreign.id })).rejects.toThrow(KeyOwnerRefused)
      const stolen = `UPDATE api_keys SET member_id = NULL WHERE id = '${key.id}'`
      await expect(database.execute(stolen)).rejects.toThrow(/never changes/)
      const values = `'key_x', '${organization.id}', 'x', '', '${uniqueText()}', 'active', 1`
      const columns = 'id, account_id, name, key_prefix, key_hash, status, created_at_ms, member_id'
      const copied = `INSERT INTO api_keys (${columns}) VALUES (${values}, '${other.founder.memberId}')`
      await expect(database.execute(copied)).rejects.toThrow(/its own account/)
    })
  })

  describe('a removed member', () => {
    it('with revoked keys leaves no working key, except those handed over to others', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const leaver = await organization.join('developer')
      const plain = await organization.key(leaver.memberId)
      const inGrace = await organization.key(leaver.memberId)
      await rotate(inGrace, 600_000)
      const gone = await organization.key(leaver.memberId)
      await handOver(gone, founder.memberId)
      const received = await organization.key(founder.memberId)
      await handOver(received, leaver.memberId)
      const playground = await storage.apiKeys.playgroundKeyHash(id, Date.now(), leaver.memberId)
      const nowMs = Date.now()
      await store().removeMember(id, leaver.memberId, { keysGo: 'revoked', by: founder }, nowMs)
      for (const key of [plain, inGrace, received]) expect(await opens(key, nowMs)).toBe(false)
      expect(await opens(gone, nowMs)).toBe(true)
      const hidden = (await storage.apiKeys.findByHashes([playground])).get(playground)!
      expect(hidden.expiresAtMs).toBeLessThanOrEqual(nowMs)
      expect(await store().member(id, leaver.memberId)).toMatchObject({ status: 'removed' })
      expect(await store().actingMember(id, leaver.personId)).toBeUndefined()
      expect((await storage.apiKeys.revokeDue(nowMs + 1)).length).toBeGreaterThanOrEqual(4)
      for (const key of [plain, inGrace, received]) expect(await opens(key)).toBe(false)
      await expectTrueBooks()
    })

    it('leaves keys to the organization, even if the node is killed in between', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const leaver = await organization.join('developer')
      const keys = []
      for (let count = 0; count < 5; count++) keys.push(await organization.key(leaver.memberId))
      await grant(storage, id, 500n)
      await storage.leases.take('node_b', keys[0]!.id, 100n, 100n, Date.now())
      await store().removeMember(id, leaver.memberId, { keysGo: 'organization', by: founder }, Date.now())
      // The node is killed here: nothing belongs to the member any more, and the secrets still work.
      expect(await store().member(id, leaver.memberId)).toMatchObject({ status: 'leaving' })
      expect(await store().actingMember(id, leaver.personId)).toBeUndefined()
      const code = await invite(storage, id, 'developer', founder)
      expect(await refusalOf(store().acceptInvitation(code, leaver.personId, Date.now()))).toBe('leaving')
      for (const key of keys) expect(await opens(key)).toBe(true)
      await expect(organization.key(leaver.memberId)).rejects.toThrow(KeyOwnerRefused)
      // Two nodes at once.
      await Promise.all([store().finishRemovals(Date.now()), store().finishRemovals(Date.now())])
      await store().finishRemovals(Date.now())
      expect(await store().member(id, leaver.memberId)).toMatchObject({ status: 'removed' })
      for (const key of keys) expect(await known(key)).toMatchObject({ memberId: null, status: 'active' })
      const { rows } = await storage.apiKeys.list(id, { limit: 50 })
      expect(rows.map(({ memberId, handedOver }) => [memberId, handedOver])).toEqual(
        Array.from({ length: 5 }, () => [null, true]),
      )
      await storage.leases.giveBackAll('node_b')
      expect((await storage.accounts.find(id))!.balancePico).toBe(500n)
      // A returning member has the same identity as before.
      await store().acceptInvitation(code, leaver.personId, Date.now())
      expect(await store().actingMember(id, leaver.personId)).toMatchObject({ memberId: leaver.memberId })
      const playground = await storage.apiKeys.playgroundKeyHash(id, Date.now(), leaver.memberId)
      expect((await storage.apiKeys.findByHashes([playground])).get(playground)).toMatchObject({
        memberId: leaver.memberId,
        status: 'active',
      })
      await expectTrueBooks()
    })

    it.each(['revoked', 'organization'] as const)(
      'leaves no key that was created, rotated or moved at that moment (%s)',
      async (keysGo) => {
        const { storage } = opened()
        for (let round = 0; round < 6; round++) {
          const organization = await newOrganization(storage)
          const { id, founder } = organization
          const leaver = await organization.join('developer')
          const before = await organization.key(leaver.memberId)
          const project = await storage.projects.create({ accountId: id, name: 'p', most: 9 }, Date.now())
          const moved = { accountId: id, keyId: before.id, projectId: project.id }
          await Promise.allSettled([
            organization.key(leaver.memberId),
            rotate(before, 60_000),
            storage.apiKeys.handOver(moved, Date.now()),
            store().removeMember(id, leaver.memberId, { keysGo, by: founder }, Date.now()),
            storage.apiKeys.playgroundKeyHash(id, Date.now(), leaver.memberId),
            organization.key(leaver.memberId),
            organization.key(leaver.memberId).then((key) => rotate({ ...key, id: key.id })),
          ])
          await store().finishRemovals(Date.now())
          await storage.apiKeys.revokeDue(Date.now() + 1)
          const { rows } = await storage.apiKeys.list(id, { limit: 50 })
          const left = rows.filter((key) => key.memberId === leaver.memberId && key.status === 'active')
          const live = left.filter(({ replacedBy }) => replacedBy === null)
          expect(live, keysGo).toEqual([])
          expect(await store().member(id, leaver.memberId)).toMatchObject({ status: 'removed' })
        }
        await expectTrueBooks()
      },
    )

    it('is signed out on devices, including an approved one that has not fetched its token', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const leaver = await organization.join('developer')
      const key = await organization.key(leaver.memberId)
      const begin = async (): Promise<string> => {
        const deviceCodeHash = uniqueText()
        const userCode = uniqueText().slice(0, 8)
        const times = { createdAtMs: Date.now(), expiresAtMs: Date.now() + 600_000 }
        await storage.signIns.begin({ deviceCodeHash, userCode, client: 'other', address: '::1', ...times })
        await storage.signIns.claim(userCode, id, Date.now())
        await storage.signIns.approve(userCode, id, key.id)
        return deviceCodeHash
      }
      const tokens = () => ({
        id: `sgn_${uniqueText()}`,
        familyHash: uniqueText(),
        salt: 'salt',
        refreshHash: uniqueText(),
        accessHash: uniqueText(),
        accessExpiresAtMs: Date.now() + 600_000,
        nowMs: Date.now(),
        expiresAtMs: Date.now() + 600_000,
      })
      const started = tokens()
      await storage.signIns.start(await begin(), started, 5)
      const waiting = await begin()
      await store().removeMember(id, leaver.memberId, { keysGo: 'organization', by: founder }, Date.now())
      expect(await storage.signIns.findByAccess(started.accessHash)).toBeUndefined()
      expect(await storage.signIns.start(waiting, tokens(), 5)).toBeUndefined()
      await store().finishRemovals(Date.now())
      expect((await storage.apiKeys.findByHashes([started.accessHash])).size).toBe(0)
    })
  })

  describe('members', () => {
    it('have a playground and one key per program, all on the organization’s credit', async () => {
      const { storage } = opened()
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const other = await organization.join('developer')
      await grant(storage, id, 90n)
      const hashes = await Promise.all(
        [founder, other, other, founder].map(({ memberId }) =>
          storage.apiKeys.playgroundKeyHash(id, Date.now(), memberId),
        ),
      )
      expect(new Set(hashes).size).toBe(2)
      const keys = await storage.apiKeys.findByHashes(hashes)
      expect(keys.get(hashes[1]!)).toMatchObject({ memberId: other.memberId })
      // One of the hidden keys holds the credit until somebody creates a key; both use it, before and after.
      const take = async (index: number): Promise<bigint | undefined> => {
        const { id: keyId } = keys.get(hashes[index]!)!
        return (await storage.leases.take('node_c', keyId, 10n, 10n, Date.now()))?.takenPico
      }
      expect([await take(0), await take(1)]).toEqual([10n, 10n])
      const key = await organization.key(other.memberId)
      expect(await storage.apiKeys.find(id, key.id)).toMatchObject({ balancePico: 90n })
      expect([await take(0), await take(1)]).toEqual([10n, 10n])
      await storage.requests.write('node_c', [
        newRecord({ id: keys.get(hashes[1]!)!.id, accountId: id }, { chargePico: 5n }),
      ])
      await storage.apiKeys.revoke(id, key.id, Date.now())
      expect([await take(0), await take(1)]).toEqual([10n, 10n])
      await storage.leases.giveBackAll('node_c')
      await expectTrueBooks()
    })
  })
})
