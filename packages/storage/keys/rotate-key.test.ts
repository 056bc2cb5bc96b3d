import type { ApiKey } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { fundedKey, grant, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  const rotate = (key: ApiKey, graceMs = 0, nowMs = Date.now(), keyHash = uniqueText()) =>
    opened().storage.apiKeys.rotate(
      { accountId: key.accountId, keyId: key.id, keyPrefix: 'sk-turnpike-wxyz', keyHash, graceMs },
      nowMs,
    )

  async function rotated(key: ApiKey, graceMs = 0, nowMs?: number): Promise<ApiKey> {
    const result = await rotate(key, graceMs, nowMs)
    if (!('key' in result)) throw new Error('refused')
    return result.key
  }

  const read = async (key: ApiKey): Promise<ApiKey> =>
    (await opened().storage.apiKeys.find(key.accountId, key.id))!

  const expectTrueBooks = async (): Promise<void> => {
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }

  describe('a rotated key', () => {
    it('passes its name, limits and credit to the new key', async () => {
      const { storage } = opened()
      const old = await fundedKey(storage, 100n)
      const changes = { name: 'ci', allowedModels: ['a/b'], expiresAtMs: Date.now() + 1e9 }
      await storage.apiKeys.update(old.accountId, old.id, changes)
      const key = await rotated(old)
      expect(key).toMatchObject({ ...changes, status: 'active', balancePico: 100n, lastUsedAtMs: null })
      expect(key.id).not.toBe(old.id)
      expect(await read(old)).toMatchObject({ status: 'revoked', balancePico: 0n, replacedBy: key.id })
      const { rows } = await storage.ledger.list(old.accountId, { limit: 1 })
      expect(rows).toMatchObject([{ kind: 'transfer', reference: `rotate:${old.id}`, amountPico: 100n }])
      await expectTrueBooks()
    })

    it('is rotated once, even concurrently', async () => {
      const old = await fundedKey(opened().storage, 100n)
      const results = await Promise.all(Array.from({ length: 8 }, () => rotate(old)))
      const made = results.filter((result) => 'key' in result)
      expect(made).toHaveLength(1)
      const replacedBy = made[0]!.key.id
      for (const result of results) if (!('key' in result)) expect(result).toEqual({ replacedBy })
      const gone = await newKey(opened().storage, old.accountId)
      await opened().storage.apiKeys.revoke(old.accountId, gone.id, Date.now())
      expect(await rotate(gone)).toEqual({ refused: 'key-revoked' })
      expect(await rotate({ ...old, id: 'key_none' })).toEqual({ refused: 'unknown-key' })
      await expectTrueBooks()
    })

    it('passes its debt to the new key too', async () => {
      const { storage } = opened()
      const old = await fundedKey(storage, 10n)
      await storage.requests.write('node_none', [newRecord(old, { chargePico: 25n })])
      expect(await rotated(old)).toMatchObject({ balancePico: -15n })
      await expectTrueBooks()
    })

    it('stands for the new key until its grace period ends', async () => {
      const { storage } = opened()
      const account = await fundedKey(storage, 100n)
      const secret = uniqueText()
      const old = await storage.apiKeys.create(
        {
          ...account,
          name: 'old',
          keyHash: secret,
          keyPrefix: 'sk-turnpike-abcd',
          expiresAtMs: null,
        },
        Date.now() + 1_000,
      )
      const nowMs = Date.now()
      const key = await rotated(old, 60_000, nowMs)
      const known = { id: key.id, secretOf: old.id, status: 'active', expiresAtMs: nowMs + 60_000 }
      expect((await storage.apiKeys.findByHashes([secret])).get(secret)).toMatchObject(known)
      expect(await read(old)).toMatchObject({ status: 'active', expiresAtMs: nowMs + 60_000 })
      // After another rotation both former secrets stand for the newest key.
      const newest = await rotated(key, 90_000, nowMs)
      expect((await storage.apiKeys.findByHashes([secret])).get(secret)).toMatchObject({
        ...known,
        id: newest.id,
      })

      expect(await storage.apiKeys.revokeDue(nowMs + 59_999)).toEqual([])
      expect(await storage.apiKeys.revokeDue(nowMs + 60_000)).toEqual([old.id])
      expect((await storage.apiKeys.findByHashes([secret])).get(secret)).toMatchObject({
        id: old.id,
        status: 'revoked',
      })
      expect(await storage.apiKeys.revokeDue(nowMs + 90_000)).toEqual([key.id])
      expect(await read(newest)).toMatchObject({ status: 'active' })
    })

    it('is no longer the default key, and accepts no credit', async () => {
      const { storage } = opened()
      const old = await fundedKey(storage, 100n)
      const other = await newKey(storage, old.accountId, Date.now() + 1_000)
      const key = await rotated(old, 60_000, Date.now() + 2_000)
      await grant(storage, old.accountId, 7n)
      expect(await read(other)).toMatchObject({ balancePico: 7n })
      const { accountId } = old
      const movement = { accountId, keyId: old.id, kind: 'grant' as const, amountPico: 1n, reason: null }
      expect(await storage.ledger.move({ ...movement, reference: uniqueText() }, Date.now())).toEqual({
        refused: 'key-revoked',
      })
      expect(await read(key)).toMatchObject({ balancePico: 100n })
    })

    it('passes leases and late charges to the new key, not to the default key', async () => {
      const { storage } = opened()
      const first = await fundedKey(storage, 5n)
      const old = await newKey(storage, first.accountId, Date.now() + 1_000)
      await storage.ledger.move(
        {
          accountId: old.accountId,
          keyId: old.id,
          kind: 'grant',
          amountPico: 100n,
          reference: uniqueText(),
          reason: null,
        },
        Date.now(),
      )
      await storage.leases.take('node_late', old.id, 60n, 60n, Date.now())
      const key = await rotated(old, 60_000)
      expect(await read(key)).toMatchObject({ balancePico: 40n })
      await storage.requests.write('node_late', [newRecord(old, { chargePico: 80n })])
      expect(await read(key)).toMatchObject({ balancePico: 20n })
      expect(await read(old)).toMatchObject({ balancePico: 0n })
      expect(await read(first)).toMatchObject({ balancePico: 5n })
      await storage.leases.giveBackAll('node_late')
      await expectTrueBooks()
    })

    it('lets its running requests use the new key’s credit', async () => {
      const { storage } = opened()
      const old = await fundedKey(storage, 100n)
      const key = await rotated(old, 60_000)
      expect(await storage.leases.take('node_runs', old.id, 30n, 90n, Date.now())).toMatchObject({
        takenPico: 30n,
      })
      expect(await storage.leases.take('node_runs', old.id, 71n, 71n, Date.now())).toMatchObject({
        takenPico: 0n,
        successor: key.id,
      })
      expect(await read(key)).toMatchObject({ balancePico: 70n })
      await storage.leases.giveBack('node_runs', old.id, 10n)
      expect(await read(key)).toMatchObject({ balancePico: 80n })
      await storage.apiKeys.revoke(old.accountId, old.id, Date.now())
      expect(await storage.leases.take('node_runs', old.id, 1n, 1n, Date.now())).toMatchObject({
        takenPico: 0n,
      })
      await storage.leases.giveBackAll('node_runs')
      expect(await read(key)).toMatchObject({ balancePico: 100n })
      await expectTrueBooks()
    })

    it('leaves its credit to the default key if the new key is revoked', async () => {
      const { storage } = opened()
      const first = await fundedKey(storage, 5n)
      const old = await newKey(storage, first.accountId, Date.now() + 1_000)
      const key = await rotated(old, 60_000)
      await storage.apiKeys.revoke(key.accountId, key.id, Date.now())
      await storage.requests.write('node_x', [newRecord(old, { chargePico: 2n })])
      expect(await read(first)).toMatchObject({ balancePico: 3n })
      await expectTrueBooks()
    })
  })
})
