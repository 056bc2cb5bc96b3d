import { noBudgets } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { fundedKey, grant, newAccount, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  describe('keys', () => {
    it('return everything they were created with, and are found by their hash', async () => {
      const { storage } = opened()
      const account = await newAccount(storage)
      const made = {
        accountId: account.id,
        name: 'build',
        keyPrefix: 'sk-turnpike-wxyz',
        keyHash: uniqueText(),
        expiresAtMs: 1_900_000_000_000,
        allowedModels: ['openai/gpt-5-mini'],
        spendLimitPico: 5n,
        spendLimitPeriod: 'month' as const,
        unsupportedFields: 'drop' as const,
        logPrompts: true,
      }
      const key = await storage.apiKeys.create(made, 1_800_000_000_123)
      const { keyHash, ...shown } = made
      expect(key).toEqual({
        ...shown,
        mayTopUp: null,
        drawsOn: null,
        id: key.id,
        status: 'active',
        balancePico: 0n,
        createdAtMs: 1_800_000_000_123,
        lastUsedAtMs: null,
        revokedAtMs: null,
        replacedBy: null,
        memberId: null,
        projectId: null,
        handedOver: false,
      })
      expect(await storage.apiKeys.find(account.id, key.id)).toEqual(key)
      expect((await storage.apiKeys.findByHashes([keyHash])).get(keyHash)).toEqual({
        id: key.id,
        secretOf: key.id,
        accountId: account.id,
        memberId: null,
        projectId: null,
        accountStatus: 'active',
        tier: 'free',
        baselineModel: null,
        lifetimeTopupPico: 0n,
        status: 'active',
        expiresAtMs: 1_900_000_000_000,
        allowedModels: new Set(['openai/gpt-5-mini']),
        unsupportedFields: 'drop',
        logsPrompts: true,
        mayTopUp: true,
        budgets: null,
        ownBudgets: noBudgets,
        vendorKeys: null,
      })
      expect((await storage.apiKeys.findByHashes(['none'])).get('none')).toBeUndefined()
    })

    it('of another account do not exist for the caller', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n)
      const stranger = await newAccount(storage)
      expect(await storage.apiKeys.find(stranger.id, key.id)).toBeUndefined()
      expect(await storage.apiKeys.update(stranger.id, key.id, { name: 'mine' })).toBeUndefined()
      expect(await storage.apiKeys.revoke(stranger.id, key.id, Date.now())).toBeUndefined()
      expect(await storage.apiKeys.find(key.accountId, key.id)).toEqual({ ...key, balancePico: 10n })
    })

    it('change only in the given fields; null removes a limit', async () => {
      const { storage } = opened()
      const { id, accountId } = await fundedKey(storage, 1n)
      const limits = { spendLimitPico: 7n, spendLimitPeriod: 'day' as const, allowedModels: ['a/b'] }
      expect(await storage.apiKeys.update(accountId, id, limits)).toMatchObject({ name: 'test', ...limits })
      expect(await storage.apiKeys.update(accountId, id, { name: 'new' })).toMatchObject({
        name: 'new',
        ...limits,
      })
      const none = { spendLimitPico: null, spendLimitPeriod: null, allowedModels: null }
      expect(await storage.apiKeys.update(accountId, id, none)).toMatchObject({ name: 'new', ...none })
    })
  })

  describe('a revoked key', () => {
    it('leaves its credit to the oldest active key, or to the account if there is none', async () => {
      const { storage } = opened()
      const first = await fundedKey(storage, 100n)
      const { accountId } = first
      const second = await newKey(storage, accountId)
      const third = await newKey(storage, accountId)
      const oldest = second.id < third.id ? second : third
      const revoked = await storage.apiKeys.revoke(accountId, first.id, 1_800_000_000_000)
      expect(revoked).toMatchObject({ status: 'revoked', balancePico: 0n, revokedAtMs: 1_800_000_000_000 })
      expect(await storage.apiKeys.revoke(accountId, first.id, 1_900_000_000_000)).toEqual(revoked)
      expect(await storage.apiKeys.find(accountId, oldest.id)).toMatchObject({ balancePico: 100n })
      await storage.apiKeys.revoke(accountId, second.id, Date.now())
      await storage.apiKeys.revoke(accountId, third.id, Date.now())
      expect(await storage.accounts.find(accountId)).toMatchObject({ balancePico: 0n, unassignedPico: 100n })
    })

    it('leaves its debt too, which the next key takes over', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      await storage.requests.write('node_debt', [newRecord(key, { chargePico: 130n })])
      expect(await storage.apiKeys.revoke(key.accountId, key.id, Date.now())).toMatchObject({
        balancePico: 0n,
      })
      expect(await storage.accounts.find(key.accountId)).toMatchObject({ unassignedPico: -30n })
      expect(await newKey(storage, key.accountId)).toMatchObject({ balancePico: -30n })
      expect(await storage.ledger.verify()).toMatchObject({ ok: true })
    })

    it('passes on the credit of its leases once they are returned', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const heir = await newKey(storage, key.accountId)
      await storage.leases.take('node_back', key.id, 60n, 60n, Date.now())
      expect(await storage.apiKeys.revoke(key.accountId, key.id, Date.now())).toMatchObject({
        balancePico: 60n,
      })
      expect(await storage.apiKeys.find(key.accountId, heir.id)).toMatchObject({ balancePico: 40n })
      await storage.leases.giveBack('node_back', key.id, 20n)
      await storage.leases.giveBack('node_back', key.id, 15n)
      expect(await storage.apiKeys.find(key.accountId, heir.id)).toMatchObject({ balancePico: 75n })
      await storage.leases.giveBackAll('node_back')
      expect(await storage.apiKeys.find(key.accountId, heir.id)).toMatchObject({ balancePico: 100n })
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({ balancePico: 0n })
    })

    it('pays for running requests from its leases; its heir pays the rest', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      const heir = await newKey(storage, key.accountId)
      await grant(storage, key.accountId, 0n + 1n)
      await storage.leases.take('node_flight', key.id, 50n, 50n, Date.now())
      await storage.apiKeys.revoke(key.accountId, key.id, Date.now())
      const balance = async (id: string) => (await storage.apiKeys.find(key.accountId, id))!.balancePico
      expect(await balance(heir.id)).toBe(51n)
      await storage.requests.write('node_flight', [newRecord(key, { chargePico: 30n })])
      expect([await balance(key.id), await balance(heir.id)]).toEqual([20n, 51n])
      await storage.requests.write('node_flight', [newRecord(key, { chargePico: 90n })])
      expect([await balance(key.id), await balance(heir.id)]).toEqual([0n, -19n])
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })

    it('has no credit to lease', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      await storage.apiKeys.revoke(key.accountId, key.id, Date.now())
      expect(await storage.leases.take('node_none', key.id, 1n, 1n, Date.now())).toMatchObject({
        takenPico: 0n,
      })
      const movement = { accountId: key.accountId, keyId: key.id, kind: 'topup' as const, amountPico: 5n }
      expect(
        await storage.ledger.move({ ...movement, reference: uniqueText(), reason: null }, Date.now()),
      ).toEqual({ refused: 'key-revoked' })
    })
  })
})
