import { describe, expect, it } from 'vitest'
import { newAccount } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import type { ApiKeyStore } from './api-key-store.ts'
import { KnownKeys } from './known-keys.ts'
import { newApiKey } from './raw-key.ts'

const noLimits = { expiresAtMs: null, allowedModels: null, spendLimitPico: null, spendLimitPeriod: null }

describe('known keys', () => {
  onEachEngine((opened) => {
    async function made(): Promise<{
      keys: KnownKeys
      raw: string
      id: string
      accountId: string
      calls: () => number
    }> {
      const { storage } = opened()
      const account = await newAccount(storage)
      const { raw, prefix, hash } = newApiKey()
      const { id } = await storage.apiKeys.create(
        { accountId: account.id, name: 'k', keyPrefix: prefix, keyHash: hash, ...noLimits },
        Date.now(),
      )
      let count = 0
      const counting: ApiKeyStore = {
        ...storage.apiKeys,
        findByHashes: (keyHashes) => {
          count++
          return storage.apiKeys.findByHashes(keyHashes)
        },
      }
      const keys = new KnownKeys(counting, (error) => expect(error).toBeUndefined())
      return { keys, raw, id, accountId: account.id, calls: () => count }
    }

    it('cost the database one call, however often they are used', async () => {
      const { keys, raw, id, calls } = await made()
      expect(await keys.find(raw, Date.now())).toMatchObject({
        id,
        status: 'active',
        accountStatus: 'active',
      })
      for (let count = 0; count < 100; count++) expect(keys.find(raw, Date.now())).toMatchObject({ id })
      expect(calls()).toBe(1)
    })

    it('that are malformed or known not to exist cost none', async () => {
      const { keys, raw, calls } = await made()
      expect(keys.find(`${raw}x`, Date.now())).toBeUndefined()
      const stranger = newApiKey().raw
      for (let count = 0; count < 10; count++) expect(await keys.find(stranger, Date.now())).toBeUndefined()
      expect(calls()).toBe(1)
    })

    it('are read again once they are forgotten', async () => {
      const { keys, raw, id, accountId, calls } = await made()
      await keys.find(raw, Date.now())
      await opened().storage.apiKeys.revoke(accountId, id, Date.now())
      keys.forget(id)
      expect(await keys.find(raw, Date.now())).toMatchObject({ status: 'revoked' })
      await opened().storage.accounts.update(accountId, { status: 'suspended' })
      keys.forgetAccount(accountId)
      expect(await keys.find(raw, Date.now())).toMatchObject({ accountStatus: 'suspended' })
      expect(calls()).toBe(3)
    })

    it('are read once for all that come with one at a time, and anew after a change', async () => {
      const { keys, raw, id, calls } = await made()
      const early = Array.from({ length: 20 }, () => keys.find(raw, Date.now()))
      keys.forget('another')
      const late = Array.from({ length: 20 }, () => keys.find(raw, Date.now()))
      for (const found of await Promise.all([...early, ...late])) expect(found).toMatchObject({ id })
      expect(calls()).toBe(2)
      expect(keys.find(raw, Date.now())).toMatchObject({ id })
    })

    it('that nobody has cost one query for many, and keep none that exists waiting', async () => {
      const { keys, raw, id, calls } = await made()
      const strangers = Array.from({ length: 5_000 }, async () => keys.find(newApiKey().raw, Date.now()))
      const found = keys.find(raw, Date.now())
      expect(await found).toMatchObject({ id })
      for (const stranger of await Promise.all(strangers)) expect(stranger).toBeUndefined()
      expect(calls()).toBeLessThan(20)
    })

    it('are refused where too many are looked up, and found a moment later', async () => {
      const { keys, raw, id } = await made()
      const strangers = Array.from({ length: 15_000 }, async () => keys.find(newApiKey().raw, Date.now()))
      await expect(keys.find(raw, Date.now())).rejects.toThrow('too many')
      await Promise.allSettled(strangers)
      expect(await keys.find(raw, Date.now())).toMatchObject({ id })
    })

    it('that did not exist a second ago may exist now', async () => {
      const { keys } = await made()
      const { storage } = opened()
      const account = await newAccount(storage)
      const { raw, prefix, hash } = newApiKey()
      expect(await keys.find(raw, Date.now())).toBeUndefined()
      // Made on another node, which this one is not told of.
      const another = { accountId: account.id, name: 'k', keyPrefix: prefix, keyHash: hash, ...noLimits }
      const { id } = await storage.apiKeys.create(another, Date.now())
      expect(keys.find(raw, Date.now())).toBeUndefined()
      expect(await keys.find(raw, Date.now() + 1_001)).toMatchObject({ id })
    })

    it('are asked for again where the database was away', async () => {
      const { raw, id } = await made()
      const { apiKeys } = opened().storage
      let isAway = true
      const findByHashes: ApiKeyStore['findByHashes'] = (keyHashes) =>
        isAway ? Promise.reject(new Error('away')) : apiKeys.findByHashes(keyHashes)
      const keys = new KnownKeys({ findByHashes }, () => undefined)
      const found = await Promise.allSettled([keys.find(raw, Date.now()), keys.find(raw, Date.now())])
      expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      isAway = false
      expect(await keys.find(raw, Date.now())).toMatchObject({ id })
    })

    it('are not kept where they were forgotten while they were read', async () => {
      const { keys, raw, id, calls } = await made()
      const reading = keys.find(raw, Date.now())
      keys.forget(id)
      expect(await reading).toMatchObject({ id })
      await keys.find(raw, Date.now())
      expect(calls()).toBe(2)
    })
  })
})
