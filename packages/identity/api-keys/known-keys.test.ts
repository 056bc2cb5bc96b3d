import { describe, expect, it } from 'vitest'
import { newAccount } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import type { ApiKeyStore } from './api-key-store.ts'
import { KnownKeys } from './known-keys.ts'
import { newApiKey } from './raw-key.ts'

const noLimits = { expiresAtMs: null, allowedModels: null, spendLimitPico: null, spendLimitPeriod: null }

describe('KnownKeys', () => {
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

    it('asks the database once for a key, however often the key is used', async () => {
      const { keys, raw, id, calls } = await made()
      expect(await keys.find(raw, Date.now())).toMatchObject({
        id,
        status: 'active',
        accountStatus: 'active',
      })
      for (let count = 0; count < 100; count++) expect(keys.find(raw, Date.now())).toMatchObject({ id })
      expect(calls()).toBe(1)
    })

    it('asks the database nothing for a malformed key, or for one known not to exist', async () => {
      const { keys, raw, calls } = await made()
      expect(keys.find(`${raw}x`, Date.now())).toBeUndefined()
      const stranger = newApiKey().raw
      for (let count = 0; count < 10; count++) expect(await keys.find(stranger, Date.now())).toBeUndefined()
      expect(calls()).toBe(1)
    })

    it('reads a key again after it was forgotten', async () => {
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

    it('reads a key once for all simultaneous requests, and again after a change', async () => {
      const { keys, raw, id, calls } = await made()
      const early = Array.from({ length: 20 }, () => keys.find(raw, Date.now()))
      keys.forget('another')
      const late = Array.from({ length: 20 }, () => keys.find(raw, Date.now()))
      for (const found of await Promise.all([...early, ...late])) expect(found).toMatchObject({ id })
      expect(calls()).toBe(2)
      expect(keys.find(raw, Date.now())).toMatchObject({ id })
    })

    it('shares one query among many unknown keys, and does not delay an existing key', async () => {
      const { keys, raw, id, calls } = await made()
      const strangers = Array.from({ length: 5_000 }, async () => keys.find(newApiKey().raw, Date.now()))
      const found = keys.find(raw, Date.now())
      expect(await found).toMatchObject({ id })
      for (const stranger of await Promise.all(strangers)) expect(stranger).toBeUndefined()
      expect(calls()).toBeLessThan(20)
    })

    it('refuses a look-up if too many are waiting, and succeeds a moment later', async () => {
      const { keys, raw, id } = await made()
      const strangers = Array.from({ length: 15_000 }, async () => keys.find(newApiKey().raw, Date.now()))
      await expect(keys.find(raw, Date.now())).rejects.toThrow('too many')
      await Promise.allSettled(strangers)
      expect(await keys.find(raw, Date.now())).toMatchObject({ id })
    })

    it('finds a key that did not exist a second ago', async () => {
      const { keys } = await made()
      const { storage } = opened()
      const account = await newAccount(storage)
      const { raw, prefix, hash } = newApiKey()
      expect(await keys.find(raw, Date.now())).toBeUndefined()
      // Created on another node, which does not notify this one.
      const another = { accountId: account.id, name: 'k', keyPrefix: prefix, keyHash: hash, ...noLimits }
      const { id } = await storage.apiKeys.create(another, Date.now())
      expect(keys.find(raw, Date.now())).toBeUndefined()
      expect(await keys.find(raw, Date.now() + 1_001)).toMatchObject({ id })
    })

    it('asks again after the database was unavailable', async () => {
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

    it('does not keep a key that was forgotten while it was being read', async () => {
      const { keys, raw, id, calls } = await made()
      const reading = keys.find(raw, Date.now())
      keys.forget(id)
      expect(await reading).toMatchObject({ id })
      await keys.find(raw, Date.now())
      expect(calls()).toBe(2)
    })
  })
})
