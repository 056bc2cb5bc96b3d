import { describe, expect, it } from 'vitest'
import { fundedKey, grant, newAccount, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  const hashOf = (accountId: string): Promise<string> =>
    opened().storage.apiKeys.playgroundKeyHash(accountId, Date.now())

  async function playgroundKeyOf(accountId: string): Promise<string> {
    const hash = await hashOf(accountId)
    return (await opened().storage.apiKeys.findByHashes([hash])).get(hash)!.id
  }

  const expectTrueBooks = async (): Promise<void> => {
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }

  describe('the key of an account’s playground', () => {
    it('is created once, even concurrently, and is not visible to other accounts', async () => {
      const { storage } = opened()
      const { accountId } = await fundedKey(storage, 100n)
      const hashes = await Promise.all(Array.from({ length: 8 }, () => hashOf(accountId)))
      expect(new Set(hashes).size).toBe(1)
      expect(await hashOf((await newAccount(storage)).id)).not.toBe(hashes[0])
      const keyId = await playgroundKeyOf(accountId)
      expect(await storage.accounts.find(accountId)).toMatchObject({ playgroundKeyId: keyId })
      expect((await storage.apiKeys.findByHashes(hashes)).get(hashes[0]!)).toMatchObject({
        accountId,
        status: 'active',
        allowedModels: null,
      })
      await expectTrueBooks()
    })

    it('cannot be found, listed, changed, revoked, rotated or drawn on', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const { accountId } = key
      const hash = await hashOf(accountId)
      const keyId = await playgroundKeyOf(accountId)
      const { apiKeys } = storage
      expect(await apiKeys.find(accountId, keyId)).toBeUndefined()
      expect((await apiKeys.list(accountId, { limit: 10 })).rows.map(({ id }) => id)).toEqual([key.id])
      expect(await apiKeys.update(accountId, keyId, { name: 'mine', drawsOn: null })).toBeUndefined()
      expect(await apiKeys.revoke(accountId, keyId, Date.now())).toBeUndefined()
      const rotation = { accountId, keyId, keyPrefix: 'x', keyHash: uniqueText(), graceMs: 0 }
      expect(await apiKeys.rotate(rotation, Date.now())).toEqual({ refused: 'unknown-key' })
      await expect(newKey(storage, accountId, Date.now(), keyId)).rejects.toThrow('unknown-payer')
      await expect(apiKeys.update(accountId, key.id, { drawsOn: keyId })).rejects.toThrow('unknown-payer')
      const movement = { accountId, keyId, kind: 'grant', reason: null, reference: uniqueText() } as const
      expect(await storage.ledger.move({ ...movement, amountPico: 1n }, Date.now())).toEqual({
        refused: 'unknown-key',
      })
      const transfer = {
        accountId,
        fromKeyId: key.id,
        toKeyId: keyId,
        amountPico: 1n,
        reference: uniqueText(),
      }
      expect(await storage.ledger.transferBetweenKeys(transfer, Date.now())).toEqual({
        refused: 'unknown-key',
      })
      expect((await apiKeys.findByHashes([hash])).get(hash)).toMatchObject({ id: keyId, status: 'active' })
      expect(await apiKeys.isOfAccount(accountId, keyId)).toBe(true)
      expect(await apiKeys.isOfAccount((await newAccount(storage)).id, keyId)).toBe(false)
      await expectTrueBooks()
    })

    it('spends the credit of the default key', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const keyId = await playgroundKeyOf(key.accountId)
      await storage.requests.write('node_none', [
        newRecord({ id: keyId, accountId: key.accountId }, { chargePico: 30n }),
      ])
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({ balancePico: 70n })
      expect(await storage.accounts.find(key.accountId)).toMatchObject({ balancePico: 70n })
      await expectTrueBooks()
    })

    it.each(['default', null])(
      'holds the credit of an account without a key until one is created (%s)',
      async (drawsOn) => {
        const { storage } = opened()
        const { id: accountId } = await newAccount(storage)
        await grant(storage, accountId, 100n)
        const hidden = await playgroundKeyOf(accountId)
        expect(await storage.accounts.find(accountId)).toMatchObject({
          balancePico: 100n,
          unassignedPico: 0n,
        })
        expect(await storage.apiKeys.defaultKeyHash(accountId)).toBeUndefined()
        await storage.requests.write('node_none', [newRecord({ id: hidden, accountId }, { chargePico: 30n })])
        const first = await newKey(storage, accountId, Date.now(), drawsOn)
        expect(await storage.apiKeys.find(accountId, first.id)).toMatchObject({
          drawsOn: null,
          balancePico: 70n,
        })
        await storage.requests.write('node_none', [newRecord({ id: hidden, accountId }, { chargePico: 30n })])
        expect(await storage.apiKeys.find(accountId, first.id)).toMatchObject({ balancePico: 40n })
        const second = await newKey(storage, accountId, Date.now() + 1, 'default')
        expect(second.drawsOn).toBe(first.id)
        await expectTrueBooks()
      },
    )

    it('inherits only if the owner has no key left', async () => {
      const { storage } = opened()
      const { id: accountId } = await newAccount(storage)
      const nowMs = Date.now()
      const hidden = await playgroundKeyOf(accountId)
      const first = await newKey(storage, accountId, nowMs + 5, 'default')
      await grant(storage, accountId, 100n)
      const second = await newKey(storage, accountId, nowMs + 9, 'default')
      expect([first.drawsOn, second.drawsOn]).toEqual([null, first.id])
      // The hidden key is the oldest, but comes last all the same.
      await storage.apiKeys.revoke(accountId, first.id, nowMs)
      expect(await storage.apiKeys.find(accountId, second.id)).toMatchObject({
        drawsOn: null,
        balancePico: 100n,
      })
      await storage.apiKeys.revoke(accountId, second.id, nowMs)
      expect(await storage.accounts.find(accountId)).toMatchObject({ balancePico: 100n })
      await storage.requests.write('node_none', [newRecord({ id: hidden, accountId }, { chargePico: 30n })])
      const third = await newKey(storage, accountId, nowMs + 20, 'default')
      expect(third).toMatchObject({ drawsOn: null, balancePico: 70n })
      await expectTrueBooks()
    })

    it('ends with the account', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const { accountId } = key
      const hash = await hashOf(accountId)
      await storage.accounts.close(accountId, Date.now())
      while ((await storage.apiKeys.revokeDue(Date.now() + 1)).length > 0);
      expect((await storage.apiKeys.findByHashes([hash])).get(hash)).toMatchObject({
        status: 'revoked',
        accountStatus: 'closed',
      })
      await expectTrueBooks()
    })
  })
})
